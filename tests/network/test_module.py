"""The scores, the loss and the gradients of the network in PyTorch."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

import gardenpath as gp
from gardenpath.network.module import (
    Dropout,
    NetworkModule,
    Sizes,
    WordInputs,
    decision_loss,
    decision_scores,
    encode,
    rule_scores,
    untrained,
)
from gardenpath.network.vocabulary import UNKNOWN, EncodedTreebank, Vocabulary
from gardenpath.tagging.edits import IDENTITY

pytestmark = pytest.mark.usefixtures("single_precision")

SIZES = Sizes(
    characters=0, forms=0, tags=0, parts=0, rules=0, labels=2, arc_labels=3, classes=16, slots=3, vectors=4,
    character_dim=5, character_hidden=16, word_dim=7, layers=2, hidden=16, parser_dim=6, slot_dim=16,
)
NO_DROPOUT = Dropout(0.0)
FORMS = [["the", "old", "Man", "the"], ["boats"], ["old", "boats", "man"]]


def sentences():
    found = []
    for forms in FORMS:
        words = [
            gp.Word(i, form, lemma=form.removesuffix("s").lower(), upos="DET" if form == "the" else "NOUN",
                    feats="Number=Plur" if form.endswith("s") else "Number=Sing" if form == "old" else "_")
            for i, form in enumerate(forms, 1)
        ]
        found.append(gp.Sentence(words))
    return found


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.of(sentences(), min_forms=1, min_characters=1)


@pytest.fixture(scope="module")
def network(vocabulary) -> NetworkModule:
    sizes = replace(
        SIZES, characters=len(vocabulary.characters), forms=len(vocabulary.forms), tags=len(vocabulary.tags),
        parts=vocabulary.part_count, rules=len(vocabulary.rules),
    )
    net = untrained(vocabulary, sizes, 1)
    generator = torch.Generator().manual_seed(2)
    for parameter in net.parameters():           # no parameter is zero
        parameter.data += 0.2 * torch.randn(parameter.shape, generator=generator)
    return net


@pytest.fixture(scope="module")
def inputs(vocabulary) -> WordInputs:
    treebank = EncodedTreebank(vocabulary, [sentence.words for sentence in sentences()])
    vectors = torch.randn(len(treebank.distinct), SIZES.vectors, generator=torch.Generator().manual_seed(3))
    return WordInputs(
        torch.from_numpy(treebank.lengths), torch.from_numpy(treebank.spellings),
        torch.from_numpy(treebank.form_ids[treebank.spellings]), torch.from_numpy(treebank.spelt),
        torch.from_numpy(treebank.spelt_lengths), vectors,
    )


def records(rows=12, decisions=5, words=10, seed=4):
    """Return random records of decisions, as the training walk makes them. The first decision has several rows."""
    generator = torch.Generator().manual_seed(seed)

    def draw(limit, *shape):
        return torch.randint(limit, shape, generator=generator)

    numbers = torch.cat([torch.arange(decisions), draw(decisions, rows - decisions)]).sort().values
    labels = draw(SIZES.labels + 1, rows, SIZES.slots) + (SIZES.labels + 1) * torch.arange(SIZES.slots)
    marks = draw(2, rows, SIZES.classes)
    marks[0] = 0                                                     # a row without a valid class
    for decision in range(decisions):
        marks[int((numbers == decision).nonzero()[-1]), decision : decision + 2] = 2
    return draw(words, rows, SIZES.slots), labels, numbers, marks


def direct_scores(net, table, words, labels):
    """Compute scores row by row and slot by slot."""
    size, found = SIZES.slot_dim, []
    for own_words, own_labels in zip(words.tolist(), labels.tolist(), strict=True):
        hidden = net.slot_bias
        for slot, (word, label) in enumerate(zip(own_words, own_labels, strict=True)):
            hidden = hidden + table[word, slot * size : (slot + 1) * size] + net.labels[label]
        found.append(torch.relu(hidden) @ net.output + net.output_bias)
    return torch.stack(found)


def direct_loss(scores, marks, decisions):
    total = 0.0
    for decision in sorted(set(decisions.tolist())):
        mass = {1: 0.0, 2: 0.0}
        for row in (decisions == decision).nonzero().flatten().tolist():
            for score, mark in zip(scores[row].tolist(), marks[row].tolist(), strict=True):
                if mark:
                    mass[mark] += math.exp(score)
        total += math.log(mass[1] + mass[2]) - math.log(mass[2])
    return total


def test_scores_and_loss_equal_a_direct_computation(network, inputs):
    words, labels, decisions, marks = records()
    with torch.no_grad():
        table = encode(network, inputs, NO_DROPOUT).table
        scores = decision_scores(network, table, words, labels, NO_DROPOUT)
        torch.testing.assert_close(scores, direct_scores(network, table, words, labels))
        assert len(set(decisions.tolist())) < len(decisions)
        loss = decision_loss(scores.double(), marks, decisions)
        assert float(loss) == pytest.approx(direct_loss(scores.double(), marks, decisions), rel=1e-9)


def test_one_row_per_decision_gives_the_same_as_several():
    """A decision whose other rows have no valid class has the loss of its first row."""
    *_, marks = records(6, 6)
    marks[0, 0] = 2
    scores = torch.randn(6, SIZES.classes, generator=torch.Generator().manual_seed(1)) * 20
    alone = decision_loss(scores, marks, torch.arange(6))
    doubled = decision_loss(
        scores.repeat_interleave(2, 0), torch.stack([marks, torch.zeros_like(marks)], 1).flatten(0, 1),
        torch.arange(6).repeat_interleave(2),
    )
    torch.testing.assert_close(alone, doubled)


@pytest.mark.parametrize("scale", [1.0, 300.0, 1e6])
def test_loss_and_gradients_are_finite_for_extreme_scores(scale):
    _, _, decisions, marks = records()
    for each in (decisions, torch.arange(len(decisions))):
        own = marks.clone()
        if each is not decisions:
            own[:, 0] = 2
        scores = (scale * torch.randn(own.shape, generator=torch.Generator().manual_seed(1))).requires_grad_()
        loss = decision_loss(scores, own, each)
        loss.backward()
        assert torch.isfinite(loss)
        assert loss >= 0
        assert torch.isfinite(scores.grad).all()
        assert (scores.grad[own == 0] == 0).all()


def test_the_loss_has_the_right_gradients():
    _, _, decisions, marks = records()
    scores = torch.randn(marks.shape, dtype=torch.double, generator=torch.Generator().manual_seed(1))
    assert torch.autograd.gradcheck(lambda given: decision_loss(given, marks, decisions), scores.requires_grad_())


def total_loss(net, inputs, given):
    words, labels, decisions, marks = given
    encoded = encode(net, inputs, NO_DROPOUT)
    scores = decision_scores(net, encoded.table, words, labels, NO_DROPOUT)
    targets = torch.arange(len(inputs.spellings))
    heads, arc_labels = torch.zeros_like(targets), targets % net.sizes.arc_labels
    heads[1] = 3
    return (
        net.arcs.loss(encoded.states, inputs.lengths, heads, arc_labels, NO_DROPOUT)
        + decision_loss(scores, marks, decisions) - encoded.tags[targets, targets % net.sizes.tags].sum()
        - rule_scores(net, encoded, targets % net.sizes.tags).log_softmax(1)[targets, targets % net.sizes.rules].sum()
    )


def test_gradients_equal_finite_differences(network, inputs):
    """Along random directions of each parameter. Single precision limits the accuracy."""
    given = records()
    network.zero_grad()
    total_loss(network, inputs, given).backward()
    generator = torch.Generator().manual_seed(5)
    for name, parameter in network.named_parameters():
        direction = torch.randn(parameter.shape, generator=generator)
        direction /= direction.norm()
        slope = float((parameter.grad * direction).sum())
        values = []
        with torch.no_grad():
            for step in (-2e-3, 2e-3):
                parameter += step * direction
                values.append(float(total_loss(network, inputs, given).double()))
                parameter -= step * direction
        assert (values[1] - values[0]) / 4e-3 == pytest.approx(slope, rel=0.02, abs=0.02), name
        assert parameter.grad.abs().max() > 0, name


def test_sentences_do_not_depend_on_the_batch(network, vocabulary, inputs):
    whole = encode(network, inputs, NO_DROPOUT)
    first = 0
    for number, length in enumerate(inputs.lengths.tolist()):
        words = slice(first, first + length)
        alone = encode(network, replace(
            inputs, lengths=inputs.lengths[number : number + 1], spellings=inputs.spellings[words],
            forms=inputs.forms[words],
        ), NO_DROPOUT)
        torch.testing.assert_close(alone.tags, whole.tags[words])
        torch.testing.assert_close(alone.rules, whole.rules[words])
        torch.testing.assert_close(alone.table[2:], whole.table[2:][words])
        first += length


@pytest.mark.parametrize("probability", [0.01, 0.33, 0.5, 0.9, 0.999])
def test_dropout_keeps_the_mean(probability):
    ones = torch.ones(200, 500)
    found = Dropout(probability, np.random.default_rng(1))(ones)
    assert float((found == 0).float().mean()) == pytest.approx(probability, abs=0.005)
    assert float(found.mean()) == pytest.approx(1, abs=0.1)
    assert len(found.unique()) == 2
    assert Dropout(probability)(ones) is ones
    assert Dropout(0.0, np.random.default_rng(1))(ones) is ones


def test_the_vocabulary(vocabulary):
    assert vocabulary.forms[0] == "boats"
    assert set(vocabulary.forms) == {"the", "old", "man", "boats"}
    assert vocabulary.rules[0] == IDENTITY
    assert vocabulary.spell("Möwe")[1] == UNKNOWN
    assert len(vocabulary.spell("a" * 100)) == 32
    assert vocabulary.spell("") == [UNKNOWN]
    rare = Vocabulary.of(sentences())
    assert "the" in rare.forms
    assert Vocabulary.of(sentences(), min_forms=3).forms == []


@pytest.mark.parametrize("seed", [1, 2])
def test_initial_parameters(vocabulary, network, seed):
    """They depend on the seed, and forget gates begin open."""
    first, second = (untrained(vocabulary, network.sizes, seed) for _ in range(2))
    other = untrained(vocabulary, network.sizes, seed + 10)
    for (name, mine), same, theirs in zip(
        first.named_parameters(), second.parameters(), other.parameters(), strict=True
    ):
        assert torch.equal(mine, same), name
        assert mine.dim() == 1 or not torch.equal(mine, theirs), name
    for lstm in (first.words.spelling, *first.context):
        size = lstm.hidden_size
        bias = lstm.bias_ih_l0 + lstm.bias_hh_l0
        assert (bias[size : 2 * size] == 1).all()
        assert (bias[:size] == 0).all()
        assert (bias[2 * size :] == 0).all()
