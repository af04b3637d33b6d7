"""Documents, sentences and words: the data that every step from text to trees reads and fills in.

Columns keep their CoNLL-U names. All columns except `id` and `head` hold the string from the file (`_` if the column
is empty), so a step leaves the columns that it does not own unchanged. Word 0 is the root; words 1..n have their
CoNLL-U ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gardenpath.formats.confidence import Confidence, with_confidence

EMPTY = "_"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


class Word:
    """A syntactic word: one line of CoNLL-U whose id is a plain number.

    `start` and `end` are the character offsets of its token in the source text, or None if they are unknown. The words
    of a multi-word token have the offsets of that token. `confidence` has probabilities from a calibrated model, or is
    None.
    """

    __slots__ = (
        "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "start", "end", "confidence",
    )

    def __init__(
        self, id: int, form: str, lemma: str = EMPTY, upos: str = EMPTY, xpos: str = EMPTY, feats: str = EMPTY,
        head: int | None = None, deprel: str = EMPTY, deps: str = EMPTY, misc: str = EMPTY,
        start: int | None = None, end: int | None = None, confidence: Confidence | None = None,
    ) -> None:
        self.id = id
        self.form = form
        self.lemma = lemma
        self.upos = upos
        self.xpos = xpos
        self.feats = feats
        self.head = head
        self.deprel = deprel
        self.deps = deps
        self.misc = misc
        self.start = start
        self.end = end
        self.confidence = confidence

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        head = EMPTY if self.head is None else str(self.head)
        tags = self.lemma, self.upos, self.xpos, self.feats
        return (str(self.id), self.form, *tags, head, self.deprel, self.deps, self.misc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.columns() == other.columns()

    __hash__ = None  # type: ignore[assignment]  # words are mutable

    def __repr__(self) -> str:
        return f"Word({self.id}, {self.form!r}, upos={self.upos}, head={self.head}, deprel={self.deprel})"


@dataclass(slots=True)
class Token:
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


def _with_confidence(node: Word | Token | EmptyNode) -> tuple[str, ...]:
    columns = node.columns()
    return (*columns[:-1], with_confidence(node.misc, node.confidence)) if isinstance(node, Word) else columns


@dataclass(slots=True)
class Sentence:
    """A sentence: comments, words, multi-word tokens (`ranges`) and empty nodes.

    `before`, `newline` and `ending` keep blank lines, CRLF and a missing last newline, so that the sentence is written
    back byte for byte. `place` is its source as `file:line`, for messages.
    """

    words: list[Word] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    ranges: list[Token] = field(default_factory=list)
    empty_nodes: list[EmptyNode] = field(default_factory=list)
    before: str = ""
    newline: str = "\n"
    ending: str = "\n\n"
    place: str = ""

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def __repr__(self) -> str:
        text = self.text or " ".join(token.form for token in self.tokens)
        return f"<Sentence of {_counted(len(self), 'word')}: {text}>"

    @property
    def heads(self) -> list[int | None]:
        """The heads of words 1..n; None where HEAD is `_`."""
        return [word.head for word in self.words]

    @property
    def tokens(self) -> list[Token | Word]:
        """The surface tokens: multi-word tokens, and the words outside them."""
        inside = {i: token for token in self.ranges for i in range(token.first, token.last + 1)}
        return [
            inside.get(word.id, word) for word in self.words
            if word.id not in inside or inside[word.id].first == word.id
        ]

    def comment(self, key: str) -> str | None:
        """Return the value of the comment `# key = value`, or None."""
        for line in self.comments:
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def sent_id(self) -> str | None:
        """The value of `# sent_id = ...`."""
        return self.comment("sent_id")

    @property
    def text(self) -> str | None:
        """The value of `# text = ...`."""
        return self.comment("text")

    @property
    def where(self) -> str:
        """The name of this sentence in messages: `file:line: sent_id=...`."""
        identity = f"sent_id={self.sent_id}" if self.sent_id else ""
        return ": ".join(part for part in (self.place, identity) if part) or "sentence"

    def nodes(self) -> Iterator[Word | Token | EmptyNode]:
        """Yield every node in file order: a range before its first word, empty nodes after the word they follow."""
        if not self.ranges and not self.empty_nodes:
            yield from self.words
            return
        ranges = {token.first: token for token in self.ranges}
        empty: dict[int, list[EmptyNode]] = {}
        for node in self.empty_nodes:
            empty.setdefault(node.after, []).append(node)
        yield from empty.get(0, ())
        for word in self.words:
            if word.id in ranges:
                yield ranges[word.id]
            yield word
            yield from empty.get(word.id, ())

    def to_conllu(self, *, confidence: bool = False) -> str:
        """Return the sentence as CoNLL-U, with the blank line after it.

        With `confidence`, MISC has the confidence of the words, where it is known.
        """
        columns = map(_with_confidence, self.nodes()) if confidence else (node.columns() for node in self.nodes())
        lines = [*self.comments, *map("\t".join, columns)]
        return self.before + self.newline.join(lines) + self.ending

    def to_dict(self) -> dict[str, Any]:
        """Return the sentence as plain values, as in JSON."""
        from gardenpath.formats.json import sentence_to_dict

        return sentence_to_dict(self)

    def to_svg(
        self, *, compact: bool = False, tags: bool = True, lemmas: bool = False, confidence: bool = False,
    ) -> str:
        """Draw the tree as SVG.

        `compact` draws right-angled arcs. `tags` and `lemmas` print UPOS and lemmas below the words. `confidence`
        marks arcs, labels and tags whose confidence is low.
        """
        from gardenpath.formats.svg import to_svg

        return to_svg([self], compact=compact, tags=tags, lemmas=lemmas, confidence=confidence)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        from gardenpath.formats.svg import to_html

        return to_html([self])

    def to_displacy(self, *, lemmas: bool = False) -> dict[str, Any]:
        """Return the tree for `displacy.render(..., manual=True)`."""
        from gardenpath.formats.displacy import to_displacy

        return to_displacy(self, lemmas=lemmas)

    def to_dot(self) -> str:
        """Return the tree in DOT, for Graphviz."""
        from gardenpath.formats.dot import to_dot

        return to_dot([self])

    def to_tikz(self) -> str:
        """Return the tree for LaTeX's tikz-dependency."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz([self])

    def to_dataframe(self, *, complete: bool = False) -> Any:
        """Return the words as a pandas data frame, or a Polars one if pandas is not installed.

        See `Document.to_dataframe`.
        """
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe([self], complete)


@dataclass(slots=True)
class Document:
    """A list of sentences."""

    sentences: list[Sentence] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __repr__(self) -> str:
        return f"<Document of {_counted(len(self), 'sentence')}, {_counted(sum(map(len, self)), 'word')}>"

    def to_conllu(self, *, confidence: bool = False) -> str:
        """Return the document as CoNLL-U; see `Sentence.to_conllu`."""
        return "".join(sentence.to_conllu(confidence=confidence) for sentence in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain values, as in JSON."""
        from gardenpath.formats.json import document_to_dict

        return document_to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """Return the document as JSON."""
        from gardenpath.formats.json import to_json

        return to_json(self, indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Document:
        """Read a document from the output of `to_json`."""
        from gardenpath.formats.json import from_json

        return from_json(text)

    def to_svg(
        self, *, compact: bool = False, tags: bool = True, lemmas: bool = False, confidence: bool = False,
    ) -> str:
        """Draw the trees below each other as one SVG; see `Sentence.to_svg`."""
        from gardenpath.formats.svg import to_svg

        return to_svg(self.sentences, compact=compact, tags=tags, lemmas=lemmas, confidence=confidence)

    def _repr_html_(self) -> str:
        from gardenpath.formats.svg import to_html

        return to_html(self.sentences)

    def to_displacy(self, *, lemmas: bool = False) -> list[dict[str, Any]]:
        """Return the trees for `displacy.render(..., manual=True)`."""
        return [sentence.to_displacy(lemmas=lemmas) for sentence in self.sentences]

    def to_dot(self) -> str:
        """Return the trees in DOT, for Graphviz: one graph with a cluster for each sentence."""
        from gardenpath.formats.dot import to_dot

        return to_dot(self.sentences)

    def to_tikz(self) -> str:
        """Return the trees for LaTeX's tikz-dependency, one after the other."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz(self.sentences)

    def to_dataframe(self, *, complete: bool = False) -> Any:
        """Return the words of all sentences as a pandas data frame, or a Polars one if pandas is not installed.

        `complete` adds rows for multi-word tokens and empty nodes.
        """
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe(self.sentences, complete)

    @classmethod
    def from_dataframe(cls, frame: Any) -> Document:
        """Read a document from a data frame with all or some of the columns of `to_dataframe`."""
        from gardenpath.formats.frame import from_dataframe

        return cls.of(from_dataframe(frame))

    def to_arrow(self, *, nested: bool = False) -> Any:
        """Return a `pyarrow.Table` with one row per word, or per sentence if `nested`."""
        from gardenpath.formats.arrow import to_arrow

        return to_arrow(self.sentences, nested=nested)

    @classmethod
    def from_arrow(cls, table: Any) -> Document:
        """Read a document from a `pyarrow.Table` with all or some of the columns of `to_arrow`."""
        from gardenpath.formats.arrow import from_arrow

        return cls.of(from_arrow(table))

    def to_parquet(self, path: str | Path, *, nested: bool = False) -> None:
        """Write a Parquet file with one row per word, or per sentence if `nested`."""
        from gardenpath.formats.arrow import write_parquet

        write_parquet(self.sentences, path, nested=nested)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Document:
        """Make a document from sentences."""
        return cls(list(sentences))
