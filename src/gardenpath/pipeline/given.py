"""The given tags of sentences: which columns of a word are given, and which tags of a model agree with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from gardenpath.core.given_tags import GivenTags
from gardenpath.formats.document import EMPTY, Sentence, Word

Columns = tuple[str | None, str | None, str | None]      # UPOS, XPOS and FEATS; None if the column is not given

UPOS, XPOS, FEATS = range(3)
NOT_GIVEN: Columns = (None, None, None)
# The columns that a tag must agree with: all of them or, if no tag does, fewer and fewer.
PREFERENCES = ((UPOS, XPOS, FEATS), (UPOS, XPOS), (UPOS, FEATS), (UPOS,), (XPOS,))
SUBSETS = [tuple(column for column in range(3) if bits >> column & 1) for bits in range(1, 8)]


class TagAgreement:
    """Compares what is given of words with the tags of a model: triples of UPOS, XPOS and FEATS."""

    def __init__(self, tags: Iterable[Sequence[str]]) -> None:
        self._tags = [tuple(tag) for tag in tags]
        self._pairs = {tag[:FEATS] for tag in self._tags}

    def is_tagged(self, sentence: Sentence, column: str) -> bool:
        """Return whether all words have tags: UPOS, and XPOS if this is the column that the parser reads."""
        needs_xpos = column != "upos"
        return all(
            (word.upos != EMPTY and (word.xpos != EMPTY or not needs_xpos)) or self._is_pair(word)
            for word in sentence.words
        )

    def columns_of(self, sentence: Sentence) -> list[Columns]:
        """Return the given columns of each word.

        FEATS `_` is given, and means that the word has no features, if the word has a tag and the sentence has features
        elsewhere. UPOS or XPOS `_` is given if the model knows the other one without it.
        """
        has_feats = any(word.raw_feats != EMPTY for word in sentence.words)
        return [self._columns_of(word, has_feats) for word in sentence.words]

    def _columns_of(self, word: Word, has_feats: bool) -> Columns:
        upos, xpos, feats = word.upos, word.xpos, word.raw_feats
        if upos == xpos == EMPTY:
            return None, None, None if feats == EMPTY else feats
        is_pair = self._is_pair(word)
        return (
            upos if upos != EMPTY or is_pair else None, xpos if xpos != EMPTY or is_pair else None,
            feats if feats != EMPTY or has_feats else None,
        )

    def _is_pair(self, word: Word) -> bool:
        """Return whether a tag of the model has the UPOS and the XPOS of a word, one of which may be empty."""
        return (word.upos, word.xpos) in self._pairs and not word.upos == word.xpos == EMPTY

    def choices(self, given: Iterable[Columns]) -> GivenTags | None:
        """Return the tags that words can get, or None if every word can get every tag."""
        found: dict[Columns, tuple[int, ...] | None] = {NOT_GIVEN: None}
        choices = []
        for columns in given:
            if columns not in found:
                found[columns] = self.agreeing(columns)
            choices.append(found[columns])
        return GivenTags(choices, len(self._tags)) if any(choices) else None

    def agreeing(self, given: Columns) -> tuple[int, ...] | None:
        """Return the numbers of the tags that agree best with what is given of a word; None if no tag agrees."""
        for preference in PREFERENCES:
            numbers = self._numbers.get(_restricted(given, preference))
            if numbers:
                return tuple(numbers)
        return None

    @cached_property
    def _numbers(self) -> dict[Columns, list[int]]:
        """The numbers of the tags with the same value in some columns, in order."""
        found: dict[Columns, list[int]] = {}
        for number, tag in enumerate(self._tags):
            for subset in SUBSETS:
                found.setdefault(_restricted(tag, subset), []).append(number)
        return found


def _restricted(columns: Sequence[str | None], subset: Sequence[int]) -> Columns:
    """Return the columns with None for those that are not in the subset."""
    upos, xpos, feats = (value if column in subset else None for column, value in enumerate(columns))
    return upos, xpos, feats
