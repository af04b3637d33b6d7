"""Parsing with random parameters gives trees, which do not depend on batches, threads or files."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest
from small import LABELS, SYSTEMS, Small

import gardenpath as gp
from gardenpath.core.stored import BadModelError
from gardenpath.errors import InputError, UsageError
from gardenpath.models.description import ModelDescription
from gardenpath.models.settings import Settings
from gardenpath.neural.building import build
from gardenpath.neural.scorer import StackLSTM
from gardenpath.parsing.given import HeadPolicy
from gardenpath.parsing.guides import by_moves
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.scorers import StoredScorer
from gardenpath.trees import find_problems, problems
from given import check_kept, give_heads


def parsed(parser, sentences, beam=1):
    return [
        [(word.head, word.deprel) for word in words]
        for words in parser.with_beam(beam).parse([list(words) for words in sentences])
    ]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("beam", [1, 4])
def test_every_parse_is_a_tree(name, single_root, beam):
    for seed in range(3):
        small = Small(name, seed, single_root=single_root, longest=14)
        for tree in parsed(small.parser, small.words, beam):
            assert not list(problems([head for head, _ in tree], single_root=single_root))


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("beam", [1, 4])
def test_given_heads_stay(name, beam):
    rng = random.Random(name)
    for seed in range(2):
        small = Small(name, seed, longest=14)
        parser = small.parser.with_beam(beam)
        for sentence in small.sentences:
            give_heads(rng, parser, sentence.words, LABELS[1:])
        given = [[(word.head, word.deprel) for word in words] for words in small.words]
        parser.parse(small.words, HeadPolicy(keep=True).arcs(parser, small.sentences))
        for words, kept in zip(small.words, given, strict=True):
            check_kept(parser, words, kept)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_beam_of_one_is_greedy_search(name):
    for seed in range(3):
        small = Small(name, seed, longest=14)
        for words, tree in zip(small.words, parsed(small.parser, small.words), strict=True):
            [(score, heads, labels)] = small.parser.kbest(words, 1)
            assert list(zip(heads, labels, strict=True)) == tree
            scores = [step.score for step in small.parser.trace(words) if step.score is not None]
            assert score == pytest.approx(sum(scores) / len(scores) if scores else 0)


def test_there_are_at_most_as_many_best_parses_as_the_beam_is_wide():
    small = Small("stay-eager")
    for width, found, k in ((1, "1 parse", 2), (4, "1 to 4 parses", 5), (1, "1 parse", 0)):
        with pytest.raises(UsageError, match=f"^a beam of width {width} finds {found}, not {k}; "):
            small.parser.with_beam(width).kbest(small.words[0], k)


@pytest.mark.parametrize("name", ["stay-eager", "swap", "arc-eager-unshift"])
def test_kbest_parses_are_sorted_and_distinct(name):
    small = Small(name, longest=14)
    for words in small.words:
        found = small.parser.with_beam(8).kbest(words, 5)
        assert 1 <= len(found) <= 5
        assert [score for score, *_ in found] == sorted((score for score, *_ in found), reverse=True)
        assert len({(*heads, *labels) for _, heads, labels in found}) == len(found)
        best = parsed(small.parser, [words], beam=8)[0]
        assert best == list(zip(*found[0][1:], strict=True))


@pytest.mark.parametrize("name", ["stay-eager", "covington", "arc-eager-nmd"])
@pytest.mark.parametrize("beam", [1, 4])
def test_a_trace_leads_to_the_parse(name, beam):
    small = Small(name, longest=14)
    parser = small.parser.with_beam(beam)
    for words in small.words:
        steps = list(parser.trace(words, policy=True))
        heads, labels = dict.fromkeys(range(1, len(words) + 1), 0), {}
        for step in steps:
            if step.arc:
                heads[step.arc[1]], labels[step.arc[1]] = step.arc[0], step.label
            if step.score is not None:
                assert step.score <= max(step.scores.values()) <= 0
        parser.parse([words])
        assert [word.head for word in words] == list(heads.values())
        assert all(word.deprel == labels[word.id] for word in words if word.head)


def test_a_parse_does_not_depend_on_the_other_sentences_of_a_batch():
    small = Small("stay-eager", longest=14, sentences=20)
    together = parsed(small.parser, small.words)
    assert together == [parsed(small.parser, [words])[0] for words in small.words]


def test_threads_share_a_parser():
    small = Small("swap", longest=14, sentences=20)
    expected = parsed(small.parser, small.words)
    fresh = Parser(StackLSTM(small.system, small.classes, small.network))
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: parsed(fresh, deepcopy(small.words)), range(8)):
            assert found == expected


def test_nothing_and_empty_sentences_are_parsed():
    small = Small("stay-eager")
    assert small.parser.parse([]) == []
    assert small.parser.parse([[]]) == [[]]


def test_lr_spine_is_an_error():
    with pytest.raises(gp.UsageError, match="cannot score lr-spine"):
        Small("lr-spine")


def settings(small, **changes):
    return Settings.of(system=small.system.name, oracle="static", scorer="stack-lstm", **changes)


def model_of(small, **changes):
    """Return a model with the parser, and with settings in its description."""
    about = ModelDescription(
        settings(small, **changes), gp.__version__, "upos", small.classes.inventories,
        sentences=1, words=1, skipped=0, lifted=0, epoch=1,
        scorer=small.scorer.record(),
    )
    return gp.Model(small.parser, about)


@pytest.mark.parametrize("encoder", ["incremental", "bilstm"])
def test_a_parser_is_saved_and_loaded(tmp_path, encoder):
    small = Small("stay-eager", encoder=encoder)
    model_of(small, encoder=encoder).save(tmp_path / "m.gp")
    loaded = gp.load(tmp_path / "m.gp").parser
    assert parsed(loaded, small.words, 4) == parsed(small.parser, small.words, 4)
    model_of(small, encoder="bilstm" if encoder == "incremental" else "incremental").save(tmp_path / "wrong.gp")
    with pytest.raises(InputError, match=r"wrong.gp: not a usable gardenpath model: the parameter "):
        gp.load(tmp_path / "wrong.gp")


def test_errors_name_wrong_arrays():
    small = Small("swap")
    arrays, record = small.parser.arrays(), small.scorer.record()

    def built(arrays, record):
        stored = StoredScorer(small.system, small.classes, settings(small).scorer, record, arrays, "upos")
        return build(stored)

    assert parsed(Parser(built(arrays, record)), small.words) == parsed(small.parser, small.words)
    for broken, name in (
        ({key: value for key, value in arrays.items() if key != "network.stack.bias"}, "stack.bias"),
        (arrays | {"network.other": arrays["network.stack.bias"]}, "other"),
        (arrays | {"network.stack.bias": arrays["network.stack.bias"][:-1]}, "stack.bias"),
        (arrays | {"network.stack.bias": arrays["network.stack.bias"].astype("f8")}, "stack.bias"),
        (arrays | {"network.stack.bias": arrays["network.stack.bias"] * np.nan}, "stack.bias .* not a finite number"),
    ):
        with pytest.raises(BadModelError, match=name):
            built(broken, record)
    with pytest.raises(BadModelError, match="symbols"):
        built(arrays, {"symbols": record["symbols"] | {"xpos": [1]}})


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("value", [3e38, -3e38])
def test_parameters_that_overflow_give_trees(value, beam):
    """The product of two of them is infinite, and the difference of two products is not a number."""
    small = Small("arc-eager", 1)
    for parameter in small.scorer.network.parameters():
        parameter.data.view(-1)[::3] = value
    for tree in parsed(small.parser, small.words, beam):
        assert not list(problems([head for head, _ in tree]))


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_guide_that_repeats_a_parse_changes_nothing(name, beam):
    small = Small(name, longest=9)
    parser = small.parser.with_beam(beam)
    for words in small.words:
        alone = list(parser.trace(words))
        led = list(parser.trace(words, guide=by_moves([(step.move, step.label) for step in alone])))
        assert [(step.text, step.arc, step.labels) for step in led] == [
            (step.text, step.arc, step.labels) for step in alone
        ]
        assert [step.score for step in led] == pytest.approx([step.score for step in alone])
        assert all(step.given for step in led)


@pytest.mark.parametrize("name", SYSTEMS)
def test_after_any_other_move_the_parser_ends_in_a_tree(name):
    small = Small(name, longest=6)
    words = max(small.words, key=len)
    steps = list(small.parser.trace(words))
    for number, step in enumerate(steps):
        for move in small.system.valid(step.configuration):
            before = [(step.move, step.label) for step in steps[:number]]
            led = list(small.parser.trace(words, policy=True, guide=by_moves([*before, (move, None)])))
            assert [step.move for step in led[: number + 1]] == [*(move for move, _ in before), move]
            heads = dict.fromkeys(range(1, len(words) + 1), 0) | {step.arc[1]: step.arc[0] for step in led if step.arc}
            assert name == "covington-nm" or not list(find_problems(list(heads.values()), single_root=True))
    with pytest.raises(UsageError, match="is not valid"):
        list(small.parser.trace(words, guide=by_moves([("nonsense", None)])))
