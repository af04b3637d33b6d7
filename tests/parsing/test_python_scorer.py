"""A scorer of our own: one that asks an oracle. It works wherever a trained scorer does."""

from copy import deepcopy
from io import BytesIO

import pytest
from starlette.testclient import TestClient

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.models.model import Model
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.python_scorer import PythonScorer
from gardenpath.systems.classes import Classes
from gardenpath.web.app import create_app
from gardenpath.web.served import Served, ServedModels
from sample import DEV, trained

SENTENCES = list(gp.read_conllu(DEV))[:15]


class OracleScorer(PythonScorer):
    """Scores a transition by its cost, and prefers gold labels: a parser that knows the gold trees."""

    def __init__(self, system, classes, sentences):
        super().__init__(system, classes)
        self.oracle = oracles.of(system, "dynamic")
        self.trees = {tuple(word.form for word in sentence): sentence for sentence in sentences}

    def score(self, words, configuration, transitions):
        gold = self.trees[tuple(word.form for word in words)]
        costs = self.oracle.costs(configuration, gold.heads)
        best = self.oracle.training(configuration, gold.heads)
        scores = []
        for name, label in transitions:
            arc = self.system.arc(configuration, name)
            is_gold = label is None or arc is None or gold.words[arc[1] - 1].deprel == label
            scores.append(-2.0 * costs[name] - (not is_gold) + 0.5 * (name in best))
        return scores


def parser_of(name, width=1):
    system = systems.for_parsing(name, single_root=True)
    trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in SENTENCES]
    return Parser(OracleScorer(system, Classes.of_trees(system, trees), SENTENCES), width=width)


def stripped(sentence):
    return [gp.Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.feats) for word in sentence.words]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("name", systems.names())
def test_it_rebuilds_the_gold_trees(name, width):
    buildable = [sentence for sentence in SENTENCES if oracles.get(name, "static").derives(sentence.heads)]
    parsed = [stripped(sentence) for sentence in buildable]
    parser_of(name, width).parse(parsed)
    assert buildable
    assert [[word.head for word in words] for words in parsed] == [sentence.heads for sentence in buildable]
    assert [[word.deprel for word in words] for words in parsed] == [[word.deprel for word in s] for s in buildable]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_scores_must_be_finite(monkeypatch, width, value):
    monkeypatch.setattr(OracleScorer, "score", lambda scorer, words, c, transitions: [value] * len(transitions))
    with pytest.raises(gp.UsageError, match=r"OracleScorer gave the score .*, which is not a finite number"):
        parser_of("arc-eager", width).parse([stripped(SENTENCES[0])])


def test_the_best_of_k_parses_is_gold():
    best, *others = parser_of("arc-eager", 4).kbest(stripped(SENTENCES[0]), 4)
    assert best[1] == SENTENCES[0].heads
    assert all(score <= best[0] for score, _, _ in others)


def test_its_trace_has_scores_and_ends_in_the_tree():
    steps = list(parser_of("arc-eager").trace(stripped(SENTENCES[0])))
    scored = [step for step in steps if step.score is not None]
    assert scored
    assert all(step.score == max(step.scores.values()) for step in scored)
    assert {step.arc[1]: step.arc[0] for step in steps if step.arc} == dict(enumerate(SENTENCES[0].heads, 1))


@pytest.fixture(scope="module")
def model():
    return Model(parser_of("arc-eager"), trained(tags="gold").about)


@pytest.fixture(scope="module")
def buildable():
    return [sentence for sentence in SENTENCES if oracles.get("arc-eager", "static").derives(sentence.heads)]


def test_a_model_with_it_is_evaluated(model, buildable):
    parsed = deepcopy(buildable)
    for word in (word for sentence in parsed for word in sentence):
        word.head, word.deprel = None, "_"
    assert gp.evaluate(gp.Document(buildable), gp.Document(model.parse(parsed))).las == 100


def test_the_page_shows_a_model_with_it(model, buildable):
    """The page draws what /api/trace returns."""
    request = {"conllu": buildable[0].to_conllu(), "model": "oracle", "gold": True}
    with TestClient(create_app(ServedModels([Served("oracle", model)])), base_url="http://localhost") as client:
        response = client.post("/api/trace", json=request)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert all(step["loss"] == 0 for step in answer["steps"])
    assert gp.read_conllu(BytesIO(answer["conllu"].encode())).__next__().heads == buildable[0].heads


@pytest.mark.parametrize("scores, message", [([], "gave 0 scores for")])
def test_a_wrong_number_of_scores_is_an_error(scores, message):
    class Wrong(OracleScorer):
        def score(self, words, configuration, transitions):
            return scores

    system = systems.for_parsing("arc-eager", single_root=True)
    classes = Classes.of_trees(system, [(s.heads, [w.deprel for w in s]) for s in SENTENCES])
    with pytest.raises(gp.UsageError, match=message):
        Parser(Wrong(system, classes, SENTENCES)).parse([stripped(SENTENCES[0])])


def test_a_scorer_without_scores_is_an_error():
    system = systems.for_parsing("arc-eager", single_root=True)
    classes = Classes.of_trees(system, [(s.heads, [w.deprel for w in s]) for s in SENTENCES])
    with pytest.raises(gp.UsageError, match="PythonScorer does not define `score`"):
        Parser(PythonScorer(system, classes)).parse([stripped(SENTENCES[0])])
