"""Errors are shown where they occur, and the input is kept."""

import pytest

from web.page.conftest import PATIENCE
from web.page.steering import FALL, SAW, arcs, open_page, step, visit
from web.serving import running_server

pytestmark = pytest.mark.xdist_group("server")

BAD = FALL.replace("3\tJack\t_\tPROPN\t_\t_\t6", "3\tJack\tPROPN\t6")


def parse(page, text):
    page.fill("#input", text)
    page.get_by_role("button", name="Parse").click()


def test_an_error_in_conllu_names_the_line(troubled_page, server):
    page = troubled_page
    visit(page, server, SAW)
    parse(page, BAD)
    page.locator("#error:visible").wait_for()
    assert page.get_by_role("alert").first.inner_text() == page.locator("#error").inner_text()
    assert ":3:" in page.locator("#error").inner_text() or "line 3" in page.locator("#error").inner_text()
    assert page.input_value("#input") == BAD
    assert page.locator("#trees .gp-form", has_text="Jill").count(), "the old tree stays"
    parse(page, SAW)
    page.locator("#error").wait_for(state="hidden")


def test_empty_input(page, server):
    visit(page, server, SAW)
    parse(page, "   ")
    assert "The input is empty." in page.locator("#error").inner_text()


def test_text_in_another_language_gives_a_warning(page, server):
    visit(page, server, SAW)
    assert page.locator("#warning").is_hidden()
    parse(page, "Der Hund hat die Katze gesehen, und sie ist mit dem Jungen in den Garten gelaufen.")
    page.locator("#warning:visible").wait_for()
    assert page.locator("#warning").inner_text().startswith("The text is probably German, which is not the language")
    parse(page, SAW)
    page.locator("#warning").wait_for(state="hidden")


def test_an_invalid_gold_tree_gives_an_error_in_the_panel(troubled_page, server):
    """The heads have a cycle: the model can parse the sentence, but no oracle can derive the tree."""
    page = troubled_page
    cyclic = FALL.replace("2\tsaw\t_\tVERB\t_\t_\t0\troot", "2\tsaw\t_\tVERB\t_\t_\t1\tdep")
    open_page(page, server)
    page.fill("#input", cyclic)
    page.get_by_label("HEAD contains the gold tree").check()
    page.get_by_role("button", name="Parse").click()
    page.locator("[data-part=error]:visible").wait_for()
    assert page.locator("[data-part=error]").inner_text()
    assert page.locator("[data-part=work]").is_hidden()
    page.get_by_label("HEAD contains the gold tree").uncheck()
    page.get_by_role("button", name="Parse").click()
    page.locator("[data-part=count]:not(:empty)").wait_for()
    assert page.locator("[data-part=error]").is_hidden()


def test_a_what_if_with_an_error_keeps_the_panel(troubled_page, server):
    page = troubled_page
    visit(page, server, SAW, a_step=3)
    page.route("**/api/trace", lambda route: route.fulfill(status=400, json={"error": "not this one"}))
    page.get_by_role("button", name="What if SHIFT").click()
    page.locator("[data-part=error]:visible").wait_for()
    assert page.locator("[data-part=error]").inner_text() == "not this one"
    assert (step(page), page.locator("[data-part=banner]").is_hidden()) == (3, True)
    page.keyboard.press("ArrowRight")
    assert (step(page), (2, 3) in arcs(page)) == (4, True)


def test_a_server_that_has_stopped(browser):
    with running_server("en-fast") as short:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        visit(page, short, SAW)
    parse(page, "They sink.")
    page.locator("#error:visible").wait_for()
    assert "The server does not respond." in page.locator("#error").inner_text()
    assert page.input_value("#input") == "They sink."
    page.locator("[data-go=last]").click()
    assert step(page) == 13, "the old derivation can still be stepped through"
    page.close()


def test_a_late_response_does_not_replace_a_newer_one(page, server):
    visit(page, server, SAW)
    held = []
    page.route(
        "**/api/parse", lambda route: held.append(route) if "old man" in route.request.post_data else route.continue_()
    )
    parse(page, "The old man the boat.")
    while not held:
        page.wait_for_timeout(20)
    parse(page, "They sink.")
    page.locator("#trees .gp-form", has_text="sink").wait_for()
    for route in held:
        route.abort()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert page.locator("#error").is_hidden()
    assert page.locator("#trees .gp-form", has_text="sink").count()
