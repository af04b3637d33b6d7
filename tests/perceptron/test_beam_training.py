"""Beam search and training with a beam equal slow twins: derivations, best parses and weights."""

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from slow_beam import SlowBeam

import gardenpath as gp
from brute import COVINGTON, SINGLE_ROOT, random_projective_tree
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.parsing.parser import Parser
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.trees import projectivise
from sample import TRAIN

TEMPLATES = """
S0wp  # arcs, labels and valencies, on the stack and in the buffer
S0p N0p d
N0w N1p
S1p S0p d
S1u N1u S2p
S0p vl vr
S1sr S0sl
S0hp S0l
S0lp S0ll
S0rp S0rl
CLp CRp
N0ll N0l2p
S1wp S1rl
S0r'l N0vl
A0p S1p S0p
"""
DENSE = 1 << 31      # in the head of a row: a weight for every class follows


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    path = tmp_path_factory.mktemp("features") / "few.txt"
    path.write_text(TEMPLATES)
    return path


@cache
def vocabulary():
    return [word for sentence in gp.read_conllu(TRAIN) for word in sentence]


def noise(rng, n, labels="ab"):
    """Any words, and a tree and labels that mean nothing."""
    words = []
    for i, (word, head) in enumerate(
        zip(rng.choices(vocabulary(), k=n), random_projective_tree(rng, n), strict=True), 1
    ):
        words.append(
            gp.Word(
                i,
                word.form,
                upos=word.upos,
                xpos=word.xpos,
                feats=word.feats,
                head=head,
                deprel=rng.choice(labels) if head else "root",
            )
        )
    return gp.Sentence(words)


def both(treebank, features, **chosen):
    """A parser and its slow twin after the same training, of which they must give the same account."""
    settings = Settings.of(**{"epochs": 2, "tag": "xpos", "features": features, "tags": "gold"} | chosen)
    *_, last = training(treebank, None, settings)
    derives = gp.oracles.of(last.model.parser.system).derives
    trees = [
        (
            sentence.heads if derives(sentence.heads) else projectivise(sentence.heads),
            [word.deprel for word in sentence],
        )
        for sentence in treebank
    ]
    twin = SlowBeam(
        [sentence.words for sentence in treebank],
        trees,
        settings,
        last.model.description["templates"],
        settings.scorer.tag,
    ).train()
    assert (last.model.description["decisions"], last.model.description["mistakes"]) == (twin.decisions, twin.mistakes)
    return last.model.parser, twin.freeze()


@cache
def from_noise(system, single_root, features):
    """A parser with weights that mean nothing, and its twin."""
    rng = random.Random(system)
    treebank = [noise(rng, rng.randint(3, 8)) for _ in range(15)]
    return both(treebank, features, system=system, single_root=single_root, margin=1, min_updates=1)


def modes(systems):
    return pytest.mark.parametrize(
        "system, single_root",
        [(system, one) for system in systems for one in (True, False) if one or system not in SINGLE_ROOT],
    )


# Searching.


@modes(
    [
        "arc-eager",
        "arc-eager-nmld",
        "arc-eager-tree",
        "arc-eager-unshift",
        "arc-standard",
        "lr-spine",
        "attardi",
        "covington",
        "covington-nm",
        "swap",
        "stay-eager",
    ]
)
def test_a_beam_that_holds_everything_finds_the_best(system, single_root, features):
    """Of all derivations there are, tried one by one.

    In Covington's systems the single-root policy depends on the derivation, so several roots are allowed there.
    """
    parser, twin = from_noise(system, single_root and system not in COVINGTON, features)
    rng = random.Random(1)
    for n in (1, 2, 2, 2) if system == "stay-eager" else (1, 2, 2, 3, 3):
        sentence = noise(rng, n)
        best, widest = {}, Counter()
        for item in twin.derivations(sentence.words):
            tree = twin.tree(item)
            best[tree] = max(best.get(tree, item.average), item.average)
            widest.update(range(len(item.path)))
        width = max(widest.values()) + 1
        parses = parser.with_beam(width).kbest(sentence.words, width)
        scores = [score for score, _, _ in parses]
        assert scores == sorted(scores, reverse=True)
        assert len(parses) == len(best)
        assert {(tuple(heads), tuple(labels)): score for score, heads, labels in parses} == {
            tree: pytest.approx(float(best[tree])) for tree in best
        }
        assert n == 1 or len(best) >= 4


def test_everything_is_more_than_a_beam_finds(features):
    """The same with beams that are too narrow: sometimes the best parse is lost on the way."""
    parser, _ = from_noise("lr-spine", True, features)
    rng, lost = random.Random(2), 0
    for _ in range(30):
        sentence = noise(rng, 6)
        bests = [parser.with_beam(width).kbest(sentence.words, 1)[0][0] for width in (2, 200)]
        assert bests[0] <= bests[1]
        lost += bests[0] < bests[1]
    assert lost > 2


def compare_parses(beam, twin, sentence, items):
    """Those that the derivations of the beam end in; answers them."""
    parses, found = twin.kbest(items), beam.kbest(sentence.words, beam.width)
    assert [(heads, labels) for _, heads, labels in found] == [(heads, labels) for _, heads, labels in parses]
    assert [score for score, _, _ in found] == pytest.approx([score for score, _, _ in parses])
    return parses


@pytest.mark.parametrize("width", [1, 2, 3, 7])
@modes(gp.systems.names())
def test_the_beam_beside_its_twin(system, single_root, width, features):
    """The best derivation move by move, and the parses that all the others end in."""
    parser, twin = from_noise(system, single_root, features)
    beam, rng, several = parser.with_beam(width), random.Random(width), 0
    for n in (1, 2, 3, 5) if width == 7 else (2, 4, 6, 7):
        sentence = noise(rng, n)
        items = twin.search(sentence.words, width)
        for step, link in zip(beam.trace(sentence.words), items[0].path, strict=True):
            assert (step.configuration.stack, step.configuration.buffer) == (link.before.stack, link.before.buffer)
            assert (step.configuration.heads, step.configuration.labels) == (link.before.heads, link.before.labels)
            assert step.move == link.choice[0]
            assert step.score == (None if link.is_forced else link.score)
            assert step.label == link.choice[1][1] or step.move == "reduce"      # this one may give a label remembered
        parses = compare_parses(beam, twin, sentence, items)
        [words] = beam.parse([sentence.words])
        assert ([word.head for word in words], [word.deprel for word in words]) == parses[0][1:]
        several += len(parses) > 1
    assert (several > 0) is (width > 1)


@pytest.mark.parametrize("system, width", [("arc-eager-nmld", 20), ("arc-eager-unshift", 12)])
def test_configurations_that_differ_in_what_they_remember(system, width, features):
    """Derivations that differ only in remembered labels or shifted words are not merged."""
    parser, twin = from_noise(system, True, features)
    rng, beam, apart = random.Random(3), parser.with_beam(width), 0
    for n in (3, 4, 5, 4, 3, 5, 4, 4, 5, 3):
        sentence = noise(rng, n)
        items = twin.search(sentence.words, width)
        compare_parses(beam, twin, sentence, items)
        apart += len({(str(item.c), str(item.c.labels)) for item in items}) < len(items)
    assert apart > 3


@pytest.mark.parametrize("system", gp.systems.names())
def test_where_all_is_as_good_the_first_moves_and_classes_win(system, features):
    """With no weights at all: the earlier derivation before the later one, the earlier move before the later one."""
    parser, twin = from_noise(system, True, features)
    scorer = Perceptron(parser.system, parser.classes, parser.scorer.extractor, GrowingWeights(parser.classes.size))
    parser = Parser(scorer, width=3)
    weights, twin.weights = twin.weights, {}
    try:
        for n in range(1, 5):
            sentence = noise(random.Random(n), n)
            items = twin.search(sentence.words, 3)
            assert [step.move for step in parser.trace(sentence.words)] == [link.choice[0] for link in items[0].path]
            assert parser.kbest(sentence.words, 3) == twin.kbest(items)
    finally:
        twin.weights = weights


# Training.


def classes_of(twin):
    """All classes in their order: by move, then by label; arcs from the root come last."""
    moves = [move.removesuffix(":k") for move in twin.system.moves if move != "unshift"]
    return [(group, label) for group in (*moves, "root") for label in twin.labels.get(group, [None])]


def rows_of(weights):
    """What frozen weights hold, feature by feature, whatever the features: classes and weights."""
    rows, place, array = [], 1, weights.rows_array
    while place < len(array):
        size = int(array[place]) % DENSE
        entries = array[place + 1 : place + 1 + size].view(np.int16)
        row = enumerate(entries) if array[place] >= DENSE else zip(entries[1::2], entries[::2], strict=True)
        rows.append(tuple(sorted((int(number), int(weight)) for number, weight in row if weight)))
        place += size + 1
    return Counter(rows)


def compare(treebank, features, **chosen):
    parser, twin = both(treebank, features, **chosen)
    numbers = {scored: number for number, scored in enumerate(classes_of(twin))}
    assert len(numbers) == parser.classes.size
    expected = Counter(
        tuple(sorted((numbers[scored], weight) for scored, weight in row.items() if weight))
        for row in twin.weights.values()
    )
    del expected[()]
    assert rows_of(parser.scorer.weights) == expected
    assert expected.total() > 50
    assert parser.width == chosen["beam"]
    return twin


@cache
def small_noise():
    """Sentences that take both kinds of arcs with both labels."""
    rng = random.Random(1)
    return [noise(rng, rng.randint(2, 7)) for _ in range(12)]


@cache
def short_sentences():
    """Real sentences of a few words."""
    return [sentence for sentence in gp.read_conllu(TRAIN) if len(sentence) < 8][:9]


@pytest.mark.parametrize("chosen", [
    {"update": "early", "margin": 0, "oracle": "static"},
    {"update": "max-violation", "margin": 100},
    {"update": "max-violation", "margin": 0, "beam_from": 2, "epochs": 3},
], ids=str)
@pytest.mark.parametrize("system", gp.systems.names())
def test_training_beside_its_twin(system, chosen, features):
    compare(small_noise(), features, system=system, beam=3, **chosen)


@pytest.mark.parametrize("chosen", [
    {"update": "early", "margin": 100, "beam": 2},
    {"update": "early", "margin": 5, "beam": 4, "epochs": 3},
    {"update": "early", "margin": 0, "beam": 4, "oracle": "nondet", "min_updates": 2},
    {"update": "max-violation", "margin": 0, "beam": 2, "single_root": False, "system": "arc-standard"},
    {"update": "max-violation", "margin": 5, "beam": 5, "oracle": "static", "seed": 3},
    {"update": "max-violation", "margin": 100, "beam": 4, "beam_from": 2, "min_updates": 3, "epochs": 3},
    {"update": "max-violation", "margin": 1, "beam": 4, "tag": "upos", "system": "arc-eager-nmd"},
    {"update": "max-violation", "margin": 0, "beam": 4, "single_root": False, "system": "stay-eager"},
    {"update": "early", "margin": 3, "beam": 4, "system": "swap"},
], ids=str)
def test_other_settings_on_real_sentences(chosen, features):
    compare(short_sentences(), features, **{"system": "arc-eager"} | chosen)


def test_a_beam_may_come_late(features):
    """Before the first epoch with a beam, training is greedy."""
    late, greedy = (
        both(small_noise(), features, min_updates=1, epochs=2, **chosen)[0]
        for chosen in ({"beam": 4, "beam_from": 3}, {})
    )
    assert rows_of(late.scorer.weights) == rows_of(greedy.scorer.weights)
    assert (late.width, greedy.width) == (4, 1)


def test_steps_report_what_is_judged_in_an_epoch(features):
    treebank, told = small_noise(), []
    settings = Settings.of(features=features, tag="xpos", beam=3, beam_from=2, epochs=3, margin=0, tags="gold")
    for step in training(treebank, None, settings):
        if step.ended:
            told.append((step.number, step.judged, step.sentences, step.total))
            assert 0 <= step.accuracy <= 100
    assert told == [(1, "decisions", 12, 12), (2, "derivations", 12, 12), (3, "derivations", 12, 12)]
