"""Predicted tags for training a parser: from a tagger that is trained jointly, or by jackknifing."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from gardenpath.features.clusters import Clusters
from gardenpath.features.encoding import Batch
from gardenpath.formats.document import Sentence
from gardenpath.perceptron.trainer import PerceptronTrainer
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.pipeline.writer import Writer
from gardenpath.tagging.settings import TaggerSettings
from gardenpath.tagging.tag_trainer import TagTrainer, jackknifed, train_tagger
from gardenpath.tagging.tagger import Tagger


class JointTagging:
    """A tagger in training, and the predicted tags that a parser is trained on."""

    def __init__(
        self, sentences: Sequence[Sentence], settings: TaggerSettings, *, seed: int, prune: float = 0.0,
        clusters: Clusters | None = None,
    ) -> None:
        words = [sentence.words for sentence in sentences]
        self.trainer = TagTrainer(words, seed, clusters=clusters)
        self.prune = prune
        self.values: Batch | None = None      # the encoded tags, for the parser's features
        self.numbers = self.trainer.predicted
        if settings.tags == "jackknife":
            self.numbers = jackknifed(words, settings.folds, seed=seed, clusters=clusters)

    def learn(self, order: list[int], parser: PerceptronTrainer) -> None:
        """Train the tagger on the sentences with these numbers, and pass the predicted tags to the parser."""
        self.trainer.train(order)
        if self.values is None:
            self.values = parser.scorer.encode_tags(self.trainer.tags)
        parser.retag(order, self.values, self.numbers, self.trainer.first_word)

    def freeze(self) -> Tagger:
        """Return the tagger in its current state."""
        return self.trainer.freeze(self.prune)


def tagged(sentences: Sequence[Sentence], tagger: Tagger) -> list[Sentence]:
    """Return copies of the sentences, tagged by a tagger."""
    copies = deepcopy(list(sentences))
    tag_sentences(tagger, Writer(tagger.tags, ()), copies)
    return copies


def retagged(sentences: Sequence[Sentence], settings: TaggerSettings, seed: int) -> tuple[list[Sentence], Tagger]:
    """Return copies of sentences with jackknifed tags, and a tagger trained on all of the sentences."""
    words = [sentence.words for sentence in sentences]
    tagger = train_tagger(words, seed=seed)
    numbers = iter(jackknifed(words, settings.folds, seed=seed))
    copies = deepcopy(list(sentences))
    for sentence in copies:
        for word, number in zip(sentence.words, numbers, strict=False):
            word.upos, word.xpos, word.raw_feats = tagger.tags[number]
    return copies, tagger
