"""The page on a projector: stack, buffer and picture are in view, and the finished tree can be hidden."""

import pytest

from web.page.steering import address, open_page, step, visit
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")

PROJECTOR = {"width": 1280, "height": 720}
LONG = "When the committee published the report, the papers found that it agreed with none of them. " * 2


def parts_in_view(page):
    """Return whether stack and buffer, and the words of the picture, are in the window."""
    return page.evaluate(
        """() => [".lists", ".stage .gp-word"].flatMap((name) => [...document.querySelectorAll(name)]).every((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        })"""
    )


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
    projector.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert not parts_in_view(projector)
    projector.keyboard.press("ArrowRight")
    assert (step(projector), parts_in_view(projector)) == (2, True)
    projector.evaluate("window.scrollTo(0, 0)")
    projector.keyboard.press("End")
    assert parts_in_view(projector)


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
