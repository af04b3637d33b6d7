"""The profile of a language: the most frequent words and character trigrams of a treebank.

It tells whether a text fits a model, at little cost. Words are in lower case. A trigram may begin or end with the space
around a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gardenpath.core.stored import BadModelError, require
from gardenpath.formats.document import Sentence

WORDS = 150              # number of frequent words in a profile
TRIGRAMS = 1_000
FEWEST_WORDS = 5_000     # number of words of the smallest treebank that has a profile
CHARACTERS = 2_000       # number of characters of a text that are looked at
ENOUGH = 0.8             # a text with this share of the expected frequent words fits
DIGITS = 4
_SHAPE = {"words": [str], "trigrams": str, "word_share": float, "trigram_share": float}
_BETWEEN = re.compile(r"[\s'’\-–—/]+")
_SIGNS = "".join(map(chr, range(33, 65))) + "[\\]^_`{|}~“”‘’‚„«»‹›–—…·•।॥¿¡،؛؟。、"


@dataclass(frozen=True)
class Profile:
    """Frequent words and trigrams, and the shares of the words and trigrams of the treebank that are frequent."""

    words: frozenset[str]
    trigrams: frozenset[str]
    word_share: float
    trigram_share: float

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Profile | None:
        """Return the profile of a treebank, or None if the treebank is too small for one."""
        words = Counter(words_of(" ".join(token.form for sentence in sentences for token in sentence.tokens)))
        if words.total() < FEWEST_WORDS:
            return None
        trigrams: Counter[str] = Counter()
        for word, count in words.items():
            for trigram in trigrams_of(word):
                trigrams[trigram] += count
        frequent, shapes = _most_frequent(words, WORDS), _most_frequent(trigrams, TRIGRAMS)
        return cls(frozenset(frequent), frozenset(shapes), _share(words, frequent), _share(trigrams, shapes))

    @classmethod
    def build(cls, record: Any) -> Profile:
        """Build a profile from its record in a model file; raise `BadModelError` if it is not valid."""
        require(record, _SHAPE, "the language profile")
        words, trigrams = record["words"], record["trigrams"]
        shares = [float(record[name]) for name in ("word_share", "trigram_share")]
        is_small = len(words) <= WORDS and len(trigrams) <= 3 * TRIGRAMS
        if not is_small or len(trigrams) % 3 or not all(0 < share <= 1 for share in shares):
            raise BadModelError("the language profile is not valid")
        parts = (trigrams[place : place + 3] for place in range(0, len(trigrams), 3))
        return cls(frozenset(words), frozenset(parts), *shares)

    def record(self) -> dict[str, Any]:
        """Return the profile as plain values for a model file."""
        return {
            "words": sorted(self.words), "trigrams": "".join(sorted(self.trigrams)),
            "word_share": self.word_share, "trigram_share": self.trigram_share,
        }

    @cached_property
    def alphabet(self) -> frozenset[str]:
        """The characters of the frequent trigrams."""
        return frozenset("".join(self.trigrams))

    def clearly_fits(self, text: str) -> bool:
        """Return whether the beginning of a text has enough frequent words: a fast test, which most texts pass."""
        tokens = text[:CHARACTERS].lower().split()
        frequent = self.words
        return sum([token in frequent for token in tokens]) >= ENOUGH * self.word_share * len(tokens)

    def fit(self, words: list[str]) -> float:
        """Return how well words fit: 1 if as many of them and their trigrams are frequent as in the treebank, at most.

        It is the mean of the two shares, each relative to that of the treebank.
        """
        trigrams = [trigram for word in words for trigram in trigrams_of(word)]
        word_share = sum(word in self.words for word in words) / len(words)
        trigram_share = sum(trigram in self.trigrams for trigram in trigrams) / len(trigrams)
        return (word_share / self.word_share + trigram_share / self.trigram_share) / 2


def words_of(text: str, *, with_capitals: bool = True) -> list[str]:
    """Return the words of a text in lower case, without numbers, punctuation and addresses of the Internet.

    `with_capitals=False` leaves out words that begin with a capital, most of which are names in most languages.
    """
    tokens = (token.strip(_SIGNS) for token in _BETWEEN.split(text))
    words = (token for token in tokens if token and token[0].isalpha() and "." not in token and "@" not in token)
    return [word.lower() for word in words if with_capitals or not word[0].isupper()]


def trigrams_of(word: str) -> list[str]:
    """Return the trigrams of a word with a space on both sides."""
    spaced = f" {word} "
    return [spaced[place : place + 3] for place in range(len(word))]


def _most_frequent(counts: Counter[str], number: int) -> list[str]:
    """Return the most frequent items; of equally frequent ones, the first in the order of the alphabet."""
    return sorted(counts, key=lambda item: (-counts[item], item))[:number]


def _share(counts: Counter[str], items: list[str]) -> float:
    return round(sum(counts[item] for item in items) / counts.total(), DIGITS)
