"""Documents and sentences: the data that every step from text to trees reads and fills in.

Word 0 is the root; words 1..n have their CoNLL-U ids. `gardenpath.formats.nodes` has the words themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, overload

from gardenpath.errors import UsageError
from gardenpath.formats import other_names
from gardenpath.formats.confidence import with_confidence
from gardenpath.formats.joining import conllu_parts
from gardenpath.formats.linked import LinkedList
from gardenpath.formats.navigation import TreeIndex, word_of
from gardenpath.formats.nodes import EMPTY, EmptyNode, Token, Word
from gardenpath.formats.other_names import explains
from gardenpath.formats.spacing import joined, raw_text
from gardenpath.formats.span import Span

__all__ = ["EMPTY", "Document", "EmptyNode", "Sentence", "Token", "Word"]


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _with_confidence(node: Word | Token | EmptyNode) -> tuple[str, ...]:
    columns = node.columns()
    return (*columns[:-1], with_confidence(node.misc, node.confidence)) if isinstance(node, Word) else columns


def _nodes(
    words: list[Word], ranges: list[Token], empty_nodes: list[EmptyNode],
) -> Iterator[Word | Token | EmptyNode]:
    by_first = {token.first: token for token in ranges}
    empty: dict[int, list[EmptyNode]] = {}
    for node in empty_nodes:
        empty.setdefault(node.after, []).append(node)
    yield from empty.get(0, ())
    for word in words:
        if word._id in by_first:
            yield by_first[word._id]
        yield word
        yield from empty.get(word._id, ())


@explains(other_names.SENTENCE)
class Sentence:
    """A sentence: comments, words, multi-word tokens (`ranges`) and empty nodes.

    `before`, `newline` and `ending` keep blank lines, CRLF and a missing last newline, so that the sentence is written
    back byte for byte. `place` is its source as `file:line`, for messages.
    """

    __slots__ = ("_words", "comments", "_ranges", "empty_nodes", "before", "newline", "ending", "place", "_index")

    comments: list[str]
    empty_nodes: list[EmptyNode]
    before: str
    newline: str
    ending: str
    place: str

    def __init__(
        self, words: Iterable[Word] | None = None, comments: list[str] | None = None,
        ranges: Iterable[Token] | None = None,
        empty_nodes: list[EmptyNode] | None = None, before: str = "", newline: str = "\n", ending: str = "\n\n",
        place: str = "",
    ) -> None:
        self._words: list[Word] = [] if words is None else words if type(words) is list else list(words)
        self.comments = [] if comments is None else comments
        self._ranges: list[Token] = [] if ranges is None else ranges if type(ranges) is list else list(ranges)
        self.empty_nodes = [] if empty_nodes is None else empty_nodes
        self.before = before
        self.newline = newline
        self.ending = ending
        self.place = place
        self._index: TreeIndex | None = None
        if self._words and not isinstance(self._words[0], Word):
            raise UsageError("a sentence consists of objects of the class Word; for strings use `Sentence.from_words`")

    @classmethod
    def from_words(
        cls, words: Iterable[str | tuple[str, ...] | Mapping[str, Any]], *, sent_id: str | None = None,
        text: str | None = None,
    ) -> Sentence:
        """Make a sentence from forms: `Sentence.from_words(["I", "saw", "her"])`.

        A word is a form, a pair of form and UPOS, a triple of form, UPOS and XPOS, or a mapping from column names to
        values (`{"form": "saw", "lemma": "see"}`). `text` is the text of the sentence; words get their offsets in it.
        """
        from gardenpath.formats.given import sentence_of_words

        return sentence_of_words(words, sent_id, text)

    @property
    def words(self) -> list[Word]:
        """The words 1..n. A word that is in the list knows its sentence (`Word.sentence`)."""
        words = self._words
        if type(words) is not LinkedList:
            words = self._words = LinkedList(self, words)
        return words

    @words.setter
    def words(self, words: Iterable[Word]) -> None:
        self._words, self._index = list(words), None

    @property
    def ranges(self) -> list[Token]:
        """The multi-word tokens."""
        ranges = self._ranges
        if type(ranges) is not LinkedList:
            ranges = self._ranges = LinkedList(self, ranges)
        return ranges

    @ranges.setter
    def ranges(self, ranges: Iterable[Token]) -> None:
        self._ranges = list(ranges)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Word | Span:
        """Return a word by its position, from 0 on, or several words as a span. `word` finds a word by its id."""
        found = self.words[index]
        return Span(self, found) if isinstance(found, list) else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and all(
            getattr(self, name) == getattr(other, name) for name in Sentence.__slots__ if name != "_index"
        )

    __hash__ = None  # type: ignore[assignment]  # sentences are mutable

    def __repr__(self) -> str:
        return f"<Sentence of {_counted(len(self), 'word')}: {self.text}>"

    def __getstate__(self) -> Any:
        """Return the state for copies. Their words are linked to the copy when they are first accessed."""
        state = {name: getattr(self, name) for name in Sentence.__slots__}
        return None, state | {"_words": list(self._words), "_ranges": list(self._ranges), "_index": None}

    def __copy__(self) -> Sentence:
        """Return a copy with words of its own, because a word belongs to one sentence only."""
        return deepcopy(self)

    @property
    def _tree_index(self) -> TreeIndex:
        """The index of the tree as it is now."""
        index = self._index
        if index is None:
            index = TreeIndex(self.words)
            # A word that has moved to another sentence without leaving this one would drop only the index of the other.
            if all(word._sentence is self for word in self._words):
                self._index = index
        return index

    def word(self, id: int) -> Word:
        """Return the word with this id, which is 1 for the first word."""
        return word_of(self, id, "ids begin at 1")

    @property
    def root(self) -> Word | None:
        """The word whose head is 0; the first one if there are several, None if there is none."""
        return next((word for word in self.words if word.head == 0), None)

    @property
    def heads(self) -> list[int | None]:
        """The heads of words 1..n; None where HEAD is `_`."""
        return [word._head for word in self._words]

    @property
    def tokens(self) -> list[Token | Word]:
        """The surface tokens: multi-word tokens, and the words outside them."""
        inside = {i: token for token in self.ranges for i in token.word_ids}
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
    def text(self) -> str:
        """The value of `# text = ...`, or without this comment the tokens with the spaces between them."""
        text = self.comment("text")
        return joined(self.tokens) if text is None else text

    @property
    def where(self) -> str:
        """The name of this sentence in messages: `file:line: sent_id=...`."""
        identity = f"sent_id={self.sent_id}" if self.sent_id else ""
        return ": ".join(part for part in (self.place, identity) if part) or "sentence"

    def nodes(self) -> Iterator[Word | Token | EmptyNode]:
        """Yield every node in file order: a range before its first word, empty nodes after the word they follow."""
        return _nodes(self.words, self.ranges, self.empty_nodes)

    def to_conllu(self, *, confidence: bool = False) -> str:
        """Return the sentence as CoNLL-U, with the blank line after it.

        With `confidence`, MISC has the confidence of the words, where it is known.
        """
        are_words = not self._ranges and not self.empty_nodes
        nodes = self._words if are_words else _nodes(self._words, self._ranges, self.empty_nodes)
        columns = map(_with_confidence, nodes) if confidence else (node.columns() for node in nodes)
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

    def to_tree(self) -> str:
        """Return the tree as text for the terminal: one line per word, its dependents above and below it."""
        from gardenpath.formats.text_tree import to_text_tree

        return to_text_tree([self])

    def to_tikz(self) -> str:
        """Return the tree for LaTeX's tikz-dependency."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz([self])

    def to_dataframe(
        self, *, complete: bool = False, columns: Sequence[str] | None = None, rows: str = "words",
    ) -> Any:
        """Return the words as a pandas data frame, or a Polars one if pandas is not installed.

        See `Document.to_dataframe`.
        """
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe([self], complete, columns, rows)


@explains(other_names.DOCUMENT)
@dataclass(slots=True)
class Document:
    """A list of sentences. `source` is the text that was parsed, if it is known."""

    sentences: list[Sentence] = field(default_factory=list)
    source: str | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    def __repr__(self) -> str:
        return f"<Document of {_counted(len(self), 'sentence')}, {_counted(sum(map(len, self)), 'word')}>"

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> Document: ...
    def __getitem__(self, index: int | slice) -> Sentence | Document:
        """Return a sentence by its position, from 0 on, or several sentences as a document."""
        found = self.sentences[index]
        return Document(found) if isinstance(found, list) else found

    @property
    def words(self) -> list[Word]:
        """The words of all sentences."""
        return list(chain.from_iterable(self.sentences))

    @property
    def text(self) -> str:
        """The text: the one that was parsed, to which the offsets of the words refer, or else that of the sentences.

        Sentences are joined by a space, unless the last token has `SpaceAfter=No`, and paragraphs by a blank line.
        """
        return raw_text(self.sentences) if self.source is None else self.source

    def to_conllu(self, *, confidence: bool = False) -> str:
        """Return the document as CoNLL-U; see `Sentence.to_conllu`."""
        return "".join(conllu_parts(self.sentences, confidence=confidence))

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

    def to_tree(self) -> str:
        """Return the trees as text for the terminal, with a blank line between them."""
        from gardenpath.formats.text_tree import to_text_tree

        return to_text_tree(self.sentences)

    def to_tikz(self) -> str:
        """Return the trees for LaTeX's tikz-dependency, one after the other."""
        from gardenpath.formats.tikz import to_tikz

        return to_tikz(self.sentences)

    def to_dataframe(
        self, *, complete: bool = False, columns: Sequence[str] | None = None, rows: str = "words",
    ) -> Any:
        """Return the words of all sentences as a pandas data frame, or a Polars one if pandas is not installed.

        `complete` adds rows for multi-word tokens and empty nodes. `columns` and `rows` are those of `to_table`.
        """
        from gardenpath.formats.frame import to_dataframe

        return to_dataframe(self.sentences, complete, columns, rows)

    def to_table(self, path: str | Path, *, columns: Sequence[str] | None = None, rows: str = "words") -> None:
        """Write a table as CSV, TSV, XLSX, Parquet or Arrow, by the ending of the path; see `write_table`.

        A row is a word or, with `rows="sentences"`, a sentence. `columns` are the names of the columns to write.
        """
        from gardenpath.formats.registry import write_table

        write_table(self.sentences, path, columns=columns, rows=rows)

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
