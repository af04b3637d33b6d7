"""Documents as tables with one row per node: the basis of data frames, Arrow and Parquet.

A node is a word, a multi-word token or an empty node.
`_` becomes a missing value (None), except in `form`. The first row of a sentence has its comments. The conversion
loses only sentences without words, blank lines and the kind of line ends. Tables are read through the CoNLL-U reader,
so every sentence that is read is valid CoNLL-U.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from math import isnan
from typing import Any, NamedTuple

from gardenpath.errors import InputError
from gardenpath.formats.confidence import Confidence
from gardenpath.formats.conllu import parse_block, read_head
from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token, Word

WORD, RANGE, EMPTY_NODE = KINDS = ("word", "range", "empty")


class Row(NamedTuple):
    """A row of the table.

    `id` is the number of the word, for a range the number of its first word, and for an empty node the number of the
    word before it.
    """

    document: str | None             # the id of the last `# newdoc id = ...`
    sentence: int | None             # the number of the sentence, from 1
    sent_id: str | None
    comments: str | None             # all comments joined by newlines, in the first row of the sentence
    kind: str | None
    id: int | None
    last: int | None                 # the last word of a range
    nth: int | None                  # the number of an empty node among those after the same word, from 1
    form: str | None
    lemma: str | None
    upos: str | None
    xpos: str | None
    feats: str | None
    head: int | None
    deprel: str | None
    deps: str | None
    misc: str | None
    start: int | None
    end: int | None
    conf_upos: float | None = None   # the fields of the confidence
    conf_tag: float | None = None
    conf_head: float | None = None
    conf_label: float | None = None


COLUMNS = Row._fields
NUMBERS = ("sentence", "id", "last", "nth", "head", "start", "end")
CONFIDENCES = tuple(f"conf_{name}" for name in Confidence._fields)
LARGEST = 2**63 - 1                  # tables hold whole numbers of 64 bits
_EXPECTED = {"number": "whole numbers", "confidence": "numbers from 0 to 1", "string": "strings"}
NEEDED = ("sentence", "id", "form")


class Numbered(NamedTuple):
    """A sentence, its number, and the id of its document, if there is one."""

    document: str | None
    number: int
    sentence: Sentence


def numbered(sentences: Iterable[Sentence]) -> Iterator[Numbered]:
    """Number sentences from 1 and find the document id of each."""
    document = None
    for number, sentence in enumerate(sentences, 1):
        if any(comment[1:].partition("=")[0].split()[:1] == ["newdoc"] for comment in sentence.comments):
            document = sentence.comment("newdoc id")
        yield Numbered(document, number, sentence)


def rows(found: Numbered) -> list[Row]:
    """Return the rows of a sentence in the order of its CoNLL-U lines."""
    document, number, sentence = found
    sent_id = sentence.sent_id
    try:
        nodes = [node_values(node) for node in sentence.nodes()]
    except ValueError as error:
        raise InputError(f"{sentence.where}: in a range or an empty node, {error}") from None
    comments = ("\n".join(sentence.comments) or None, *repeat(None, len(nodes)))
    return [Row(document, number, sent_id, comment, *values) for comment, values in zip(comments, nodes, strict=False)]


def node_values(node: Word | Token | EmptyNode) -> tuple[Any, ...]:
    """Return the columns of a row from `kind` on."""
    columns: list[Any] = [None if column == EMPTY else column for column in node.columns()]
    if isinstance(node, Word):
        columns[6] = node.head
        return WORD, node.id, None, None, node.form, *columns[2:], node.start, node.end, *(node.confidence or ())
    columns[6] = read_head(node.columns()[6])
    if isinstance(node, Token):
        return RANGE, node.first, node.last, None, node.form, *columns[2:], node.start, node.end
    return EMPTY_NODE, node.after, None, node.index, node.form, *columns[2:], None, None


def read_tables(tables: Iterable[Mapping[str, Sequence[Any]]], name: str) -> Iterator[Sentence]:
    """Read the sentences of consecutive tables, each a mapping from columns to values. Messages use `name`."""
    records = (row for table in tables for row in _records(table, name))
    for number, group in groupby(records, key=lambda row: row.sentence):
        found = list(group)
        comments = found[0].comments
        yield sentence_of(found, comments.split("\n") if comments else [], f"{name}: sentence {number}")


def sentence_of(found: Sequence[Row], comments: Sequence[str], place: str) -> Sentence:
    """Build a sentence from its rows, which are in the order of its CoNLL-U lines."""
    try:
        lines = [*comments, *("\t".join(_columns(row)) for row in found)]
        sentence = parse_block(["\n".join(lines).encode("utf-8", "surrogatepass")], f"{place} as CoNLL-U", 1)
    except TypeError as error:
        raise InputError(f"{place}: a column has a value that is not allowed there ({error}); correct it") from None
    nodes = list(sentence.nodes())
    if len(nodes) != len(found):
        raise InputError(f"{place}: a value contains a line break, which CoNLL-U cannot represent; remove it")
    for node, row in zip(nodes, found, strict=True):
        if not isinstance(node, EmptyNode) and type(row.start) is type(row.end) is int:
            node.start, node.end = row.start, row.end
        confidence = Confidence(row.conf_upos, row.conf_tag, row.conf_head, row.conf_label)
        if isinstance(node, Word) and confidence != Confidence():
            node.confidence = confidence
    sentence.place, sentence.ending = place, "\n\n"
    return sentence


def _columns(row: Row) -> list[str]:
    """Return the row as CoNLL-U columns."""
    if row.kind not in (None, *KINDS):
        raise TypeError(f"`kind` is {row.kind!r} and must be one of {', '.join(KINDS)}")
    identity = {RANGE: f"{row.id}-{row.last}", EMPTY_NODE: f"{row.id}.{row.nth}"}.get(row.kind or WORD, str(row.id))
    head = EMPTY if row.head is None else str(row.head)
    columns = (row.form, row.lemma, row.upos, row.xpos, row.feats, head, row.deprel, row.deps, row.misc)
    return [identity, *(EMPTY if column is None else column for column in columns)]


def _records(table: Mapping[str, Sequence[Any]], name: str) -> Iterator[Row]:
    missing = [column for column in NEEDED if column not in table]
    if missing:
        raise InputError(f"{name}: there is no column `{missing[0]}`; a table needs at least {', '.join(NEEDED)}")
    columns = [_values(table[column], column, name) if column in table else repeat(None) for column in COLUMNS]
    if "comments" not in table and "sent_id" in table:
        comments = [None if sent_id is None else f"# sent_id = {sent_id}" for sent_id in table["sent_id"]]
        columns[COLUMNS.index("comments")] = comments
    return map(Row, *columns)


def _values(values: Sequence[Any], column: str, name: str) -> Sequence[Any]:
    """Check the types of the values of a column. Whole numbers may be floats, with NaN as missing value."""
    found = set(map(type, values))
    if column in NUMBERS or column in CONFIDENCES:
        if found <= {type(None), int, float}:
            known = [None if value is None or _is_nan(value) else value for value in values]
            if column in CONFIDENCES and all(value is None or 0 <= value <= 1 for value in known):
                return known
            if column in NUMBERS and all(value is None or _is_whole(value) for value in known):
                return [None if value is None else int(value) for value in known]
    elif found <= {type(None), str}:
        return values
    wrong = ", ".join(sorted(kind.__name__ for kind in found))
    expected = _EXPECTED["number" if column in NUMBERS else "confidence" if column in CONFIDENCES else "string"]
    raise InputError(f"{name}: the column `{column}` must hold {expected} or missing values, but holds {wrong}")


def _is_nan(value: int | float) -> bool:
    return isinstance(value, float) and isnan(value)


def _is_whole(value: int | float) -> bool:
    return -LARGEST <= value <= LARGEST and value == int(value)
