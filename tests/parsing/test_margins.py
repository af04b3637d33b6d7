"""The margins of a parse equal those that a slow twin computes from its trace."""

import random
from math import inf

import pytest

import gardenpath as gp
from gardenpath import systems
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.python_scorer import PythonScorer
from gardenpath.parsing.trace import SINGLE_ROOT
from gardenpath.systems.classes import Classes
from sample import DEV

SENTENCES = list(gp.read_conllu(DEV))[:6]


class RandomScorer(PythonScorer):
    """Random scores that depend only on the sentence and the configuration. Each is a multiple of 1/4."""

    def score(self, words, configuration, transitions):
        arcs = configuration.heads, configuration.labels, configuration.stack, configuration.buffer
        rng = random.Random(repr((len(words), arcs)))
        return [rng.randint(0, 400) / 4 for _ in transitions]


class Recorder(RandomScorer):
    """Also records all scores by the text of the configuration."""

    def score(self, words, configuration, transitions):
        scores = super().score(words, configuration, transitions)
        self.records[key_of(configuration)] = dict(zip(transitions, scores, strict=True))
        return scores


def key_of(configuration):
    return repr((configuration.heads, configuration.labels, configuration.stack, configuration.buffer))


def parser_of(name, width):
    system = systems.for_parsing(name, single_root=True)
    trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in SENTENCES]
    scorer = Recorder(system, Classes.of_trees(system, trees))
    scorer.records = {}
    return Parser(scorer, width=width)


def words_of(sentence):
    return [gp.Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.feats) for word in sentence]


def in_focus(configuration, system):
    places = {f"S{i}": word for i, word in enumerate(reversed(configuration.stack))}
    places |= {f"N{i}": word for i, word in enumerate(configuration.buffer)}
    return {places[address] for address in system.pair if places.get(address, 0) > 0}


def slow_margins(parser, words):
    head, label, focus = ({word.id: inf for word in words} for _ in range(3))
    for step in parser.trace(words, policy=True):
        dependent = step.arc[1] if step.arc else None
        margin = label_margin = inf
        if step.move == SINGLE_ROOT:
            margin = label_margin = 0
        elif step.score is not None:
            scores = parser.scorer.records[key_of(step.configuration)]
            others = [score for (move, _), score in scores.items() if move != step.move]
            margin = step.score - max(others, default=-inf)
            for word in in_focus(step.configuration, parser.system):
                focus[word] = min(focus[word], margin)
            # The label of a Reduce that attaches its word is remembered, not chosen.
            if (step.move, step.label) in scores:
                rivals = [
                    score for (move, other), score in scores.items() if move == step.move and other != step.label
                ]
                label_margin = step.score - max(rivals, default=-inf)
        if dependent:
            head[dependent], label[dependent] = margin, label_margin
    return [(head[word.id], label[word.id], focus[word.id]) for word in words]


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("name", systems.names())
def test_margins_are_differences_of_scores(name, width):
    parser = parser_of(name, width)
    finite = 0
    for sentence in SENTENCES:
        words = words_of(sentence)
        margins = parser.margins([words])
        expected = slow_margins(parser, words_of(sentence))
        if parser.system.has_depths:
            # The words in focus depend on the transition.
            margins, expected = [row[:2] for row in margins], [row[:2] for row in expected]
        assert margins == expected
        finite += sum(row[0] < inf for row in margins)
    assert finite > 20


def test_greedy_margins_are_not_negative():
    parser = parser_of("arc-eager-unshift", 1)
    rows = parser.margins([words_of(sentence) for sentence in SENTENCES])
    assert len(rows) == sum(map(len, SENTENCES))
    assert min(min(row) for row in rows) >= 0


def test_a_sentence_of_one_word_has_no_alternative():
    assert parser_of("arc-eager-unshift", 1).margins([[gp.Word(1, "Yes")]]) == [(inf, inf, inf)]
