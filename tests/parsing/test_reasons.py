"""Reasons: the contributions of all inputs add up to the difference between two scores."""

import random
from itertools import islice

import pytest
from random_weights import random_parser, random_sentence

import gardenpath as gp
from gardenpath import systems
from gardenpath.errors import UsageError
from gardenpath.parsing.derivation import Course, explain
from gardenpath.parsing.guides import by_moves
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.python_scorer import PythonScorer
from gardenpath.systems.classes import Classes
from sample import DEV, trained

SENTENCES = list(islice(gp.read_conllu(DEV), 3))
# one system with each kind of optimisation: none, pairs, deep transitions, words that return to the buffer
SYSTEMS = pytest.mark.parametrize("system", ["arc-eager-unshift", "covington-nm", "lr-spine", "swap"])


def compared(model, sentence, **options):
    """Return all scored steps with their comparisons."""
    return [step for step in model.trace(sentence, reasons=True, **options) if step.reasons]


@SYSTEMS
def test_contributions_of_features_add_up_to_the_margin(system):
    rng = random.Random(7)
    for seed in range(2):
        model = random_parser(system, seed)
        steps = compared(model, random_sentence(rng, 9))
        assert steps
        for step in steps:
            for comparison in step.reasons:
                assert sum(reason.contribution for reason in comparison.reasons) == comparison.margin
                if comparison.move != step.move:
                    assert comparison.margin == step.score - step.scores[comparison.move]


@SYSTEMS
def test_a_transition_is_compared_with_all_others(system):
    """Also with its own next best label; the best other class comes first, the largest contribution first."""
    for step in compared(trained(system), SENTENCES[0]):
        moves = [comparison.move for comparison in step.reasons]
        assert set(moves) | {step.move} == set(step.scores)
        assert len(moves) == len(set(moves))
        margins = [comparison.margin for comparison in step.reasons]
        assert margins == sorted(margins)
        for comparison in step.reasons:
            sizes = [abs(reason.contribution) for reason in comparison.reasons]
            assert sizes == sorted(sizes, reverse=True)
            assert 0 not in sizes
            assert comparison.text.startswith(comparison.move.upper())
            if comparison.move == step.move:
                assert comparison.label not in (None, step.label)


def test_values_are_those_of_the_words():
    model = trained("arc-eager")
    seen = set()
    for step in compared(model, SENTENCES[1]):
        c = step.configuration
        places = {"S0": c.stack[-1] if c.stack else None, "N0": c.buffer[0]}
        for reason in (reason for comparison in step.reasons for reason in comparison.reasons):
            address, name = reason.input[:2], reason.input[2:]
            if address not in places or len(name) > 2 or " " in name:
                continue
            word = places[address]
            columns = {"w": "form", "u": "upos", "x": "xpos", "m": "feats"}
            if name in columns:
                assert reason.value == (getattr(SENTENCES[1].words[word - 1], columns[name]) if word else "ROOT")
            elif name == "vl":
                assert reason.value == str(sum(head == word > i for i, head in enumerate(c.heads, 1)))
            elif name == "sr":
                labels = {c.labels[i - 1] for i, head in enumerate(c.heads, 1) if head == word < i}
                assert reason.value == "{" + " ".join(sorted(labels)) + "}"
            else:
                continue
            assert reason.words == (word,)
            seen.add(name)
    assert {"w", "x"} <= seen


def test_a_given_transition_may_have_lost():
    model = trained("arc-eager")
    original = next(step for step in model.trace(SENTENCES[0], reasons=True) if step.reasons)
    number = 1 + next(i for i, step in enumerate(model.trace(SENTENCES[0])) if step.score is not None)
    before = [(step.move, step.label) for step in islice(model.trace(SENTENCES[0]), number - 1)]
    rival = next(comparison for comparison in original.reasons if comparison.move != original.move)
    guide = by_moves([*before, (rival.move, rival.label)])
    step = [*islice(model.trace(SENTENCES[0], guide=guide, reasons={number}), number)][-1]
    [against] = [comparison for comparison in step.reasons if comparison.move == original.move]
    assert against.margin == -rival.margin < 0


def test_only_the_wanted_steps_have_reasons():
    model = trained("arc-eager")
    every = [bool(step.reasons) for step in model.trace(SENTENCES[0], reasons=True)]
    number = every.index(True) + 1
    assert [i for i, step in enumerate(model.trace(SENTENCES[0], reasons=[number]), 1) if step.reasons] == [number]
    assert not any(step.reasons for step in model.trace(SENTENCES[0]))


def test_one_step_of_a_course():
    model = trained("arc-eager")
    steps = [*model.trace(SENTENCES[0], reasons=True)]
    for number in (2, len(steps)):
        assert explain(SENTENCES[0], Course(model), number).reasons == steps[number - 1].reasons
    assert explain(SENTENCES[0], Course(system="arc-eager"), 2).reasons == []
    with pytest.raises(UsageError, match=r"no step 1000"):
        explain(SENTENCES[0], Course(model), 1000)


def test_a_scorer_without_reasons():
    class Longest(PythonScorer):
        def score(self, words, configuration, transitions):
            return [len(name) for name, _ in transitions]

    system = systems.for_parsing("arc-eager", single_root=True)
    classes = Classes.of_trees(system, [(s.heads, [word.deprel for word in s]) for s in SENTENCES])
    steps = [*Parser(Longest(system, classes)).trace(SENTENCES[0].words, reasons=True)]
    assert not any(step.reasons for step in steps)
