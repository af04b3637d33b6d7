"""Tags for a parser that learns: predicted by a tagger that learns beside it, or by jackknifing."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from gardenpath.features.clusters import Clusters
from gardenpath.features.encoding import Batch
from gardenpath.formats.document import Sentence
from gardenpath.tagging.settings import TaggerSettings
from gardenpath.perceptron.trainer import PerceptronTrainer
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.pipeline.writer import Writer
from gardenpath.tagging.tag_trainer import TagTrainer, jackknifed, train_tagger
from gardenpath.tagging.tagger import Tagger


class JointTagging:
    """A tagger in training, and the tags that a parser learns from meanwhile."""

    def __init__(
        self, sentences: Sequence[Sentence], settings: TaggerSettings, *, seed: int, prune: float = 0.0,
        clusters: Clusters | None = None,
    ) -> None:
        words = [sentence.words for sentence in sentences]
        self.trainer = TagTrainer(words, seed, clusters=clusters)
        self.prune = prune
        self.values: Batch | None = None      # of the tags, as the parser's features see them
        self.numbers = self.trainer.predicted
        if settings.tags == "jackknife":
            self.numbers = jackknifed(words, settings.folds, seed=seed, clusters=clusters)

    def learn(self, order: list[int], parser: PerceptronTrainer) -> None:
        """Learn from the sentences of these numbers, and give them the predicted tags as the parser's features see them."""
        self.trainer.train(order)
        if self.values is None:
            self.values = parser.scorer.encode_tags(self.trainer.tags)
        parser.retag(order, self.values, self.numbers, self.trainer.first_word)

    def freeze(self) -> Tagger:
        """The tagger as it is now."""
        return self.trainer.freeze(self.prune)


def tagged(sentences: Sequence[Sentence], tagger: Tagger) -> list[Sentence]:
    """Copies of the sentences with the tags of a tagger."""
    copies = deepcopy(list(sentences))
    tag_sentences(tagger, Writer(tagger.tags, ()), copies)
    return copies


def retagged(sentences: Sequence[Sentence], settings: TaggerSettings, seed: int) -> tuple[list[Sentence], Tagger]:
    """Copies of a treebank's sentences with tags by jackknifing, and a tagger that has learnt from all of them."""
    words = [sentence.words for sentence in sentences]
    tagger = train_tagger(words, seed=seed)
    numbers = iter(jackknifed(words, settings.folds, seed=seed))
    copies = deepcopy(list(sentences))
    for sentence in copies:
        for word, number in zip(sentence.words, numbers, strict=False):
            word.upos, word.xpos, word.feats = tagger.tags[number]
    return copies, tagger
