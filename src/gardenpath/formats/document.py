"""What travels the whole way from text to trees: documents of sentences of words.

Columns keep their CoNLL-U names. Every column but `id` and `head` is the string as it stands in the file (`_` where it is empty), so that what a step
does not touch leaves as it came. Word 0 is the root; words 1..n are the CoNLL-U ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EMPTY = "_"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


class Word:
    """A syntactic word: one line of CoNLL-U whose id is a plain number.

    `start` and `end` say where its token stands in the text that it was read from, in characters, if that is known; the words of a multiword token have its.
    """

    __slots__ = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "start", "end")

    def __init__(
        self, id: int, form: str, lemma: str = EMPTY, upos: str = EMPTY, xpos: str = EMPTY, feats: str = EMPTY,
        head: int | None = None, deprel: str = EMPTY, deps: str = EMPTY, misc: str = EMPTY, start: int | None = None, end: int | None = None,
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

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        head = EMPTY if self.head is None else str(self.head)
        return (str(self.id), self.form, self.lemma, self.upos, self.xpos, self.feats, head, self.deprel, self.deps, self.misc)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.columns() == other.columns()

    __hash__ = None  # type: ignore[assignment]  # a word can change

    def __repr__(self) -> str:
        return f"Word({self.id}, {self.form!r}, upos={self.upos}, head={self.head}, deprel={self.deprel})"


@dataclass(slots=True)
class Token:
    """A multiword token: the range `first-last` of the words it is made of (`3-4  don't`); `start` and `end` as in `Word`."""

    first: int
    last: int
    form: str
    rest: tuple[str, ...] = (EMPTY,) * 8
    start: int | None = None
    end: int | None = None

    @property
    def misc(self) -> str:
        """The column MISC."""
        return self.rest[-1]

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        return (f"{self.first}-{self.last}", self.form, *self.rest)


@dataclass(slots=True)
class EmptyNode:
    """An empty node of the enhanced graph: `after.index`, as in `5.1`."""

    after: int
    index: int
    form: str
    rest: tuple[str, ...] = (EMPTY,) * 8

    def columns(self) -> tuple[str, ...]:
        """The ten columns as CoNLL-U prints them."""
        return (f"{self.after}.{self.index}", self.form, *self.rest)


@dataclass(slots=True)
class Sentence:
    """A sentence: comments, words, multiword ranges and empty nodes.

    `before`, `newline` and `ending` keep what surrounds the lines (blank lines, CRLF, a missing last newline); `place` says where the sentence came
    from, as `file:line`, for messages.
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
        return f"<Sentence of {_counted(len(self), 'word')}: {self.text or ' '.join(token.form for token in self.tokens)}>"

    @property
    def heads(self) -> list[int | None]:
        """The heads of words 1..n; None where HEAD is `_`."""
        return [word.head for word in self.words]

    @property
    def tokens(self) -> list[Token | Word]:
        """The surface tokens: multiword ranges, and the words outside any."""
        inside = {i: token for token in self.ranges for i in range(token.first, token.last + 1)}
        return [inside.get(word.id, word) for word in self.words if word.id not in inside or inside[word.id].first == word.id]

    def comment(self, key: str) -> str | None:
        """The value of the comment `# key = value`, or None."""
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
        """How messages name this sentence: `file:line: sent_id=...`."""
        return ": ".join(part for part in (self.place, f"sent_id={self.sent_id}" if self.sent_id else "") if part) or "sentence"

    def nodes(self) -> Iterator[Word | Token | EmptyNode]:
        """Every node in the order of the file: a range before its first word, empty nodes after theirs."""
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

    def to_conllu(self) -> str:
        """The sentence as CoNLL-U, with its blank line."""
        lines = [*self.comments, *("\t".join(node.columns()) for node in self.nodes())]
        return self.before + self.newline.join(lines) + self.ending

    def to_dict(self) -> dict[str, Any]:
        """The sentence as plain values, as in JSON."""
        from gardenpath.formats.json import sentence_to_dict

        return sentence_to_dict(self)

    def to_svg(self, *, compact: bool = False, tags: bool = True, lemmas: bool = False) -> str:
        """The tree as SVG, `compact` with right-angled arcs; `tags` (UPOS) and `lemmas` stand below the words."""
        from gardenpath.formats.svg import to_svg

        return to_svg([self], compact=compact, tags=tags, lemmas=lemmas)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        from gardenpath.formats.svg import to_html

        return to_html([self])

    def to_displacy(self, *, lemmas: bool = False) -> dict[str, Any]:
        """The tree for `displacy.render(..., manual=True)`."""
        from gardenpath.formats.displacy import to_displacy

        return to_displacy(self, lemmas=lemmas)

    def to_dot(self) -> str:
        """The tree in DOT, for Graphviz."""
        from gardenpath.formats.dot import to_dot

        return to_dot([self])

    def to_tikz(self) -> str:
        """The tree for LaTeX's tikz-dependency."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz([self])

    def to_dataframe(self, *, complete: bool = False) -> Any:
        """The words as a data frame of pandas or Polars, whichever is installed; see `Document.to_dataframe`."""
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe([self], complete)


@dataclass(slots=True)
class Document:
    """Sentences in order."""

    sentences: list[Sentence] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __repr__(self) -> str:
        return f"<Document of {_counted(len(self), 'sentence')}, {_counted(sum(map(len, self)), 'word')}>"

    def to_conllu(self) -> str:
        """The document as CoNLL-U."""
        return "".join(sentence.to_conllu() for sentence in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The document as plain values, as in JSON."""
        from gardenpath.formats.json import document_to_dict

        return document_to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """The document as JSON."""
        from gardenpath.formats.json import to_json

        return to_json(self, indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Document:
        """The document that `to_json` wrote."""
        from gardenpath.formats.json import from_json

        return from_json(text)

    def to_svg(self, *, compact: bool = False, tags: bool = True, lemmas: bool = False) -> str:
        """The trees below each other as one SVG; see `Sentence.to_svg`."""
        from gardenpath.formats.svg import to_svg

        return to_svg(self.sentences, compact=compact, tags=tags, lemmas=lemmas)

    def _repr_html_(self) -> str:
        from gardenpath.formats.svg import to_html

        return to_html(self.sentences)

    def to_displacy(self, *, lemmas: bool = False) -> list[dict[str, Any]]:
        """The trees for `displacy.render(..., manual=True)`."""
        return [sentence.to_displacy(lemmas=lemmas) for sentence in self.sentences]

    def to_dot(self) -> str:
        """The trees in DOT, for Graphviz: one graph with a cluster a sentence."""
        from gardenpath.formats.dot import to_dot

        return to_dot(self.sentences)

    def to_tikz(self) -> str:
        """The trees for LaTeX's tikz-dependency, one after the other."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz(self.sentences)

    def to_dataframe(self, *, complete: bool = False) -> Any:
        """The words of all sentences as a data frame of pandas or Polars, whichever is installed; `complete` with multiword tokens and empty nodes."""
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe(self.sentences, complete)

    @classmethod
    def from_dataframe(cls, frame: Any) -> Document:
        """The document of a data frame with the columns of `to_dataframe`, or some of them."""
        from gardenpath.formats.frame import from_dataframe

        return cls.of(from_dataframe(frame))

    def to_arrow(self, *, nested: bool = False) -> Any:
        """A `pyarrow.Table`, a row a word, or `nested` a row a sentence."""
        from gardenpath.formats.arrow import to_arrow

        return to_arrow(self.sentences, nested=nested)

    @classmethod
    def from_arrow(cls, table: Any) -> Document:
        """The document of a `pyarrow.Table` with the columns of `to_arrow`, or some of them."""
        from gardenpath.formats.arrow import from_arrow

        return cls.of(from_arrow(table))

    def to_parquet(self, path: str | Path, *, nested: bool = False) -> None:
        """Write a Parquet file, a row a word, or `nested` a row a sentence."""
        from gardenpath.formats.arrow import write_parquet

        write_parquet(self.sentences, path, nested=nested)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Document:
        """A document of these sentences."""
        return cls(list(sentences))
