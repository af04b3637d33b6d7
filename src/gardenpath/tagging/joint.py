"""Predicted tags for training a parser: from a tagger that is trained jointly, or by jackknifing."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from gardenpath.features.clusters import Clusters
from gardenpath.features.encoding import Batch
from gardenpath.formats.document import Sentence
from gardenpath.models.settings import Settings
from gardenpath.perceptron.trainer import Trainer
from gardenpath.pipeline.parsing import tag_words
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.pipeline.writer import Writer
from gardenpath.tagging.tag_trainer import TagTrainer, jackknifed, train_tagger
from gardenpath.tagging.tagger import Tagger


class Tagging:
    """A tagger in training, and the predicted tags that a parser is trained on."""

    def __init__(self, sentences: Sequence[Sentence], settings: Settings, clusters: Clusters | None) -> None:
        words = [sentence.words for sentence in sentences]
        self.trainer = TagTrainer(words, settings.seed, clusters=clusters)
        self.prune = settings.prune
        self.values: Batch | None = None      # the encoded tags, for the parser's features
        self.numbers = self.trainer.predicted
        if settings.tags == "jackknife":
            self.numbers = jackknifed(words, settings.folds, seed=settings.seed, clusters=clusters)

    def learn(self, order: list[int], parser: Trainer) -> None:
        """Train the tagger on the sentences with these numbers, and pass the predicted tags to the parser."""
        self.trainer.train(order)
        if self.values is None:
            self.values = parser.parser.encoder.encode([tag_words(self.trainer.tags)])
        parser.retag(order, self.values, self.numbers, self.trainer.first_word)

    def freeze(self) -> Tagger:
        """Return the tagger in its current state."""
        return self.trainer.freeze(self.prune)


def tagged(sentences: Sequence[Sentence], tagger: Tagger) -> list[Sentence]:
    """Return copies of the sentences, tagged by a tagger."""
    copies = deepcopy(list(sentences))
    tag_sentences(tagger, Writer(tagger.tags, ()), copies)
    return copies


def retagged(sentences: Sequence[Sentence], settings: Settings) -> tuple[list[Sentence], Tagger]:
    """Return copies of sentences with jackknifed tags, and a tagger trained on all of the sentences."""
    words = [sentence.words for sentence in sentences]
    tagger = train_tagger(words, seed=settings.seed, prune=settings.prune)
    numbers = iter(jackknifed(words, settings.folds, seed=settings.seed))
    copies = deepcopy(list(sentences))
    for sentence in copies:
        for word, number in zip(sentence.words, numbers, strict=False):
            word.upos, word.xpos, word.feats = tagger.tags[number]
    return copies, tagger
