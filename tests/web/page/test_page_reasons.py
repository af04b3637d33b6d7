"""What spoke for a transition."""

import pytest

from web.page.steering import SAW, address, ask, visit
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")


def rows(page, part="tbody"):
    return [row.split("\t") for row in page.locator(f"[data-part=reasons] {part} tr").all_inner_texts()]


def number(text):
    return int(text.replace("−", "-").replace("+", "").replace(",", ""))


def expected(server, text, at):
    conllu = ask(server, "/api/parse", {"text": text})["conllu"]
    return ask(server, "/api/reasons", {"conllu": conllu, "model": "en-fast", "step": at})


def by_words(reasons):
    """Add up the contributions of the inputs that look at the same words."""
    groups = {}
    for reason in reasons:
        groups.setdefault(tuple(sorted(reason["words"])), []).append(reason["contribution"])
    ranked = sorted(groups.items(), key=lambda group: -abs(sum(group[1])))
    return [(words, len(found), sum(found)) for words, found in ranked]


def test_the_words_with_the_largest_contributions_are_shown(page, server):
    visit(page, server, PLAN, a_step=7)
    page.keyboard.press("w")
    page.locator("[data-part=reasons] table").wait_for()
    answer = expected(server, PLAN, 8)
    assert page.locator("[data-part=why-title]").inner_text() == f"What spoke for {answer['text']}"
    first = answer["comparisons"][0]
    forms = ["ROOT", *PLAN.removesuffix(".").split(), "."]
    groups = by_words(first["reasons"])
    shown = rows(page)
    assert [(row[0], int(row[1]), number(row[2])) for row in shown] == [
        (", ".join(forms[word] for word in words), count, total) for words, count, total in groups[: len(shown)]
    ]
    others, total = rows(page, "tfoot")
    assert number(total[1]) == first["margin"] == number(others[1]) + sum(number(row[2]) for row in shown)
    page.locator("[data-part=reasons] tbody tr").first.hover()
    pointed = page.locator(".gp-word.is-pointed").evaluate_all("words => words.map(word => +word.dataset.id)")
    assert pointed == list(groups[0][0])
    page.keyboard.press("w")
    page.locator("[data-part=reasons]").wait_for(state="hidden")


def test_single_inputs_can_be_shown(page, server):
    visit(page, server, PLAN, a_step=7, a_why=1)
    page.locator("[data-part=reasons] table").wait_for()
    page.get_by_label("single inputs").check()
    first = expected(server, PLAN, 8)["comparisons"][0]
    shown = rows(page)
    assert [(row[0], row[1], number(row[2])) for row in shown] == [
        (reason["input"], reason["value"], reason["contribution"]) for reason in first["reasons"][: len(shown)]
    ]


def test_the_other_transition_can_be_chosen(page, server):
    visit(page, server, PLAN, a_step=7, a_why=1)
    page.locator("[data-part=reasons] table").wait_for()
    answer = expected(server, PLAN, 8)
    options = page.locator("[data-part=against] option").all_inner_texts()
    assert [option.rpartition(" (")[0] for option in options] == [each["text"] for each in answer["comparisons"]]
    page.select_option("[data-part=against]", "1")
    assert number(rows(page, "tfoot")[-1][-1]) == answer["comparisons"][1]["margin"]


def test_reasons_follow_the_steps_and_are_in_the_link(page, server):
    visit(page, server, SAW, a_step=1, a_why=1)
    page.locator("[data-part=reasons] table").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("[data-part=reasons]", has_text="Only one transition is valid").wait_for()
    assert "a.why=1" in address(page)
    page.keyboard.press("End")
    page.locator("[data-part=reasons]", has_text="There is no transition here.").wait_for()


def test_an_oracle_has_no_reasons(page, server):
    visit(page, server, SAW, a="system:arc-eager", a_step=2, a_why=1)
    assert page.locator("[data-part=moves] table").is_visible()
    assert page.locator("[data-part=why]").is_hidden()
