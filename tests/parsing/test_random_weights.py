"""With any weights, parsing ends within the proved number of transitions, in one tree with known labels."""

import random
import re

import pytest
from random_weights import random_parser, random_sentence

import gardenpath as gp
from brute import COVINGTON, REORDERING, ROOT_FIRST, SINGLE_ROOT, Mode
from gardenpath.parsing.trace import trace_parser
from gardenpath.trees import is_projective, is_tree

pytestmark = pytest.mark.parametrize("system", gp.systems.names())


def check(sentence, parser, single_root=True):
    assert is_tree(sentence.heads, single_root=single_root), sentence
    assert is_projective(sentence.heads) or not Mode(parser.system.name).projective, sentence
    for word in sentence:
        assert word.deprel in parser.classes.labels
        assert (word.deprel == "root") is (word.head == 0)


@pytest.mark.parametrize("size", [400, pytest.param(2_000, marks=pytest.mark.long)])
def test_thousands_of_sentences(system, size):
    rng = random.Random(system)
    roots, crossing = set(), 0
    for seed in range(5):
        model = random_parser(system, seed)
        sentences = [random_sentence(rng, rng.randint(1, 30)) for _ in range(size)]
        for sentence in model.parse(sentences):
            check(sentence, model.parser)
            roots.add(sentence.heads.index(0))
            crossing += not is_projective(sentence.heads)
    assert len(roots) > 10
    assert (crossing > 0.1 * size) is (not Mode(system).projective)


def test_several_roots_where_they_are_allowed(system):
    rng, most = random.Random(system), 0
    for seed in range(2):
        model = random_parser(system, seed, single_root=False)
        for sentence in model.parse([random_sentence(rng, rng.randint(1, 30)) for _ in range(500)]):
            check(sentence, model.parser, single_root=False)
            most = max(most, sentence.heads.count(0))
    assert (most > 1) is (system not in SINGLE_ROOT)


def test_the_scores_are_random_indeed(system):
    """Other weights, other trees; and every kind of move is made, repairs too."""
    rng = random.Random(1)
    sentences = [random_sentence(rng, 12) for _ in range(100)]
    first, second = (
        [sentence.heads[:] for sentence in random_parser(system, seed).parse(sentences)] for seed in (0, 1)
    )
    assert sum(a != b for a, b in zip(first, second, strict=True)) > 50
    steps = [
        step
        for seed in range(3)
        for sentence in sentences
        for step in trace_parser(random_parser(system, seed).parser, sentence.words)
    ]
    made = {step.move for step in steps}
    assert system != "lr-spine" or {f"{side}-arc:{k}" for side in ("left", "right") for k in range(1, 6)} < made
    assert {re.sub(r":\d+", ":k", move) if system == "lr-spine" else move for move in made} == set(
        random_parser(system, 0).parser.system.moves
    )
    assert any(step.repair for step in steps) is (system not in ("arc-eager", "covington", "swap", *ROOT_FIRST))


def test_the_bound_on_moves_is_kept(system):
    rng = random.Random(2)
    for seed in range(3):
        parser = random_parser(system, seed).parser
        for n in [1, 2, 3, *(rng.randint(1, 40) for _ in range(100))]:
            moves = len(list(trace_parser(parser, random_sentence(rng, n).words)))
            fewest, most = Mode(system).lengths(n)
            assert fewest <= moves <= most == parser.system.most_moves(n)


def test_five_thousand_words(system):
    """And five hundred where pairs of words are looked at, or may change places."""
    rng, many = random.Random(3), 500 if system in COVINGTON + REORDERING else 5000
    for seed in range(2):
        model = random_parser(system, seed)
        short, long, other = (random_sentence(rng, n) for n in (3, many, 3))
        for sentence in model.parse([short, long, other]):
            check(sentence, model.parser)
