"""Replacement of words in training by others with the same tag."""

from __future__ import annotations

import numpy as np
import pytest
from tiny import sentences, settings

from gardenpath.models.training import best_of, training
from gardenpath.network import training as network_training
from gardenpath.network.replacement import CONTENT, PROBABILITY, WordReplacement, probability_for
from gardenpath.network.training import NetworkTrainer
from gardenpath.network.vocabulary import EncodedTreebank, Vocabulary


def encoded():
    few = sentences(60)
    vocabulary = Vocabulary.of(few)
    return vocabulary, EncodedTreebank(vocabulary, [sentence.words for sentence in few])


def test_words_are_replaced_by_others_with_the_same_tag():
    vocabulary, treebank = encoded()
    replace = WordReplacement(0.5, vocabulary.tags, treebank.tags)
    random = np.random.default_rng(3)
    places = np.arange(len(treebank.tags))
    content = np.array([vocabulary.tags[number][0] in CONTENT for number in treebank.tags])
    seen = np.zeros(len(places), int)
    for _ in range(200):
        shown = replace(places, random)
        assert np.array_equal(treebank.tags[shown], treebank.tags)
        assert np.array_equal(shown[~content], places[~content])
        np.add.at(seen, shown, 1)
    changed = np.mean([np.mean(replace(places, random)[content] != places[content]) for _ in range(50)])
    assert 0.3 < changed < 0.5               # a half, without words that were replaced by themselves
    assert (seen > 0).all()
    alone = np.bincount(treebank.tags)[treebank.tags] == 1
    assert np.array_equal(replace(places, random)[alone], places[alone])


def test_words_are_drawn_by_their_frequency():
    tags = [("NOUN", "_", "_"), ("DET", "_", "_")]
    numbers = np.array([0] * 10 + [1] * 5)
    replace, random = WordReplacement(1.0, tags, numbers), np.random.default_rng(1)
    drawn = np.bincount(np.concatenate([replace(np.array([0, 12]), random) for _ in range(5_000)]), minlength=15)
    assert np.abs(drawn[:10] - 500).max() < 100
    assert drawn[12] == 5_000


def tagged(features, words):
    """Return tags with this number of values in FEATS, and the number of the tag of each of some words."""
    tags = [("NOUN", "_", str(i)) for i in range(features)] + [("VERB", "_", str(i)) for i in range(features)]
    return [*tags, ("DET", "_", "_")], np.arange(words) % (2 * features + 1)


def test_words_are_replaced_less_often_in_large_treebanks():
    found = [probability_for(*tagged(20, words)) for words in (41, 10_000, 40_000, 50_000, 100_000, 1_000_000)]
    assert found[:3] == [PROBABILITY] * 3
    assert found[2:] == sorted(found[2:], reverse=True)
    assert found[-1] < 0.001


def test_words_are_replaced_if_their_tags_say_much():
    """The perplexity of the tags given UPOS is the number of values in FEATS. Other words do not count."""
    found = {features: probability_for(*tagged(features, 20 * (2 * features + 1))) for features in (1, 3, 5, 7, 10, 30)}
    assert [found[each] for each in (1, 3, 5)] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found[7] == pytest.approx(0.4 * PROBABILITY)
    assert [found[each] for each in (10, 30)] == pytest.approx([PROBABILITY] * 2)
    assert probability_for([("DET", "_", str(i)) for i in range(50)], np.arange(50)) == 0


def test_the_probability_can_be_chosen():
    vocabulary, treebank = encoded()
    for given in (0.0, 0.3, 1.0):
        assert WordReplacement(given, vocabulary.tags, treebank.tags).probability == given
    chosen = WordReplacement(None, vocabulary.tags, treebank.tags).probability
    assert chosen == probability_for(vocabulary.tags, treebank.tags)


def test_without_replacement_nothing_is_drawn():
    vocabulary, treebank = encoded()
    random = np.random.default_rng(3)
    places = np.arange(20)
    assert WordReplacement(0.0, vocabulary.tags, treebank.tags)(places, random) is places
    assert random.integers(2**60) == np.random.default_rng(3).integers(2**60)


def test_training_shows_forms_and_lemmas_of_the_same_words(monkeypatch):
    """The tags and the tree stay those of the sentence."""
    seen = []

    class Watched(NetworkTrainer):
        def _inputs(self, batch, places, random):
            seen.append([places])
            return super()._inputs(batch, places, random)

        def _loss(self, encoded, places, shown, records, dropout):
            seen[-1] += [places, shown]
            return super()._loss(encoded, places, shown, records, dropout)

    monkeypatch.setattr(network_training, "NetworkTrainer", Watched)
    best_of(training(sentences(30), None, settings(replace_words=1.0)))
    assert seen
    assert all(np.array_equal(inputs, shown) for inputs, _, shown in seen)
    assert any(not np.array_equal(places, shown) for _, places, shown in seen)
