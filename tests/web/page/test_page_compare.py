"""Two panels side by side."""

import pytest

from web.page.steering import FALL, SAW, arcs, ask, go, step, visit

pytestmark = pytest.mark.xdist_group("server")


def ready(page):
    page.locator("#comparison-body > *").nth(2).wait_for()


def test_panels_step_together_until_they_are_unlinked(page, server):
    visit(page, server, FALL, gold=1, a="system:arc-eager")
    page.get_by_role("button", name="Side by side").click()
    ready(page)
    assert page.locator(".panel").count() == 2
    go(page, 5)
    assert (step(page, 0), step(page, 1)) == (5, 5)
    go(page, 7, panel=1)
    assert (step(page, 0), step(page, 1)) == (7, 7)
    page.get_by_label("step both together").uncheck()
    go(page, 2)
    assert (step(page, 0), step(page, 1)) == (2, 7)
    page.locator(".panel").nth(1).get_by_role("button", name="Definition").focus()
    page.keyboard.press("ArrowRight")
    assert (step(page, 0), step(page, 1)) == (2, 8)
    page.get_by_role("button", name="Side by side").click()
    assert page.locator(".panel").count() == 1
    assert page.locator("#comparison").is_hidden()


def second(page):
    """Open the second panel and return what it shows."""
    page.get_by_role("button", name="Side by side").click()
    ready(page)
    return page.locator("[data-part=who]").nth(1).input_value()


def test_the_second_panel_opens_with_what_is_worth_comparing(page, server):
    visit(page, server, SAW)
    assert second(page) == "model:sample", "without a gold tree, another model"
    visit(page, server, FALL, gold=1)
    assert second(page) == "system:arc-eager-unshift", "with one, the oracle of the same system"
    visit(page, server, FALL, gold=1, a="system:arc-eager-unshift")
    assert second(page) == "model:en-fast", "beside this oracle, the model"
    visit(page, server, SAW, a="system:arc-standard")
    assert second(page).startswith("system:")


def test_a_what_if_opens_beside_the_original(page, server):
    visit(page, server, SAW, a_step=9)
    page.get_by_role("button", name="What if SHIFT").click()
    page.locator("[data-part=banner]").wait_for()
    assert second(page) == "model:en-fast"
    assert page.locator("[data-part=banner]").nth(1).is_hidden()
    assert "They differ from transition 10 on: A applies SHIFT" in page.locator("#comparison").inner_text()


def test_comparison_of_models_with_different_systems(page, server):
    """The differences between the trees of `en-fast` and `sample` equal those of the API."""
    visit(page, server, SAW, b="model:sample")
    ready(page)
    conllu = ask(server, "/api/parse", {"text": SAW})["conllu"]
    a, b = (ask(server, "/api/trace", {"conllu": conllu, "model": name}) for name in ("en-fast", "sample"))
    text = page.locator("#comparison").inner_text()
    assert f"A uses {a['system']}, B uses {b['system']}" in text
    moves = [sum(not each["policy"] for each in answer["steps"]) for answer in (a, b)]
    repairs = [sum(each["repair"] for each in answer["steps"]) for answer in (a, b)]
    assert page.get_by_role("row", name="transitions").inner_text().split() == ["transitions", *map(str, moves)]
    assert page.get_by_role("row", name="repairs").inner_text().split() == ["repairs", *map(str, repairs)]
    ends = [list(zip(answer["final"]["heads"], answer["final"]["labels"], strict=True)) for answer in (a, b)]
    differing = [str(i) for i, (one, other) in enumerate(zip(*ends, strict=True), 1) if one != other]
    assert differing
    assert [text.split()[0] for text in page.locator(".differences tbody th").all_inner_texts()] == differing


def test_comparison_of_derivations_of_one_system(page, server):
    """The first different transition and the different words are shown."""
    visit(page, server, FALL, gold=1, a="model:en-fast", b="system:arc-eager-unshift")
    ready(page)
    a = ask(server, "/api/trace", {"conllu": FALL, "model": "en-fast", "gold": True})
    b = ask(server, "/api/trace", {"conllu": FALL, "system": "arc-eager-unshift", "gold": True})
    at = next(
        k for k, (one, other) in enumerate(zip(a["steps"], b["steps"], strict=False), 1) if one["text"] != other["text"]
    )
    assert (
        f"They differ from transition {at} on: A applies {a['steps'][at - 1]['text']}"
        in page.locator("#comparison").inner_text()
    )
    assert page.locator(".differences thead th").all_inner_texts() == ["word", "A", "B", "HEAD"]
    rows = page.locator(".differences tbody tr")
    assert rows.count()
    assert rows.locator("td:nth-child(3) .right").count() == rows.count(), "the oracle derives the gold tree"
    assert rows.locator("td:nth-child(2) .wrong").count() == sum(
        head != gold for head, gold in zip(a["final"]["heads"], a["gold"], strict=True)
    )


def test_comparison_of_equal_derivations(page, server):
    visit(page, server, SAW, b="model:en-fast")
    ready(page)
    text = page.locator("#comparison").inner_text()
    assert "All transitions are the same." in text
    assert "Both trees are the same." in text
    assert arcs(page, panel=0) == arcs(page, panel=1)
