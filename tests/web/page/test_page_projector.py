"""The page on a projector: stack, buffer and picture are in view, and the finished tree can be hidden."""

import pytest

from web.page.steering import address, open_page, reloading, step, visit
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")

PROJECTOR = {"width": 1280, "height": 720}
LONG = "When the committee published the report, the papers found that it agreed with none of them. " * 2
DEEP = "I know that the girl who saw the dog on the hill yesterday was very tired."       # eight levels of arcs


def in_view(page, *parts):
    """Return whether these parts of the page are in the window."""
    return page.evaluate(
        """parts => parts.flatMap((name) => [...document.querySelectorAll(name)]).every((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        })""",
        parts,
    )


def parts_in_view(page):
    """Return whether stack and buffer, and the words of the picture, are in the window."""
    return in_view(page, ".lists", ".stage .gp-word")


@pytest.fixture
def projector(page):
    page.set_viewport_size(PROJECTOR)
    return page


def test_stack_buffer_and_picture_are_in_view(projector, server):
    open_page(projector, server)
    assert parts_in_view(projector)
    assert projector.evaluate("document.querySelector('.stage').getBoundingClientRect().bottom <= 720")


def test_the_keys_bring_the_picture_back_into_view(projector, server):
    visit(projector, server, LONG, kind="lines", a_step=1, a_why=1)
    projector.locator("[data-part=reasons] table").wait_for()
    projector.evaluate("document.body.style.paddingBottom = '100vh'; window.scrollTo(0, document.body.scrollHeight)")
    assert not parts_in_view(projector)
    projector.keyboard.press("ArrowRight")
    assert (step(projector), parts_in_view(projector)) == (2, True)
    projector.evaluate("window.scrollTo(0, 0)")
    projector.keyboard.press("End")
    assert parts_in_view(projector)


@pytest.mark.parametrize("text", [PLAN, LONG])
def test_the_reasons_are_in_view_together_with_stack_and_buffer(projector, server, text):
    visit(projector, server, text, kind="lines", a_step=7)
    projector.locator("[data-part=why-title]").click()
    projector.locator("[data-part=reasons] table").wait_for()
    projector.keyboard.press("ArrowRight")
    projector.locator("[data-part=reasons] table").wait_for()
    projector.keyboard.press("ArrowLeft")
    assert in_view(projector, ".lists", ".stage .gp-word", "[data-part=reasons] tbody")


def test_a_what_if_does_not_move_the_picture(projector, server):
    visit(projector, server, PLAN, a_step=7)
    top = "document.querySelector('.lists').getBoundingClientRect().top"
    before = projector.evaluate(top)
    with reloading(projector):
        projector.get_by_role("button", name="What if LEFT-ARC").click()
    projector.locator(".differences").wait_for()
    assert (projector.evaluate(top), parts_in_view(projector)) == (before, True)


def test_a_high_tree_is_scaled_so_that_words_and_uncertain_words_are_in_view(projector, server):
    visit(projector, server, DEEP, confidence=1)
    projector.evaluate("document.querySelector('#trees').scrollTop = 0")
    low, tree = (projector.locator(part).bounding_box() for part in ("#trees", "#trees svg"))
    assert tree["height"] < float(projector.locator("#trees svg").get_attribute("height"))
    for part in ("#trees .gp-word", "#trees .doubts"):
        for box in projector.locator(part).all():
            found = box.bounding_box()
            assert low["y"] <= found["y"] <= low["y"] + low["height"] - found["height"]


def test_the_finished_tree_can_be_hidden(page, server):
    visit(page, server, PLAN)
    assert page.locator("#trees svg").is_visible()
    page.keyboard.press("t")
    page.locator("#trees").wait_for(state="hidden")
    shared = address(page)
    assert "tree=0" in shared
    page.goto("about:blank")
    page.goto(shared)
    page.wait_for_selector("[data-part=count]:not(:empty)")
    assert page.locator("#trees svg").is_hidden()
    page.locator("#trees-details summary").click()
    page.locator("#trees svg").wait_for()
    assert "tree=0" not in address(page)
