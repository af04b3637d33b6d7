"""Parsing, stepping, and the display of each step."""

import pytest
from playwright.sync_api import expect

from gardenpath import systems
from web.page.steering import (
    CROSSING,
    FALL,
    FALL_HEADS,
    SAW,
    arcs,
    ask,
    conllu,
    go,
    made,
    open_page,
    reloading,
    step,
    stop_clock,
    tree,
    visit,
    words,
)
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")


def test_a_sentence_is_parsed_and_drawn(page, server):
    open_page(page, server)
    page.fill("#input", "The old man the boat. They sink.")
    page.press("#input", "Control+Enter")
    expect(page.locator("#trees li")).to_have_count(2)
    answer = ask(server, "/api/parse", {"text": "The old man the boat. They sink."})
    drawn = page.locator("#trees li").first.evaluate(
        "li => [...li.querySelectorAll('.gp-arc')].map(arc => [+arc.dataset.head, +arc.dataset.dependent])"
    )
    assert sorted(map(tuple, drawn)) == tree([word["head"] for word in answer["sentences"][0]["words"]])
    page.get_by_role("button", name="Step through sentence 2").click()
    expect(page.locator(".list.buffer li")).to_have_text(["They", "sink", "."])
    assert page.get_by_role("button", name="Step through sentence 2").get_attribute("aria-pressed") == "true"


def test_slider_buttons_keys_and_strip_go_to_the_same_steps(page, server):
    visit(page, server, SAW)
    assert (step(page), made(page), arcs(page)) == (0, "Start", [])
    assert words(page, "buffer") == ["I", "saw", "Jack", "and", "Jill", "fall", "."]
    page.get_by_role("button", name="Next step").click()
    assert (step(page), made(page), words(page, "stack")) == (1, "SHIFT", ["I"])
    page.keyboard.press("ArrowRight")
    assert (step(page), made(page), words(page, "stack"), arcs(page)) == (2, "LEFT-ARC(nsubj): saw → I", [], [(2, 1)])
    page.keyboard.press("End")
    assert page.locator("[data-part=count]").inner_text() == "step 13 of 13"
    page.keyboard.press("ArrowRight")
    assert step(page) == 13
    page.keyboard.press("Home")
    assert step(page) == 0
    go(page, 4)
    assert (step(page), made(page)) == (4, "RIGHT-ARC(obj): saw → Jack")
    page.keyboard.press("ArrowLeft")
    assert step(page) == 3, "the slider handles these keys itself"
    page.locator(".strip button").nth(6).click()
    assert (step(page), page.locator(".strip [aria-current=step]").inner_text()) == (7, "RA")
    page.get_by_role("button", name="First step").click()
    assert step(page) == 0


def test_text_fields_and_menus_handle_their_own_keys(page, server):
    visit(page, server, SAW)
    for place in ("#input", "#model"):
        page.focus(place)
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        assert step(page) == 0
    page.focus("#input")
    page.keyboard.type("p?")
    assert page.input_value("#input") == "I saw Jack and Jill fallp?."
    assert not page.locator("dialog[open]").count()


def test_every_step_shows_the_data_of_the_server(page, server):
    visit(page, server, SAW)
    conllu = ask(server, "/api/parse", {"text": SAW})["conllu"]
    answer = ask(server, "/api/trace", {"conllu": conllu, "model": "en-fast"})
    forms = ["ROOT", *(word["form"] for word in answer["words"])]
    there = set()
    for k, expected_step in enumerate(answer["steps"]):
        go(page, k)
        assert words(page, "stack") == [forms[word] for word in expected_step["stack"]]
        assert words(page, "buffer") == [forms[word] for word in expected_step["buffer"]]
        assert arcs(page) == sorted(there)
        assert page.locator("[data-part=moves] tbody tr").count() == len(expected_step["moves"])
        assert (
            page.locator("[data-part=moves] .is-chosen th").evaluate("cell => cell.firstChild.textContent")
            == expected_step["move"].upper()
        )
        there -= {(head, child) for head, child, _ in expected_step["removed"]}
        there |= {(head, child) for head, child, _ in expected_step["added"]}
    go(page, len(answer["steps"]))
    assert arcs(page) == tree(answer["final"]["heads"])
    assert page.locator("[data-part=moves]").inner_text() == "The parse is complete."


def test_a_repair_shows_the_removed_and_the_new_arc(page, server):
    visit(page, server, PLAN, a_step=10)
    assert (3, 5) in arcs(page)
    assert arcs(page, "is-broken") == []
    page.keyboard.press("r")
    assert (step(page), made(page)) == (11, "LEFT-ARC(nsubj): change → plan")
    assert arcs(page, "is-broken") == [(3, 5)]
    assert arcs(page, "is-made") == [(7, 5)]
    assert page.locator(".gp-cross").count() == 1
    assert page.locator("[data-part=made] .repair").is_visible()
    explanation = "admitted → plan (obj) is removed. change → plan (nsubj) is added. “plan” leaves the stack."
    assert page.locator("[data-part=explained]").inner_text() == explanation
    announced = "Step 11 of 15. LEFT-ARC(nsubj): change → plan. Repair. admitted → plan (obj) is removed."
    assert page.locator("#live").inner_text().startswith(announced)
    assert page.locator(".strip .is-repair").get_attribute("data-step") == "11"
    page.keyboard.press("ArrowRight")
    assert arcs(page, "is-broken") == []
    assert page.locator(".gp-cross").count() == 0
    assert (3, 5) not in arcs(page)


def test_given_heads_are_kept_in_every_step(page, server):
    heads = {5: "3 obj"}
    partial = conllu(*(f"{form} _ {heads.get(i, '_ _')}" for i, form in enumerate(PLAN[:-1].split(), 1)))
    visit(page, server, partial)
    kept = ask(server, "/api/parse", {"text": partial, "input": "conllu"})
    page.keyboard.press("End")
    assert arcs(page) == tree([word["head"] for word in kept["sentences"][0]["words"]])
    assert (3, 5) in arcs(page)
    with reloading(page):
        page.select_option("[data-part=who]", "system:arc-eager")
    page.keyboard.press("End")
    assert (3, 5) in arcs(page), "the oracle derives the parse with the given head"


def test_the_left_arc_of_figure_1(page, server):
    page.goto(server.url)
    page.select_option("#example", label="Honnibal et al. 2013, figure 1: Left-Arc repairs")
    expect(page.locator("[data-part=made] strong")).to_have_text("LEFT-ARC(nsubj): fall → Jack")
    assert (step(page), arcs(page, "is-broken"), arcs(page, "is-made")) == (9, [(2, 3)], [(6, 3)])
    assert "transition 4 is RIGHT-ARC(obj) instead of SHIFT" in page.locator("[data-part=banner]").inner_text()
    page.keyboard.press("End")
    assert arcs(page) == tree(FALL_HEADS)
    assert page.locator(".loss").inner_text() == "loss 0"


def test_the_reduce_of_figure_2(page, server):
    page.goto(server.url)
    page.select_option("#example", label="Honnibal et al. 2013, figure 2: Reduce repairs")
    expect(page.locator("[data-part=made]")).to_contain_text("saw → Jack")
    assert (step(page), arcs(page, "is-broken"), arcs(page, "is-made")) == (9, [], [(2, 3)])
    assert page.locator("[data-part=made] .repair").is_visible()
    page.keyboard.press("ArrowLeft")
    assert (words(page, "stack"), words(page, "buffer")) == (["saw", "Jack"], ["ROOT"])
    page.keyboard.press("End")
    assert arcs(page) == tree([2, 0, 2, 3, 3])


def test_the_oracle_of_every_system_builds_its_tree(page, server):
    visit(page, server, CROSSING, gold=1)
    assert page.locator("[data-part=who] optgroup").nth(1).locator("option").all_inner_texts() == systems.names()
    for system in systems.names():
        with reloading(page), page.expect_response("**/api/trace") as response:
            page.select_option("[data-part=who]", f"system:{system}")
        answer = response.value.json()
        assert page.locator("[data-part=count]").inner_text() == f"step 0 of {len(answer['steps'])}"
        for to in (3, len(answer["steps"]) // 2, len(answer["steps"])):
            go(page, to)
        assert arcs(page) == tree(answer["gold"])
        assert answer["lifted"] == ("are lifted" in page.locator("[data-part=key]").inner_text())
        assert arcs(page, "is-wrong") == []


def test_unknown_tags_are_shown(page, server):
    visit(page, server, FALL, a="model:en-fast")
    key = page.locator("[data-part=key]")
    assert "does not know" not in key.inner_text()
    visit(page, server, FALL.replace("VERB\t_", "VERB\tV").replace("NOUN\t_", "NOUN\tS"), a="model:en-fast")
    key.get_by_text("Tags that en-fast does not know: V.").wait_for()


def test_covingtons_lists(page, server):
    visit(page, server, CROSSING, gold=1, a="system:covington", a_step=0)
    go(page, 4)
    answer = ask(server, "/api/trace", {"conllu": CROSSING, "system": "covington"})
    expected_step = answer["steps"][4]
    forms = ["ROOT", *(word["form"] for word in answer["words"])]
    assert expected_step["lambda2"]
    assert page.locator(".list-name").all_inner_texts() == ["λ₁", "λ₂", "buffer"]
    for place, ids in (
        ("stack", expected_step["stack"]),
        ("lambda2", expected_step["lambda2"]),
        ("buffer", expected_step["buffer"]),
    ):
        assert words(page, place) == [forms[word] for word in ids]
    assert page.locator(".gp-word.at-lambda2").count() == len(expected_step["lambda2"])


def test_the_spines_of_lr_spine(page, server):
    visit(page, server, FALL, gold=1, a="system:lr-spine")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".list.stack small").all_inner_texts()
    assert any("I" in text for text in page.locator(".list.stack small").all_inner_texts())


def test_wrong_arcs_costs_and_losses(page, server):
    """The model makes errors on this sentence; they are marked with a colour and with ≠."""
    visit(page, server, FALL, gold=1, model="en-fast")
    answer = ask(server, "/api/trace", {"conllu": FALL, "model": "en-fast", "gold": True})
    page.keyboard.press("End")
    wrong = sorted({*tree(answer["final"]["heads"])} - {*tree(FALL_HEADS)})
    assert wrong
    assert arcs(page, "is-wrong") == wrong
    assert sorted(page.locator(".is-wrong .gp-label").all_text_contents()) == sorted(
        f"≠ {answer['final']['labels'][i - 1]}" for _, i in wrong
    )
    assert page.locator(".loss").inner_text() == f"loss {answer['final']['loss']}"
    costly = [
        k
        for k, expected_step in enumerate(answer["steps"])
        if any(move["chosen"] and move["cost"] for move in expected_step["moves"])
    ]
    assert [
        int(step) - 1
        for step in page.locator(".strip .is-costly").evaluate_all("steps => steps.map(step => step.dataset.step)")
    ] == costly
    go(page, costly[0])
    costs = [
        str(move["cost"]) if not move["cost"] else f"+{move['cost']}" for move in answer["steps"][costly[0]]["moves"]
    ]
    assert page.locator("[data-part=moves] .badge:is(.cost, .free)").all_inner_texts() == costs


def test_gold_arcs_are_shown_on_demand(page, server):
    visit(page, server, FALL, gold=1, a_step=0)
    assert arcs(page, "is-gold") == []
    page.get_by_label("show gold arcs").check()
    assert arcs(page, "is-gold") == tree(FALL_HEADS)
    go(page, 2)
    assert arcs(page, "is-gold") == sorted({*tree(FALL_HEADS)} - {(2, 1)})


def test_words_are_coloured_by_their_place(page, server):
    visit(page, server, SAW, a_step=6)
    places = page.locator(".stage .gp-word").evaluate_all(
        "words => words.map(word => [...word.classList].find(name => name.startsWith('at-')))"
    )
    assert places == ["at-done", "at-stack", "at-stack", "at-done", "at-buffer", "at-buffer", "at-buffer"]
    focus = page.locator(".stage .gp-word.is-focus").evaluate_all("words => words.map(word => +word.dataset.id)")
    assert focus == [3, 5]


def test_the_player_stops_at_the_end(page, server):
    page.clock.install()
    visit(page, server, SAW, a_step=10)
    stop_clock(page)
    page.select_option("[data-part=speed]", "fast")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(450)
    assert step(page) == 11
    page.clock.run_for(2000)
    assert step(page) == 13
    page.get_by_role("button", name="Play").click()
    assert step(page) == 0
    page.clock.run_for(450)
    page.keyboard.press("p")
    page.clock.run_for(2000)
    assert step(page) == 1


def test_a_right_to_left_sentence(page, server):
    page.goto(server.url)
    page.select_option("#example", label="Right-to-left text")
    expect(page.locator("[data-part=lists]")).to_have_attribute("dir", "rtl")
    go(page, 4)
    stack, buffer = page.locator(".list.stack").bounding_box(), page.locator(".list.buffer").bounding_box()
    assert stack["x"] > buffer["x"]
    centres = page.locator(".stage .gp-word .gp-form").evaluate_all(
        "forms => forms.map(form => +form.getAttribute('x'))"
    )
    assert centres == sorted(centres, reverse=True)
    visit(page, server, SAW)
    assert page.locator("[data-part=lists]").get_attribute("dir") == "ltr"


def test_long_sentences_scroll_and_the_focus_stays_in_view(page, server):
    page.goto(server.url)
    page.select_option("#example", label="A long sentence")
    page.locator("[data-part=stage] .gp-form", has_text="committee").wait_for()
    for to in (0, 40, 80, 120, 60):
        go(page, to)
        hidden = page.locator("[data-part=stage]").evaluate("""box => {
            const frame = box.getBoundingClientRect();
            return [...box.querySelectorAll('.gp-word.is-focus')].filter(word => {
                const spot = word.getBoundingClientRect();
                return spot.left < frame.left - 1 || spot.right > frame.right + 1;
            }).map(word => word.textContent);
        }""")
        assert hidden == []
        assert page.locator(".list.stack ol").evaluate("""list => {
            const top = list.lastElementChild;
            return !top || top.getBoundingClientRect().right <= list.getBoundingClientRect().right + 1;
        }""")
    assert page.locator("[data-part=stage]").evaluate("box => box.scrollWidth > box.clientWidth && box.scrollLeft > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_definition_of_a_system(page, server):
    visit(page, server, FALL, gold=1, a="system:covington-nm")
    page.get_by_role("button", name="Definition of covington-nm").click()
    dialog = page.get_by_role("dialog")
    assert "(λ₁|i, λ₂, j|β, A)" in dialog.inner_text()
    assert "NO-ARC" in dialog.inner_text()
    assert "pc-upper" in dialog.inner_text()
    page.keyboard.press("Escape")
    assert dialog.count() == 0
