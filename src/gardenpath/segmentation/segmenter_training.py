"""Training of the segmenter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from gardenpath.core.random import shuffled
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.segmentation.decision import BINARY_CLASSES, Lesson
from gardenpath.segmentation.expansion import Expansion
from gardenpath.segmentation.expansion_rules import learn_rules, stored
from gardenpath.segmentation.gold_passages import GoldPassages
from gardenpath.segmentation.raw import SENTENCE_END, TOKEN_END, GoldText, gold_text
from gardenpath.segmentation.segmenter import EXPANSIONS, SENTENCES, TOKENS, Segmenter
from gardenpath.segmentation.sentence_ends import SentenceEnds
from gardenpath.segmentation.token_ends import ENDS, GOES_ON, TokenEnds

SEEN_OFTEN = 50  # occurrences that a rule needs
TOLERANCE = 1000  # a rule may be wrong once in this many occurrences


def train_segmenter(
    sentences: Iterable[Sentence], *, passes: int = 15, seed: int = 1, margin: int = 20, lean: int = 15,
    min_updates: int = 2, prune: float = 0.0,
) -> Segmenter:
    """Train a segmenter on a treebank. The same sentences, options and version give the same segmenter.

    Args:
        sentences: The treebank.
        passes: The number of epochs.
        seed: The seed for shuffling.
        margin: The weights are updated unless the score exceeds this margin on the gold side.
        lean: Increases the margin for sentence ends and decreases it for other places, in proportion to the share of
            sentences that end without punctuation. Without it, most ends in text without punctuation are missed.
        min_updates: The number of updates after which a feature is used.
        prune: The share of weights to remove, the smallest first.
    """
    gold = gold_text(sentences)
    if not gold.forms:
        raise InputError("there are no sentences to train a segmenter on; use a treebank that is not empty")
    if passes < 1:
        raise UsageError(f"passes must be 1 or more, not {passes}")
    training = _Training(gold, passes, seed, margin, min_updates, prune)
    token_ends, tokens = training.tokens()
    sentence_ends, ends = training.sentences(lean)
    expansion, expansions = training.expansions()
    return Segmenter(token_ends, sentence_ends, expansion, {TOKENS: tokens, SENTENCES: ends, EXPANSIONS: expansions})


class _Training:
    """Trains the parts of a segmenter."""

    def __init__(self, gold: GoldText, passes: int, seed: int, margin: int, min_updates: int, prune: float) -> None:
        self.gold = gold
        self.passages = GoldPassages(gold)
        self.passes, self.seed, self.margin, self.min_updates, self.prune = passes, seed, margin, min_updates, prune

    def tokens(self) -> tuple[TokenEnds, FrozenWeights]:
        """Train the decisions about token ends."""
        rules = _token_rules(self.passages.count_token_ends())
        token_ends = TokenEnds(
            rules, _table(self.passages.exceptions(rules)), self.passages.has_spaces_inside(),
            self.passages.keeps_addresses(),
        )
        weights = GrowingWeights(BINARY_CLASSES, self.min_updates)
        lesson = Lesson(weights, self.passages.character_ends, TOKEN_END, self.margin, self.margin)
        for order in self._orders():
            self.passages.learn_tokens(token_ends, lesson, order)
        return token_ends, self._frozen(weights, lesson.steps)

    def sentences(self, lean: int) -> tuple[SentenceEnds, FrozenWeights]:
        """Train the decisions about sentence ends."""
        sentence_ends = SentenceEnds(_sentence_rules(self.passages.count_sentence_ends()))
        weights = GrowingWeights(BINARY_CLASSES, self.min_updates)
        lean = round(lean * self._unmarked())
        lesson = Lesson(weights, self.passages.token_ends, SENTENCE_END, self.margin + lean, self.margin - lean)
        for order in self._orders():
            self.passages.learn_sentences(sentence_ends, lesson, order)
        return sentence_ends, self._frozen(weights, lesson.steps)

    def expansions(self) -> tuple[Expansion, FrozenWeights]:
        """Train the choice among expansion rules."""
        multiword = [i for i, words in enumerate(self.gold.words) if len(words) > 1]
        rules, chosen = learn_rules([(self.gold.forms[i], self.gold.words[i]) for i in multiword])
        numbers = np.zeros(len(self.gold.words), dtype=np.int32)
        numbers[multiword] = chosen
        expansion = Expansion([stored(rule) for rule in rules], self.passages.endings(numbers))
        weights = GrowingWeights(len(rules) + 1, self.min_updates)
        steps = 0
        for order in self._orders() if rules else ():
            steps = self.passages.learn_expansions(expansion, weights, numbers, order, self.margin, steps)
        return expansion, self._frozen(weights, steps)

    def _unmarked(self) -> float:
        """Return the share of sentences that end without punctuation."""
        last = [self.gold.forms[i][-1] for i in np.flatnonzero(self.passages.token_ends == SENTENCE_END)]
        return sum(map(str.isalnum, last)) / len(last)

    def _orders(self) -> Iterator[NDArray[np.int32]]:
        for number in range(self.passes):
            yield np.array(shuffled(len(self.passages), self.seed, number), dtype=np.int32)

    def _frozen(self, weights: GrowingWeights, steps: int) -> FrozenWeights:
        return weights.freeze(max(steps, 1), self.prune)


def _token_rules(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the rules for pairs of kinds between which a token always, or nearly always, continues or ends."""
    total = counts.sum(axis=3)
    rules = np.zeros(total.shape, dtype=np.uint8)
    rules[(total >= SEEN_OFTEN) & (counts[..., 1] * TOLERANCE <= total)] = GOES_ON
    rules[(total >= SEEN_OFTEN) & (counts[..., 0] * TOLERANCE <= total)] = ENDS
    return rules


def _sentence_rules(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Mark the pairs of kinds between which a sentence never, or hardly ever, ends."""
    total = counts.sum(axis=3)
    return ((total >= SEEN_OFTEN) & (counts[..., 1] * TOLERANCE <= total)).astype(np.uint8)


def _table(keys: list[int]) -> NDArray[np.uint64]:
    """Return the keys as an open-addressing table, at most half full."""
    mask = (1 << (2 * len(keys)).bit_length()) - 1
    table = np.zeros(mask + 1, dtype=np.uint64)
    for key in keys:
        place = key & mask
        while table[place]:
            place = (place + 1) & mask
        table[place] = key
    return table
