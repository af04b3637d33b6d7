"""/api/trace: the derivations that the page shows."""

import json
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from copy import deepcopy

import pytest

import gardenpath as gp
from gardenpath.parsing.derivation import Course, derive
from gardenpath.web.trace_schemas import ReasonsResponse, TraceResponse
from sample import TEST
from web.serving import PLAN

pytestmark = pytest.mark.xdist_group("server")

JACK = "I saw Jack and Jill fall."


def post(server, path="/api/trace", **request):
    content = json.dumps(request).encode()
    asked = urllib.request.Request(server.url + path, content, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return answer.read().decode()


def trace(server, **request):
    answer = json.loads(post(server, **request))
    TraceResponse.model_validate(answer)
    return answer


def refused(server, **request):
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, **request)
    assert caught.value.code == 400
    return json.loads(caught.value.read())["error"]


@pytest.fixture
def server(fast_server):
    return fast_server


@pytest.fixture(scope="module")
def plan():
    return gp.load("en-fast")(PLAN).sentences[0]


@pytest.fixture(scope="module")
def jack():
    return gp.load("en-fast")(JACK).sentences[0]


def replayed(answer):
    """Return the arcs after applying the changes of all steps."""
    arcs = set()
    for step in answer["steps"]:
        removed, added = (set(map(tuple, step[name])) for name in ("removed", "added"))
        assert removed <= arcs
        arcs = arcs - removed | added
    return arcs


def test_the_derivation_of_the_parser(server, jack):
    answer = trace(server, conllu=jack.to_conllu(), gold=True)
    steps = list(gp.load("en-fast").trace(jack))
    assert (answer["model"], answer["system"], answer["oracle"], answer["text"]) == (
        "en-fast", "arc-eager-unshift", None, JACK,
    )
    assert [word["form"] for word in answer["words"]] == ["I", "saw", "Jack", "and", "Jill", "fall", "."]
    assert [(step["text"], step["stack"], step["buffer"], step["score"]) for step in answer["steps"]] == [
        (step.text, step.configuration.stack, step.configuration.buffer, step.score) for step in steps
    ]
    assert replayed(answer) == {(word.head, word.id, word.deprel) for word in jack}
    assert answer["conllu"] == jack.to_conllu()
    assert answer["final"]["heads"] == answer["gold"] == jack.heads
    assert [step["loss"] for step in answer["steps"]] == [0] * len(steps)
    assert answer["final"]["loss"] == 0


def test_a_repair_removes_an_arc_and_adds_one(server, plan):
    repair, = (step for step in trace(server, conllu=plan.to_conllu())["steps"] if step["repair"])
    assert (repair["removed"], repair["added"]) == ([[3, 5, "obj"]], [[7, 5, "nsubj"]])


def test_valid_transitions_have_arcs_scores_and_costs(server, jack):
    for step in trace(server, conllu=jack.to_conllu(), gold=True)["steps"]:
        chosen, = (move for move in step["moves"] if move["chosen"])
        assert [chosen[name] for name in ("move", "label", "arc", "repair", "score")] == [
            step[name] for name in ("move", "label", "arc", "repair", "score")
        ]
        scores = [move["score"] for move in step["moves"]]
        assert scores == [None] * len(scores) or scores == sorted(scores, reverse=True)
        assert all(isinstance(move["cost"], int) for move in step["moves"])


@pytest.mark.parametrize("system", gp.systems.names())
def test_the_oracle_of_every_system(server, system):
    sentence = next(gp.read_conllu(TEST))
    for oracle in ("static", "dynamic"):
        answer = trace(server, conllu=sentence.to_conllu(), system=system, oracle=oracle, gold=True)
        assert (answer["model"], answer["system"], answer["oracle"]) == (None, system, oracle)
        assert {(head, child) for head, child, _ in replayed(answer)} >= {
            (head, child) for child, head in enumerate(answer["gold"], 1) if head
        }
        assert answer["lifted"] or answer["final"]["heads"] == sentence.heads
        assert all(step["lambda2"] is not None for step in answer["steps"]) == system.startswith("covington")
        assert all(step["spines"] is not None for step in answer["steps"]) == (system == "lr-spine")


def test_the_picture_has_every_arc_of_every_step_and_of_gold(server, jack):
    wrong = gp.Sentence(
        [gp.Word(w.id, w.form, w.lemma, w.upos, w.xpos, w.feats, 2 if w.id != 2 else 0, "dep") for w in jack]
    )
    answer = trace(server, conllu=wrong.to_conllu(), gold=True)
    picture = ElementTree.fromstring(answer["svg"])
    drawn = {
        (int(element.get("data-head")), int(element.get("data-dependent")))
        for element in picture.iter()
        if "gp-arc" in element.get("class", "").split()
    }
    made = {(head, child) for step in answer["steps"] for head, child, _ in step["added"]}
    assert drawn == made | {(word.head, word.id) for word in wrong}
    assert (
        answer["final"]["loss"]
        == sum(one != two for one, two in zip(answer["final"]["heads"], wrong.heads, strict=True))
        > 0
    )


def test_what_if_and_the_parser_continues(server, plan):
    before = trace(server, conllu=plan.to_conllu())["steps"][:10]
    moves = [{"move": step["move"], "label": step["label"]} for step in before]
    answer = trace(server, conllu=plan.to_conllu(), moves=[*moves, {"move": "reduce"}], gold=True)
    expected = derive(
        plan, Course(gp.load("en-fast"), given=[*((move["move"], move["label"]) for move in moves), ("reduce", None)])
    )
    assert [step["text"] for step in answer["steps"]] == [step.text for step in expected.steps]
    assert [step["given"] for step in answer["steps"]] == [i < 11 for i in range(len(answer["steps"]))]
    assert not any(step["repair"] for step in answer["steps"])
    wrong = sum(one != two for one, two in zip(answer["final"]["heads"], plan.heads, strict=True))
    assert answer["final"]["loss"] == wrong > 0


def test_given_heads_are_kept(server, plan):
    partial = deepcopy(plan)
    for word in partial:
        word.head, word.deprel = (3, "obj") if word.id == 5 else (None, "_")
    kept, ignored = (trace(server, conllu=partial.to_conllu(), keep_heads=keep) for keep in (None, False))
    assert kept["final"]["heads"][4] == 3
    assert ignored["final"]["heads"] == plan.heads
    offered = [move["arc"] for step in kept["steps"] for move in step["moves"] if move["arc"]]
    assert {head for head, dependent in offered if dependent == 5} == {3}


def test_what_if_and_the_oracle_continues(server, jack):
    answer = trace(
        server, conllu=jack.to_conllu(), moves=[{"move": "shift"}, {"move": "shift"}], then="oracle", gold=True
    )
    assert answer["oracle"] == "dynamic"
    assert answer["final"]["loss"] == 0
    assert [step["text"] for step in answer["steps"] if step["repair"]] == ["UNSHIFT"]


def test_the_latex_table(server, plan):
    latex = post(server, "/api/trace.tex", conllu=plan.to_conllu())
    assert latex.startswith(f"% {PLAN}\n")
    row = r"11 & admitted plan & change . & \textsc{left-arc} (nsubj)* & change $\rightarrow$ plan \\"
    assert row in latex


def test_right_to_left(server):
    hebrew = "1\tהכלב\t_\tNOUN\tNOUN\t_\t2\tnsubj\t_\t_\n2\tנבח\t_\tVERB\tVERB\t_\t0\troot\t_\t_\n\n"
    assert trace(server, conllu=hebrew, system="swap")["right_to_left"] is True


def test_errors_say_what_is_wrong_and_how_to_fix_it(server, jack):
    text = jack.to_conllu()
    assert "no sentences" in refused(server, conllu="")
    assert refused(server, conllu="nonsense").startswith("conllu:1: 1 column instead of 10")
    assert "'flip' is not valid" in refused(server, conllu=text, moves=[{"move": "flip"}])
    assert "no system is called 'x'; there are arc-eager" in refused(server, conllu=text, system="x")
    assert "has no oracle called 'x'" in refused(server, conllu=text, system="swap", oracle="x")
    assert "has no oracle called ''" in refused(server, conllu=text, system="swap", oracle="")
    assert "exact oracle" in refused(server, conllu=text, system="swap", oracle="exact")
    assert "'x' does not exist; available models: en-fast, sample" in refused(server, conllu=text, model="x")
    assert "uses the system arc-eager-unshift, not swap" in refused(server, conllu=text, model="en-fast", system="swap")
    assert "words 1 and 2 form a cycle" in refused(server, conllu=text.replace("\t0\troot", "\t1\troot"), gold=True)
    assert "then" in refused(server, conllu=text, then="nobody")
    long = gp.Sentence([gp.Word(i, "word", upos="NOUN", xpos="NN") for i in range(1, 202)])
    message = "the sentence has 201 words, but the server traces at most 200 words (option --max-traced-words)"
    assert message in refused(server, conllu=long.to_conllu())


def test_an_oracle_needs_a_tree(server, jack):
    bare = gp.Sentence([gp.Word(w.id, w.form, w.lemma, w.upos, w.xpos) for w in jack])
    assert "HEAD" in refused(server, conllu=bare.to_conllu(), system="swap")
    assert trace(server, conllu=bare.to_conllu())["final"]["heads"]


def reasons(server, **request):
    answer = json.loads(post(server, "/api/reasons", **request))
    ReasonsResponse.model_validate(answer)
    return answer


def test_reasons_are_those_of_python(server, plan):
    steps = [*gp.load("en-fast").trace(plan, reasons={8})]
    answer = reasons(server, conllu=plan.to_conllu(), step=8)
    assert (answer["step"], answer["text"]) == (8, steps[7].text)
    assert [each["text"] for each in answer["comparisons"]] == [each.text for each in steps[7].reasons]
    for found, expected in zip(answer["comparisons"], steps[7].reasons, strict=True):
        assert found["margin"] == expected.margin == sum(each["contribution"] for each in found["reasons"])
        first, best = found["reasons"][0], expected.reasons[0]
        assert (first["input"], first["value"], tuple(first["words"])) == (best.input, best.value, best.words)


def test_reasons_follow_what_ifs_and_tags(server, plan):
    moves = [{"move": step.move, "label": step.label} for step in gp.load("en-fast").trace(plan)][:10]
    after = reasons(server, conllu=plan.to_conllu(), moves=[*moves, {"move": "reduce"}], step=11)
    assert (after["text"], after["comparisons"][0]["margin"] < 0) == ("REDUCE", True)
    tagged = plan.to_conllu().replace("plan\tplan\tNOUN\tNN", "plan\tplan\tVERB\tVB")
    values = [each["value"] for each in reasons(server, conllu=tagged, step=8)["comparisons"][0]["reasons"]]
    assert any("VB" in value.split(", ") for value in values)


def test_steps_without_reasons(server, plan):
    assert reasons(server, conllu=plan.to_conllu(), step=1)["comparisons"] == [], "only one transition is valid"
    assert reasons(server, conllu=plan.to_conllu(), system="arc-eager", step=3)["comparisons"] == []
    assert "has no step 999" in refused(server, path="/api/reasons", conllu=plan.to_conllu(), step=999)
