"""Documents as tables, a row a word, multiword token or empty node: what data frames, Arrow and Parquet have in common.

`_` is missing (None), but for `form`; `comments` are those of the sentence, on its first row. So nothing is lost but sentences without words and what
surrounds the lines of a file. Sentences that come from tables are read as CoNLL-U is, so none comes that CoNLL-U could not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from math import isnan
from typing import Any, NamedTuple

from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token, Word
from gardenpath.errors import InputError
from gardenpath.formats.conllu import parse_block, read_head

WORD, RANGE, EMPTY_NODE = KINDS = ("word", "range", "empty")


class Row(NamedTuple):
    """A row. `id` is the number of the word, of a range that of its first word, of an empty node that of the word before it."""

    document: str | None             # the id of the last `# newdoc id = ...`
    sentence: int | None             # the number of the sentence, from 1
    sent_id: str | None
    comments: str | None             # one below the other, on the first row of the sentence
    kind: str | None
    id: int | None
    last: int | None                 # the last word of a range
    nth: int | None                  # which of the empty nodes after that word it is, from 1
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


COLUMNS = Row._fields
NUMBERS = ("sentence", "id", "last", "nth", "head", "start", "end")
NEEDED = ("sentence", "id", "form")


class Numbered(NamedTuple):
    """A sentence, its number, and the document that it belongs to, if that has an id."""

    document: str | None
    number: int
    sentence: Sentence


def numbered(sentences: Iterable[Sentence]) -> Iterator[Numbered]:
    """The sentences with their numbers and documents."""
    document = None
    for number, sentence in enumerate(sentences, 1):
        if any(comment[1:].partition("=")[0].split()[:1] == ["newdoc"] for comment in sentence.comments):
            document = sentence.comment("newdoc id")
        yield Numbered(document, number, sentence)


def rows(found: Numbered) -> list[Row]:
    """The rows of a sentence, in the order of its lines."""
    document, number, sentence = found
    sent_id = sentence.sent_id
    try:
        nodes = [node_values(node) for node in sentence.nodes()]
    except ValueError as error:
        raise InputError(f"{sentence.where}: a range or an empty node: {error}") from None
    comments = ("\n".join(sentence.comments) or None, *repeat(None, len(nodes)))
    return [Row(document, number, sent_id, comment, *values) for comment, values in zip(comments, nodes, strict=False)]


def node_values(node: Word | Token | EmptyNode) -> tuple[Any, ...]:
    """The columns of a row from `kind` on."""
    columns: list[Any] = [None if column == EMPTY else column for column in node.columns()]
    if isinstance(node, Word):
        columns[6] = node.head
        return WORD, node.id, None, None, node.form, *columns[2:], node.start, node.end
    columns[6] = read_head(node.columns()[6])
    if isinstance(node, Token):
        return RANGE, node.first, node.last, None, node.form, *columns[2:], node.start, node.end
    return EMPTY_NODE, node.after, None, node.index, node.form, *columns[2:], None, None


def read_tables(tables: Iterable[Mapping[str, Sequence[Any]]], name: str) -> Iterator[Sentence]:
    """The sentences of tables that follow each other, each a list of values by column; `name` is for messages."""
    records = (row for table in tables for row in _records(table, name))
    for number, group in groupby(records, key=lambda row: row.sentence):
        found = list(group)
        comments = found[0].comments
        yield sentence_of(found, comments.split("\n") if comments else [], f"{name}: sentence {number}")


def sentence_of(found: Sequence[Row], comments: Sequence[str], place: str) -> Sentence:
    """The sentence of these rows, in the order of its lines."""
    try:
        lines = [*comments, *("\t".join(_columns(row)) for row in found)]
        sentence = parse_block(["\n".join(lines).encode("utf-8", "surrogatepass")], f"{place} as CoNLL-U", 1)
    except TypeError as error:
        raise InputError(f"{place}: a column of strings has something else in it ({error})") from None
    nodes = list(sentence.nodes())
    if len(nodes) != len(found):
        raise InputError(f"{place}: a value has a line break in it; CoNLL-U has no place for such")
    for node, row in zip(nodes, found, strict=True):
        if not isinstance(node, EmptyNode) and type(row.start) is type(row.end) is int:
            node.start, node.end = row.start, row.end
    sentence.place, sentence.ending = place, "\n\n"
    return sentence


def _columns(row: Row) -> list[str]:
    """The row as CoNLL-U has it."""
    if row.kind not in (None, *KINDS):
        raise TypeError(f"`kind` is {row.kind!r} and none of {', '.join(KINDS)}")
    identity = {RANGE: f"{row.id}-{row.last}", EMPTY_NODE: f"{row.id}.{row.nth}"}.get(row.kind or WORD, str(row.id))
    head = EMPTY if row.head is None else str(row.head)
    columns = (row.form, row.lemma, row.upos, row.xpos, row.feats, head, row.deprel, row.deps, row.misc)
    return [identity, *(EMPTY if column is None else column for column in columns)]


def _records(table: Mapping[str, Sequence[Any]], name: str) -> Iterator[Row]:
    missing = [column for column in NEEDED if column not in table]
    if missing:
        raise InputError(f"{name}: no column is called `{missing[0]}`; a table of words has at least {', '.join(NEEDED)}")
    columns = [_values(table[column], column, name) if column in table else repeat(None) for column in COLUMNS]
    if "comments" not in table and "sent_id" in table:
        columns[COLUMNS.index("comments")] = [None if sent_id is None else f"# sent_id = {sent_id}" for sent_id in table["sent_id"]]
    return map(Row, *columns)


def _values(values: Sequence[Any], column: str, name: str) -> Sequence[Any]:
    """The values of a column, if they are of its kind; whole numbers may come as floats, with NaN for None."""
    found = set(map(type, values))
    if found <= {type(None), int if column in NUMBERS else str}:
        return values
    if column in NUMBERS and found <= {type(None), int, float}:
        known = [None if value is None or isnan(value) else value for value in values]
        if all(value is None or float(value).is_integer() for value in known):
            return [None if value is None else int(value) for value in known]
    wrong = ", ".join(sorted(kind.__name__ for kind in found))
    raise InputError(f"{name}: the column `{column}` holds {'whole numbers' if column in NUMBERS else 'strings'}, or nothing, but here {wrong}")
