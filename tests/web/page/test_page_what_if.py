"""What if another move were made: it is, somebody goes on, and the outcome is compared."""

import pytest

from web.page.steering import FALL, FALL_HEADS, SAW, address, arcs, ask, go, made, step, tree, visit, words

pytestmark = pytest.mark.xdist_group("server")


def whole(page):
    """The tree in the end."""
    page.keyboard.press("End")
    return arcs(page)


def moves_before(answer, at):
    return [{"move": told["move"], "label": told["label"]} for told in answer["steps"][:at]]


def wait_for_banner(page):
    page.locator("[data-part=banner]").wait_for()


def test_the_parser_goes_on(page, server):
    conllu = ask(server, "/api/parse", {"text": SAW})["conllu"]
    original = ask(server, "/api/trace", {"conllu": conllu, "model": "en"})
    visit(page, server, SAW, a_step=9)
    page.get_by_role("button", name="What if SHIFT").click()
    wait_for_banner(page)
    moves = [*moves_before(original, 9), {"move": "shift", "label": None}]
    expected = ask(server, "/api/trace", {"conllu": conllu, "model": "en", "moves": moves, "then": "parser"})
    assert "at move 10 SHIFT instead of RIGHT-ARC(obj). From there the parser goes on." in page.locator("[data-part=banner]").inner_text()
    assert (step(page), made(page), words(page, "stack")) == (10, "SHIFT", ["saw", "fall"])
    assert page.locator("[data-part=made]", has_text="what if").is_visible()
    assert page.locator(".strip .is-what-if").get_attribute("data-step") == "10"
    differing = [i for i, (one, other) in enumerate(zip(original["final"]["heads"], expected["final"]["heads"], strict=True), 1) if one != other]
    listed = page.locator("[data-part=outcome] tbody th").all_inner_texts()
    assert {int(text.split()[0]) for text in listed} >= set(differing)
    assert whole(page) == tree(expected["final"]["heads"])
    page.get_by_role("button", name="Back to what the parser did").click()
    page.locator("[data-part=banner]").wait_for(state="hidden")
    assert whole(page) == tree(original["final"]["heads"])


def test_the_outcome_names_what_differs(page, server):
    """Jack stays where he was put: the repair does not happen."""
    visit(page, server, SAW, a_step=8)
    page.get_by_role("button", name="What if REDUCE").click()
    wait_for_banner(page)
    rows = page.locator("[data-part=outcome] tbody tr").all_inner_texts()
    assert "3 Jack\tsaw obj\tfall compound" in rows


def test_the_oracle_goes_on(page, server):
    """The shipped model attaches Jack too early; had it shifted, an oracle would have found the gold tree."""
    visit(page, server, FALL, gold=1, a_step=3)
    page.select_option("[data-part=then]", "oracle")
    page.get_by_role("button", name="What if SHIFT").click()
    wait_for_banner(page)
    assert "From there the oracle goes on." in page.locator("[data-part=banner]").inner_text()
    assert step(page) == 4
    assert whole(page) == tree(FALL_HEADS)
    assert page.locator(".loss").inner_text() == "loss 0"
    before = page.locator("[data-part=banner]").inner_text()
    address(page)          # so that it is written
    page.reload()
    wait_for_banner(page)
    assert page.locator("[data-part=banner]").inner_text() == before, "what the parser did is known again"
    assert "SHIFT instead of RIGHT-ARC(obj)" in before


def test_without_gold_the_oracle_cannot_go_on(page, server):
    visit(page, server, SAW)
    assert page.locator("[data-part=then] option[value=oracle]").is_disabled()
    visit(page, server, FALL, gold=1)
    assert page.locator("[data-part=then] option[value=oracle]").is_enabled()


def test_another_label(page, server):
    visit(page, server, SAW, a_step=1)
    page.get_by_label("Label of LEFT-ARC").select_option("obj")
    page.get_by_role("button", name="What if LEFT-ARC(nsubj)").click()
    wait_for_banner(page)
    assert made(page) == "LEFT-ARC(obj): saw → I"
    assert "LEFT-ARC(obj) instead of LEFT-ARC(nsubj)" in page.locator("[data-part=banner]").inner_text()
    assert page.locator(".stage .gp-label-group[data-head='2'][data-dependent='1'] .gp-label").text_content() == "obj"


def test_what_if_upon_what_if(page, server):
    visit(page, server, FALL, gold=1, a="system:arc-eager-nml", a_step=3)
    page.get_by_role("button", name="What if RIGHT-ARC").click()
    wait_for_banner(page)
    page.get_by_role("button", name="What if SHIFT").click()
    page.locator("[data-part=banner-text]", has_text="then at move 5 SHIFT").wait_for()
    assert "at move 4 RIGHT-ARC" in page.locator("[data-part=banner-text]").inner_text()
    assert (step(page), words(page, "stack")) == (5, ["saw", "Jack", "and"])
    go(page, 2)
    page.get_by_role("button", name="Back to what the oracle did").click()
    page.locator("[data-part=banner]").wait_for(state="hidden")
    assert (step(page), whole(page)) == (2, tree(FALL_HEADS))


def test_pointing_at_a_move_points_at_its_words(page, server):
    visit(page, server, SAW, a_step=3)
    page.locator("[data-part=moves] tr", has_text="saw → Jack").hover()
    assert page.locator(".gp-word.is-pointed").evaluate_all("words => words.map(word => +word.dataset.id)") == [2, 3]
    page.mouse.move(1, 1)
    assert page.locator(".gp-word.is-pointed").count() == 0
