"""Replacement of words in training by others with the same tag."""

from __future__ import annotations

import numpy as np
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


def test_words_are_replaced_less_often_in_large_treebanks():
    found = [probability_for(words) for words in (0, 10, 10_000, 40_000, 50_000, 100_000, 1_000_000)]
    assert found[:4] == [PROBABILITY] * 4
    assert found[3:] == sorted(found[3:], reverse=True)
    assert found[-1] < 0.001


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
