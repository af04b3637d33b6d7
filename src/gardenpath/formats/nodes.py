"""The nodes of a sentence: words, multi-word tokens and empty nodes.

Columns keep their CoNLL-U names. All columns except `id` and `head` hold the string from the file (`_` if the column
is empty), so a step leaves the columns that it does not own unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gardenpath.formats import other_names
from gardenpath.formats.confidence import Confidence
from gardenpath.formats.features import Features, column_of
from gardenpath.formats.linked import Linked
from gardenpath.formats.navigation import TreeNode
from gardenpath.formats.other_names import explains

EMPTY = "_"


@explains(other_names.WORD)
class Word(TreeNode):
    """A syntactic word: one line of CoNLL-U whose id is a plain number.

    Words are also nodes of the tree of their sentence; `TreeNode` has the properties for this, such as `children`.

    `start` and `end` are the character offsets of its token in the source text, or None if they are unknown. The words
    of a multi-word token have the offsets of that token. `confidence` has probabilities from a calibrated model, or is
    None.
    """

    __slots__ = (
        "form", "lemma", "upos", "xpos", "raw_feats", "deprel", "deps", "misc", "start", "end", "confidence",
    )

    form: str
    lemma: str
    upos: str
    xpos: str
    raw_feats: str
    deprel: str
    deps: str
    misc: str
    start: int | None
    end: int | None
    confidence: Confidence | None

    def __init__(
        self, id: int, form: str, lemma: str = EMPTY, upos: str = EMPTY, xpos: str = EMPTY,
        feats: str | Mapping[str, str | None] = EMPTY, head: int | None = None, deprel: str = EMPTY,
        deps: str = EMPTY, misc: str = EMPTY, start: int | None = None, end: int | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        self._id = id
        self.form = form
        self.lemma = lemma
        self.upos = upos
        self.xpos = xpos
        self.raw_feats = feats if type(feats) is str else column_of(feats)
        self._head = head
        self.deprel = deprel
        self.deps = deps
        self.misc = misc
        self.start = start
        self.end = end
        self.confidence = confidence

    @property
    def feats(self) -> Features:
        """FEATS as a string that is also a mapping: `word.feats["Number"]`, `word.feats.get("Case")`.

        A string or a mapping can be assigned. `raw_feats` is the same as a plain string.
        """
        return Features(self.raw_feats)

    @feats.setter
    def feats(self, feats: str | Mapping[str, str | None]) -> None:
        self.raw_feats = column_of(feats)

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        head = EMPTY if self._head is None else str(self._head)
        tags = self.lemma, self.upos, self.xpos, self.raw_feats
        return (str(self._id), self.form, *tags, head, self.deprel, self.deps, self.misc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.columns() == other.columns()

    __hash__ = None  # type: ignore[assignment]  # words are mutable

    def __repr__(self) -> str:
        return f"Word({self.id}, {self.form!r}, upos={self.upos}, head={self.head}, deprel={self.deprel})"


@explains(other_names.TOKEN)
@dataclass(slots=True)
class Token(Linked):
    """A multi-word token: the CoNLL-U range line `first-last` above its words (`3-4  don't`).

    `start` and `end` are character offsets, as in `Word`.
    """

    first: int
    last: int
    form: str
    rest: tuple[str, ...] = (EMPTY,) * 8
    start: int | None = None
    end: int | None = None

    @property
    def misc(self) -> str:
        """The MISC column."""
        return self.rest[-1]

    @property
    def word_ids(self) -> range:
        """The ids of its words."""
        return range(self.first, self.last + 1)

    @property
    def words(self) -> list[Word]:
        """Its words. The token must be part of a sentence; `Word.token` is the way back."""
        return [self.sentence.word(number) for number in self.word_ids]

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        return (f"{self.first}-{self.last}", self.form, *self.rest)


@dataclass(slots=True)
class EmptyNode:
    """An empty node of the enhanced graph. Its id is `after.index`, for example `5.1`."""

    after: int
    index: int
    form: str
    rest: tuple[str, ...] = (EMPTY,) * 8

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        return (f"{self.after}.{self.index}", self.form, *self.rest)
