"""Covington's parser equals a slow twin: shared scores of pairs, forced transitions, and the single-root policy."""

import random
from collections import Counter
from copy import deepcopy
from functools import cache

import pytest
from slow_trainer import SlowTrainer, is_settled, path

import gardenpath as gp
from brute import Mode, random_projective_tree, reachable_twins
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.trace import SINGLE_ROOT, trace_parser
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.systems.classes import Classes
from gardenpath.trees import is_tree
from sample import TRAIN

SYSTEMS = pytest.mark.parametrize("system", ["covington", "covington-nm"])
SETS = pytest.mark.parametrize("features", ["fernandez-gomez", "covington"])
# A small margin is soon kept, so that there are pairs with no update between them.
CHOSEN = [
    {"system": "covington", "oracle": "static", "margin": 2},
    {"system": "covington", "oracle": "dynamic", "margin": 0, "min_updates": 1},
    {"system": "covington", "prefer": "shift-first", "margin": 20},
    {"system": "covington-nm", "oracle": "static", "margin": 0, "min_updates": 1},
    {"system": "covington-nm", "oracle": "lower", "margin": 2},
    {"system": "covington-nm", "oracle": "upper", "margin": 0, "min_updates": 2, "tag": "upos"},
    {"system": "covington-nm", "oracle": "pc-upper", "lookahead": 1, "margin": 2},
    {"system": "covington-nm", "prefer": "shift-first", "margin": 20},
]


@cache
def sentences():
    """Sentences of 8 to 15 words."""
    return [sentence for sentence in gp.read_conllu(TRAIN) if 8 <= len(sentence) <= 15]


def shuffled(rng, sentence, n):
    """A sentence of n of its words in any order."""
    words = [rng.choice(sentence.words) for _ in range(n)]
    return gp.Sentence(
        [gp.Word(i, word.form, upos=word.upos, xpos=word.xpos, feats=word.feats) for i, word in enumerate(words, 1)]
    )


def scrambled(rng, sentence):
    """Return the words of a sentence with a random tree and random labels, sometimes with several roots."""
    heads = [0 if rng.random() < 0.05 else head for head in random_projective_tree(rng, len(sentence))]
    words = [gp.Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.feats) for word in sentence]
    for word, head in zip(words, heads, strict=True):
        word.head, word.deprel = head, rng.choice("abc") if head else "root"
    return gp.Sentence(words)


def both(treebank, **chosen):
    """A parser and its slow twin after the same training, of which they must give the same account."""
    settings = Settings.of(**{"epochs": 2, "tag": "xpos", "tags": "gold"} | chosen)
    *_, last = training(treebank, None, settings)
    trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in treebank]
    twin = SlowTrainer(
        [sentence.words for sentence in treebank],
        trees,
        settings,
        last.model.description["templates"],
        settings.scorer.tag,
    ).train()
    assert (last.model.description["decisions"], last.model.description["mistakes"]) == (twin.decisions, twin.mistakes)
    return last.model.parser, twin.freeze()


@cache
def from_noise(system):
    """A parser that has learnt from scrambled trees, and its twin: they build anything."""
    rng = random.Random(system)
    return both(
        [scrambled(rng, sentence) for sentence in sentences()[:14]],
        system=system,
        features="fernandez-gomez",
        margin=1,
        min_updates=1,
    )


def noise(rng, count=25):
    return [shuffled(rng, rng.choice(sentences()), rng.choice([1, 2, 3, 7, 11, 15])) for _ in range(count)]


def compare(parser, twin, sentence):
    """Move by move, with all scores; answers what the twin made of it."""
    parse = twin.parse(sentence.words)
    for step, slow in zip(trace_parser(parser, sentence.words), parse.steps, strict=True):
        assert (step.configuration.stack, step.configuration.buffer) == (
            slow.configuration.stack,
            slow.configuration.buffer,
        )
        assert (step.configuration.heads, step.configuration.labels) == (
            slow.configuration.heads,
            slow.configuration.labels,
        )
        assert step.scores == slow.scores
        assert (step.move, step.label) == (slow.move, slow.label)
    return parse


def parsed(parser, several):
    """Heads and labels, all parsed in one go; the sentences stay as they are."""
    return [
        ([word.head for word in words], [word.deprel for word in words])
        for words in parser.parse(deepcopy([sentence.words for sentence in several]))
    ]


# Scores that neighbouring pairs share.


def sharing(twin, steps):
    """Count for the left (S) and right (N) focus words whether their own features changed since their last focus.

    `afar` counts changes of a head or dependent of the word while its own arcs stayed the same.
    """
    found, before = Counter(), {}
    for step in steps:
        c = step.configuration
        for side, word in (("S", c.stack[-1]), ("N", c.buffer[0])) if step.scores else ():
            seen = [feature for feature in step.features if twin.features.places(feature[0]) == {side}]
            arcs = [
                c.heads[word - 1],
                c.labels[word - 1],
                *((child, c.labels[child - 1]) for child in c.children(word)),
            ]
            if (side, word) in before:
                found[
                    side,
                    "same" if before[side, word][0] == seen else "afar" if before[side, word][1] == arcs else "other",
                ] += 1
            before[side, word] = seen, arcs
    return found


@SETS
@pytest.mark.parametrize("chosen", CHOSEN, ids=str)
def test_parsers_that_share_scores_and_that_do_not(chosen, features):
    parser, twin = both(sentences()[:9], features=features, **chosen)
    rng, found = random.Random(str(chosen)), Counter()
    several = [*sentences()[6:13], *(shuffled(rng, rng.choice(sentences()), n) for n in (15, 2, 2, 15, 1, 13))]
    for sentence, tree in zip(several, parsed(parser, several), strict=True):
        parse = compare(parser, twin, sentence)
        assert tree == parse.with_one_root()[:2]
        found += sharing(twin, parse.steps)
    assert min(found[side, seen] for side in "SN" for seen in ("same", "other")) > 10, found
    assert found["S", "afar"] > 0, found


@SYSTEMS
@pytest.mark.parametrize(
    "lines",
    ["d", "N0p", "S0p", "S0hl\nS0vl", "S1l\nN1w", "CLp CRp\nN0vl", "S0p N0p", "S0p\nS0r'l\nS0h2p", "N0p\nN0l'l\nA0w"],
)
def test_templates_that_look_at_one_side_only(lines, system, tmp_path):
    """Then there may be nothing to keep, or nothing to find beside it."""
    (tmp_path / "few.txt").write_text(lines)
    parser, twin = both(sentences()[:5], system=system, features=tmp_path / "few.txt", margin=3, min_updates=1)
    for sentence in sentences()[4:8]:
        compare(parser, twin, sentence)


@SYSTEMS
def test_what_was_kept_of_other_sentences_is_not_used(system):
    """A parse does not depend on the other sentences of a batch, short or long."""
    parser, twin = from_noise(system)
    rng = random.Random(1)
    several = [shuffled(rng, rng.choice(sentences()), n) for n in [2, 2, 3, 3, 2, 140, 3, 2, 15, 15, 290] * 4]
    assert parsed(parser, several) == [tree for sentence in several for tree in parsed(parser, [sentence])]
    for sentence in several[:5]:
        compare(parser, twin, sentence)


@SYSTEMS
def test_that_much_is_shared_and_much_is_not(system):
    """The parsers compared here use the cached scores, and discard them for every possible reason."""
    parser, twin = from_noise(system)
    found = sum(
        (sharing(twin, compare(parser, twin, sentence).steps) for sentence in noise(random.Random(5))), Counter()
    )
    assert min(found[side, seen] for side in "SN" for seen in ("same", "other")) > 50, found
    assert found["S", "afar"] > 30, found


# Moves made unasked.


def top(heads, word):
    return path(heads, word)[-1]


def ways(twin, j):
    """The configurations in which j has just been shifted."""
    for following in map(twin.after, twin.valid()):
        yield from ways(following, j) if following.j == j else [following]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_where_nothing_matters_any_more(n):
    """Then all words up to the left focus word have a head, except the root above the right one; no arc is possible."""
    found = 0
    for twin in reachable_twins(Mode("covington"), n).values():
        if twin.is_final() or twin.j not in twin.head:
            continue
        heads = twin.heads()
        settled = is_settled(heads, twin.i, twin.j)
        assert settled is ({word for word in twin.lambda1 if heads[word - 1] == -1} <= {top(heads, twin.j)})
        if settled:
            final = twin.j == n
            assert {tuple(after.heads()) for after in ways(twin, twin.j)} == {
                tuple(max(head, 0) if final else head for head in heads)
            }
            found += twin.i > 0
    assert found > 0


def test_asking_everywhere_leads_to_the_same_trees():
    parser, twin = from_noise("covington")
    rng, skipped = random.Random(2), 0
    several = noise(rng, 40)
    for sentence, tree in zip(several, parsed(parser, several), strict=True):
        quick, thorough = twin.parse(sentence.words), twin.parse(sentence.words, asks_always=True)
        assert (quick.heads, quick.labels, quick.offers) == (thorough.heads, thorough.labels, thorough.offers)
        assert tree == thorough.with_one_root()[:2]
        skipped += sum(bool(step.scores) for step in thorough.steps) - sum(bool(step.scores) for step in quick.steps)
    assert skipped > 15


# One root in the end.


@SYSTEMS
def test_the_root_words_that_came_closest_to_an_arc_get_it(system):
    """All but the one that came least close."""
    parser, twin = from_noise(system)
    free = Parser(parser.scorer, single_root=False)
    rng, found = random.Random(3), Counter()
    several = noise(rng, 60)
    for sentence, tree, several_roots in zip(several, parsed(parser, several), parsed(free, several), strict=True):
        parse = compare(parser, twin, sentence)
        heads, labels, taken = parse.with_one_root()
        roots = [word for word, head in enumerate(parse.heads, 1) if head == 0]
        assert several_roots == (parse.heads, parse.labels)
        assert tree == (heads, labels)
        assert is_tree(heads)
        last = [step for step in trace_parser(parser, sentence.words, policy=True) if step.move == SINGLE_ROOT]
        assert [(step.arc, step.label) for step in last] == [
            ((heads[word - 1], word), labels[word - 1]) for word in roots if heads[word - 1]
        ]
        found += Counter(
            {
                "one": len(roots) == 1,
                "several": len(roots) > 1,
                "not the first": heads[roots[0] - 1] != 0,
                "taken in": taken > 0,
                "elsewhere": any(heads[word - 1] not in roots for word in roots if heads[word - 1]),
            }
        )
    assert min(found[case] for case in ("several", "not the first", "taken in", "elsewhere")) > 2, found


@SYSTEMS
def test_where_all_are_as_close_the_first_word_and_the_first_arc_win(system):
    """Without weights all transitions tie, so Shift is made, and the best rejected arc comes from the word before."""
    rules, trees = gp.systems.get(system), [([2, 0, 2], ["b", "root", "d"]), ([2, 0, 2], ["a", "root", "c"])]
    classes = Classes.of_trees(rules, trees)
    several = [shuffled(random.Random(4), sentences()[0], n) for n in range(1, 6)]
    scorer = Perceptron(rules, classes, Extractor(rules, ["S0w", "N0w", "S0w N0w"]), GrowingWeights(classes.size))
    for single_root in (True, False):
        parser = Parser(scorer, single_root)
        for sentence, (heads, labels) in zip(several, parsed(parser, several), strict=True):
            n = len(sentence)
            assert heads == ([*range(n)] if single_root else [0] * n)
            assert labels == ["root", *["c" if single_root else "root"] * (n - 1)]
