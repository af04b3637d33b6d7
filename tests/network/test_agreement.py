"""The native network agrees with the PyTorch model that it was made from, within the error of 8-bit numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny import odd_sentences, sentences, settings

import gardenpath as gp
from gardenpath.models.training import training
from gardenpath.network import training as network_training
from gardenpath.network.module import Dropout, WordInputs, encode, rule_scores
from gardenpath.network.training import SLOT_DIM, NetworkTrainer, set_layers
from gardenpath.network.vocabulary import EncodedTreebank
from gardenpath.network.walk import GivenScorer
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.trace import trace_parser
from sample import TEST

SYSTEMS = ("arc-eager", "lr-spine", "covington")


class Pair:
    """A network that was trained for two epochs: in PyTorch, and native."""

    def __init__(self, system):
        trainers = []

        class Kept(NetworkTrainer):
            def __init__(self, task):
                super().__init__(task)
                trainers.append(self)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(network_training, "NetworkTrainer", Kept)
            chosen = settings(
                system=system, epochs=2, layers=2, hidden_size=32, ema_decay=0.0, learning_rate=0.005, batch_words=150,
            )
            steps = [step for step in training(sentences(150), None, chosen) if step.ended]
        (self.trainer,), self.model = trainers, steps[-1].model
        self.native = self.model.parser.scorer
        self.network, self.vocabulary = self.trainer.network, self.trainer.vocabulary
        self.given = GivenScorer(self.native.system, self.native.classes, SLOT_DIM, self.table)
        set_layers(self.given, self.network)
        self.torch_parser = Parser(self.given, True)

    def encoded(self, given):
        """Encode sentences with PyTorch. `given` are lists of words."""
        treebank = EncodedTreebank(self.vocabulary, given, targets=False)
        inputs = WordInputs(
            torch.from_numpy(treebank.lengths), torch.from_numpy(treebank.spellings),
            torch.from_numpy(treebank.form_ids[treebank.spellings]), torch.from_numpy(treebank.spelt),
            torch.from_numpy(treebank.spelt_lengths), None,
        )
        with torch.no_grad():
            return encode(self.network, inputs, Dropout(0.0))

    def rules(self, encoded, tags):
        """Return the scores of lemma rules for words with these tags, by PyTorch."""
        with torch.no_grad():
            return rule_scores(self.network, encoded, torch.from_numpy(tags.astype(np.int64))).numpy()

    def table(self, given):
        return self.encoded(given).table.numpy()


@pytest.fixture(scope="module", params=SYSTEMS)
def pair(request):
    return Pair(request.param)


@pytest.fixture
def words(pair):
    return [[gp.Word(word.id, word.form) for word in sentence] for sentence in sentences(80, TEST)]


pytestmark = pytest.mark.usefixtures("single_precision")


def relative_error(found, wanted):
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def test_tags_and_lemma_rules(pair, words):
    expected = pair.encoded(words)
    tags, probabilities, rules, *_ = pair.native.encoder.encode([[word.form for word in each] for each in words])
    chances = expected.tags.exp().numpy()
    assert (chances.argmax(1) == tags).mean() > 0.98
    assert np.abs(chances[np.arange(len(tags)), tags] - probabilities).max() < 0.05
    assert np.abs(chances[np.arange(len(tags)), tags] - probabilities).mean() < 0.005
    assert relative_error(rules, pair.rules(expected, tags)) < 0.02
    # Where the native network chooses another tag, PyTorch finds it nearly as probable.
    other = chances.argmax(1) != tags
    assert (chances.max(1)[other] - chances[np.arange(len(tags)), tags][other] < 0.1).all()


def test_products(pair, words):
    *_, vectors, scales = pair.native.encoder.encode([[word.form for word in each] for each in words])
    arrays = {name: np.asarray(array) for name, array in pair.native.arrays().items()}
    weights = arrays["network.products"] * arrays["network.products.scale"][:, None]
    found = (vectors * scales[:, None]) @ weights.T
    table = pair.table(words)
    assert relative_error(found, table[2:]) < 0.03
    assert np.array_equal(arrays["network.special"], table[:2])


def test_unusual_words(pair):
    """Unknown characters, long forms, single words: everything except empty forms."""
    given = [words for words in odd_sentences() if all(word.form for word in words)]
    expected = pair.encoded(given)
    tags, _, rules, *_ = pair.native.encoder.encode([[word.form for word in each] for each in given])
    chances = expected.tags.exp().numpy()
    assert relative_error(rules, pair.rules(expected, tags)) < 0.02
    assert (chances.max(1) - chances[np.arange(len(tags)), tags] < 0.15).all()


def test_layers_are_stored_as_they_are(pair):
    arrays = {name: np.asarray(array) for name, array in pair.native.arrays().items()}
    for name in ("labels", "slot_bias", "output", "output_bias", "special"):
        assert np.array_equal(arrays[f"network.{name}"], dict(pair.network.named_parameters())[name].detach().numpy())


def test_scores_of_transitions(pair, words):
    """Along the derivation of one network, the other one gives the transitions nearly the same probabilities."""
    differences, agreed, steps = [], 0, 0
    for sentence in words[:25]:
        for ours, theirs in zip(
            *(trace_parser(parser.with_beam(1), sentence) for parser in (pair.model.parser, pair.torch_parser)),
            strict=False,
        ):
            if ours.configuration.key() != theirs.configuration.key():
                break                            # one of the two has made another transition before
            steps += 1
            agreed += (ours.move, ours.label) == (theirs.move, theirs.label)
            if ours.score is not None and (ours.move, ours.label) == (theirs.move, theirs.label):
                differences.append(abs(np.exp(ours.score) - np.exp(theirs.score)))
    assert steps > 200
    assert agreed > 0.97 * steps
    assert max(differences) < 0.2
    assert np.mean(differences) < 0.01


@pytest.mark.parametrize("beam", [1, 4])
def test_parses_are_mostly_the_same(pair, words, beam):
    ours, theirs = (
        [
            [(word.head, word.deprel) for word in each]
            for each in parser.with_beam(beam).parse([[gp.Word(word.id, word.form) for word in each] for each in words])
        ]
        for parser in (pair.model.parser, pair.torch_parser)
    )
    arcs = [pair for both in zip(ours, theirs, strict=True) for pair in zip(*both, strict=True)]
    assert sum(a == b for a, b in arcs) > 0.9 * len(arcs)
    assert sum(a == b for a, b in zip(ours, theirs, strict=True)) > 0.7 * len(ours)
    assert len({head for (head, _), _ in arcs}) > 5


def test_lemmas_of_known_words_come_from_the_treebank(pair):
    """The most frequent lemma of a form with its tag; the network decides about other words."""
    found = {}
    for sentence in sentences(150):
        for word in sentence:
            found.setdefault((word.form, word.upos, word.xpos, word.feats), []).append(word.lemma)
    tagged = pair.model.tag(
        [gp.Sentence([gp.Word(word.id, word.form) for word in each]) for each in sentences(150)]
    )
    checked = 0
    for word in (word for sentence in tagged for word in sentence):
        lemmas = found.get((word.form, word.upos, word.xpos, word.feats))
        if lemmas:
            assert lemmas.count(word.lemma) == max(map(lemmas.count, lemmas))
            checked += 1
    assert checked > 500
