"""Vocabularies of the network: numbers for the forms, tags, features and characters of the training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gardenpath.formats.document import Sentence, Word

COLUMNS = ("form", "upos", "xpos", "feats")
CHARACTERS = "character"
UNKNOWN = 0


@dataclass(frozen=True, slots=True)
class Encoded:
    """The words of several sentences, one after the other."""

    lengths: list[int]         # by sentence
    ids: np.ndarray            # by word: a row with the numbers of its columns
    forms: list[str]           # distinct forms
    which: np.ndarray          # by word: the index of its form in `forms`


class Symbols:
    """The symbols of each column and the characters of the forms, numbered from 1. Unknown symbols are 0."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names
        self.numbers = {kind: {name: i for i, name in enumerate(names[kind], 1)} for kind in (*COLUMNS, CHARACTERS)}

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Symbols:
        """Collect the symbols of a treebank."""
        seen: dict[str, set[str]] = {kind: set() for kind in (*COLUMNS, CHARACTERS)}
        for sentence in sentences:
            for word in sentence.words:
                for column in COLUMNS:
                    seen[column].add(str(getattr(word, column)))
                seen[CHARACTERS].update(word.form)
        return cls({kind: sorted(names) for kind, names in seen.items()})

    def size(self, kind: str) -> int:
        """Return the number of symbols of a kind, including the unknown symbol."""
        return len(self.names[kind]) + 1

    def encode(self, sentences: Sequence[Sequence[Word]]) -> Encoded:
        """Return the words of sentences as numbers."""
        forms: dict[str, int] = {}
        form, upos, xpos, feats = (self.numbers[column] for column in COLUMNS)
        words = [word for sentence in sentences for word in sentence]
        ids = [
            (form.get(word.form, 0), upos.get(word.upos, 0), xpos.get(word.xpos, 0), feats.get(word.raw_feats, 0))
            for word in words
        ]
        which = [forms.setdefault(word.form, len(forms)) for word in words]
        return Encoded(
            [len(sentence) for sentence in sentences], np.array(ids, np.int64).reshape(-1, len(COLUMNS)),
            list(forms), np.array(which, np.int64),
        )

    def spell(self, forms: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the characters of each form as numbers, padded with zeros, and the lengths of the forms.

        An empty form counts as one unknown character.
        """
        numbers = self.numbers[CHARACTERS]
        lengths = np.array([max(len(form), 1) for form in forms], np.int64)
        table = np.zeros((len(forms), int(lengths.max(initial=1))), np.int64)
        for row, form in zip(table, forms, strict=True):
            row[: len(form)] = [numbers.get(character, UNKNOWN) for character in form]
        return table, lengths

    def seen_once(self, sentences: Iterable[Sentence]) -> np.ndarray:
        """Return, for the number of each form, whether the form occurs exactly once."""
        counts = Counter(word.form for sentence in sentences for word in sentence.words)
        return np.array([False, *(counts[name] == 1 for name in self.names["form"])])
