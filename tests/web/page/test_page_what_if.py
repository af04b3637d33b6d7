"""What-ifs: apply another transition, continue, and compare the result."""

import pytest

from web.page.steering import FALL, FALL_HEADS, SAW, address, arcs, ask, go, made, step, tree, visit, words
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")


def whole(page):
    """Return the arcs of the last step."""
    page.keyboard.press("End")
    return arcs(page)


def moves_before(answer, at):
    return [{"move": each["move"], "label": each["label"]} for each in answer["steps"][:at]]


def wait_for_banner(page):
    page.locator("[data-part=banner]").wait_for()


def test_the_parser_continues(page, server):
    conllu = ask(server, "/api/parse", {"text": SAW})["conllu"]
    original = ask(server, "/api/trace", {"conllu": conllu, "model": "en-fast"})
    visit(page, server, SAW, a_step=9)
    page.get_by_role("button", name="What if SHIFT").click()
    wait_for_banner(page)
    moves = [*moves_before(original, 9), {"move": "shift", "label": None}]
    expected = ask(server, "/api/trace", {"conllu": conllu, "model": "en-fast", "moves": moves, "then": "parser"})
    instead = original["steps"][9]["text"]
    expected_text = f"transition 10 is SHIFT instead of {instead}. After that, the parser continues."
    assert expected_text in page.locator("[data-part=banner]").inner_text()
    assert (step(page), made(page), words(page, "stack")) == (10, "SHIFT", ["saw", "fall"])
    assert page.locator("[data-part=made]", has_text="what if").is_visible()
    assert page.locator(".strip .is-what-if").get_attribute("data-step") == "10"
    differing = [
        i
        for i, (one, other) in enumerate(zip(original["final"]["heads"], expected["final"]["heads"], strict=True), 1)
        if one != other
    ]
    listed = page.locator("[data-part=outcome] tbody th").all_inner_texts()
    assert {int(text.split()[0]) for text in listed} >= set(differing)
    assert whole(page) == tree(expected["final"]["heads"])
    page.get_by_role("button", name="Back to the original derivation of the parser").click()
    page.locator("[data-part=banner]").wait_for(state="hidden")
    assert whole(page) == tree(original["final"]["heads"])


def test_the_differences_are_listed(page, server):
    """Without the repair, plan keeps its first head."""
    visit(page, server, PLAN, a_step=10)
    page.get_by_role("button", name="What if REDUCE").click()
    wait_for_banner(page)
    rows = page.locator("[data-part=outcome] tbody tr").all_inner_texts()
    assert "5 plan\tadmitted obj\tchange nsubj" in rows


def test_the_oracle_continues(page, server):
    """The model attaches Jack too early. After a shift instead, the oracle derives the gold tree."""
    visit(page, server, FALL, gold=1, a_step=3)
    page.select_option("[data-part=then]", "oracle")
    page.get_by_role("button", name="What if SHIFT").click()
    wait_for_banner(page)
    assert "After that, the oracle continues." in page.locator("[data-part=banner]").inner_text()
    assert step(page) == 4
    assert whole(page) == tree(FALL_HEADS)
    assert page.locator(".loss").inner_text() == "loss 0"
    before = page.locator("[data-part=banner]").inner_text()
    address(page)          # so that it is written
    page.reload()
    wait_for_banner(page)
    assert page.locator("[data-part=banner]").inner_text() == before, "the original derivation is loaded again"
    assert "SHIFT instead of RIGHT-ARC(obj)" in before


def test_without_gold_the_oracle_cannot_continue(page, server):
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


def test_several_what_ifs(page, server):
    visit(page, server, FALL, gold=1, a="system:arc-eager-nml", a_step=3)
    page.get_by_role("button", name="What if RIGHT-ARC").click()
    wait_for_banner(page)
    page.get_by_role("button", name="What if SHIFT").click()
    page.locator("[data-part=banner-text]", has_text="and transition 5 is SHIFT").wait_for()
    assert "transition 4 is RIGHT-ARC" in page.locator("[data-part=banner-text]").inner_text()
    assert (step(page), words(page, "stack")) == (5, ["saw", "Jack", "and"])
    go(page, 2)
    page.get_by_role("button", name="Back to the original derivation of the oracle").click()
    page.locator("[data-part=banner]").wait_for(state="hidden")
    assert (step(page), whole(page)) == (2, tree(FALL_HEADS))


def test_hovering_over_a_transition_highlights_its_words(page, server):
    visit(page, server, SAW, a_step=3)
    page.locator("[data-part=moves] tr", has_text="saw → Jack").hover()
    assert page.locator(".gp-word.is-pointed").evaluate_all("words => words.map(word => +word.dataset.id)") == [2, 3]
    page.mouse.move(1, 1)
    assert page.locator(".gp-word.is-pointed").count() == 0


def test_other_tags(page, server):
    """With change as a noun, plan stays the object of admitted."""
    visit(page, server, PLAN, a_step=5)
    page.get_by_role("button", name="Edit tags").click()
    page.select_option("#tags-word", "7")
    assert page.locator("#tags-xpos").input_value() == "VB"
    page.select_option("#tags-upos", "NOUN")
    page.select_option("#tags-xpos", "NN")
    page.select_option("#tags-feats", "Number=Sing")
    page.locator("#tags-apply").click()
    wait_for_banner(page)
    conllu = ask(server, "/api/parse", {"text": PLAN})["conllu"]
    verb = next(line for line in conllu.splitlines() if line.startswith("7\t"))
    noun = "\t".join([*verb.split("\t")[:3], "NOUN", "NN", "Number=Sing", *verb.split("\t")[6:]])
    expected = ask(server, "/api/trace", {"conllu": conllu.replace(verb, noun), "model": "en-fast"})
    text = page.locator("[data-part=banner-text]").inner_text()
    assert text.startswith("“change” is NOUN NN instead of VERB VB. Transition ")
    assert page.locator(".stage .gp-word[data-id='7'] .gp-tag").text_content() == "NOUN"
    assert whole(page) == tree(expected["final"]["heads"])
    address(page)          # so that it is written
    page.reload()
    wait_for_banner(page)
    assert page.locator("[data-part=banner-text]").inner_text() == text
    page.get_by_role("button", name="Back to the original derivation of the parser").click()
    page.locator("[data-part=banner]").wait_for(state="hidden")
    assert page.locator(".stage .gp-word[data-id='7'] .gp-tag").text_content() == "VERB"
