"""Conversion between documents and JSON, with the CoNLL-U column names as keys.

`_` becomes null, FEATS and MISC become objects (strings if they are not `Key=Value` pairs), and comments become
metadata. A round trip may change only spaces in comments, the position of comments with the same key, blank lines and
line ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from gardenpath.errors import InputError
from gardenpath.formats.confidence import Confidence
from gardenpath.formats.conllu import is_number, items_of, parse_block
from gardenpath.formats.document import EMPTY, Document, EmptyNode, Sentence, Token, Word
from gardenpath.formats.table import LARGEST

REST = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
PAIRS = ("feats", "misc")
_BREAK = re.compile("[\r\n]")


def to_json(document: Document, indent: int | None = None) -> str:
    """Return the document as JSON, on one line or indented."""
    return json.dumps(document_to_dict(document), ensure_ascii=False, indent=indent)


def json_parts(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Yield a document as JSON on one line, sentence by sentence."""
    yield '{"sentences": ['
    for number, sentence in enumerate(sentences):
        yield (", " if number else "") + json.dumps(sentence_to_dict(sentence), ensure_ascii=False)
    yield "]}\n"


def document_to_dict(document: Document) -> dict[str, Any]:
    """Return the document as plain values for JSON."""
    return {"sentences": [sentence_to_dict(sentence) for sentence in document]}


def sentence_to_dict(sentence: Sentence) -> dict[str, Any]:
    """Return the sentence as plain values for JSON."""
    return {
        "metadata": _metadata(sentence.comments),
        "words": [_word_to_dict(word) for word in sentence],
        "ranges": [
            {"id": [token.first, token.last], "form": token.form, **_rest(token.rest), **_offsets(token)}
            for token in sentence.ranges
        ],
        "empty_nodes": [
            {"id": [node.after, node.index], "form": node.form, **_rest(node.rest)} for node in sentence.empty_nodes
        ],
    }


def from_json(text: str | bytes) -> Document:
    """Read a document from the output of `to_json`. An `InputError` names the part that cannot be read."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"JSON: {error}; give the output of `Document.to_json`") from None
    return Document([_sentence(entry) for entry in _Entry(data, "JSON").entries("sentences", "sentence")])


def _word_to_dict(word: Word) -> dict[str, Any]:
    rest = {name: _value(name, column) for name, column in zip(REST, word.columns()[2:], strict=True)} | {
        "head": word.head
    }
    confidence = {} if word.confidence is None else {"confidence": word.confidence._asdict()}
    return {"id": word.id, "form": word.form, **rest, **_offsets(word), **confidence}


def _rest(columns: Iterable[str]) -> dict[str, Any]:
    """Return the columns after FORM of a range or an empty node, without those that are `_`."""
    filled = {name: column for name, column in zip(REST, columns, strict=True) if column != EMPTY}
    return {name: int(column) if _is_head(name, column) else _value(name, column) for name, column in filled.items()}


def _is_head(name: str, column: str) -> bool:
    return name == "head" and is_number(column)


def _value(name: str, column: str | int | None) -> Any:
    if column == EMPTY:
        return None
    return _pairs(column) if name in PAIRS and isinstance(column, str) else column


def _pairs(column: str) -> dict[str, str | None] | str:
    """Return `Key=Value` pairs as an object, or the column itself if the object would lose something."""
    pairs = items_of(column)
    return pairs if _joined(pairs) == column else column


def _joined(pairs: dict[str, str | None]) -> str:
    return "|".join(key if value is None else f"{key}={value}" for key, value in pairs.items())


def _offsets(node: Word | Token) -> dict[str, int]:
    return {} if node.start is None or node.end is None else {"start": node.start, "end": node.end}


def _metadata(comments: list[str]) -> dict[str, Any]:
    """Return the comments by key: null for a comment without value, a list for a key that is repeated."""
    values: dict[str, list[str | None]] = {}
    for line in comments:
        key, equals, value = line[1:].partition("=")
        values.setdefault(key.strip(), []).append(value.strip() if equals else None)
    return {key: found[0] if len(found) == 1 else found for key, found in values.items()}


class _Entry:
    """A JSON object and its name in messages."""

    def __init__(self, data: Any, where: str) -> None:
        self.data, self.where = data, where
        if not isinstance(data, dict):
            raise InputError(f"{where} should be an object; give the output of `Document.to_json`")

    def entries(self, key: str, name: str) -> list[_Entry]:
        """Return the objects of a list."""
        found = self.data.get(key, [])
        if not isinstance(found, list):
            raise self.fault(key, "a list")
        return [_Entry(data, f"{self.where}: {name} {number}") for number, data in enumerate(found, 1)]

    def number(self, key: str) -> int | None:
        """Return a number, or None for null."""
        value = self.data.get(key)
        if value is not None and (type(value) is not int or not -LARGEST <= value <= LARGEST):
            raise self.fault(key, "a whole number or null, of at most 64 bits")
        return value

    def identity(self) -> tuple[int, int]:
        """Return the two numbers of the id of a range or an empty node."""
        value = self.data.get("id")
        if not isinstance(value, list) or [type(part) for part in value] != [int, int]:
            raise self.fault("id", "two numbers, such as [3, 4]")
        return value[0], value[1]

    def column(self, key: str) -> str:
        """Return a column as CoNLL-U prints it, `_` for null."""
        value = self.data.get(key)
        if key == "head":
            value = self.number(key)
        elif key in PAIRS and isinstance(value, dict) and _are_strings(value.values()):
            value = _joined(value) or None
        elif value is not None and not isinstance(value, str):
            raise self.fault(key, "a string or null, or for `feats` and `misc` an object of strings and nulls")
        return EMPTY if value is None else str(value)

    def confidence(self) -> Confidence | None:
        """Return the confidence of a word, or None."""
        value = self.data.get("confidence")
        if value is None:
            return None
        if not isinstance(value, dict) or not value.keys() <= set(Confidence._fields) or not all(
            number is None or (type(number) in (int, float) and 0 <= number <= 1) for number in value.values()
        ):
            fields = ", ".join(f"`{name}`" for name in Confidence._fields)
            raise self.fault("confidence", f"an object with {fields}, which are numbers from 0 to 1 or null")
        return Confidence(**value)

    def comments(self) -> list[str]:
        """Return the metadata as comments."""
        metadata = self.data.get("metadata", {})
        if not isinstance(metadata, dict):
            raise self.fault("metadata", "an object")
        lists = {key: found if isinstance(found, list) else [found] for key, found in metadata.items()}
        values = [(key, value) for key, found in lists.items() for value in found]
        if not _are_strings(value for _, value in values):
            raise self.fault("metadata", "an object of strings, lists of strings, and null")
        return [f"# {key}".rstrip() if value is None else f"# {key} = {value}" for key, value in values]

    def fault(self, key: str, expected: str) -> InputError:
        """Return the error for a value of the wrong type."""
        return InputError(f"{self.where}: `{key}` should be {expected}")


def _are_strings(values: Iterable[Any]) -> bool:
    """Return whether all values are strings or None."""
    return all(value is None or isinstance(value, str) for value in values)


def _sentence(entry: _Entry) -> Sentence:
    sentence = Sentence(
        [_word(word) for word in entry.entries("words", "word")],
        entry.comments(),
        [
            Token(*node.identity(), *_columns(node), start=node.number("start"), end=node.number("end"))
            for node in entry.entries("ranges", "range")
        ],
        [EmptyNode(*node.identity(), *_columns(node)) for node in entry.entries("empty_nodes", "empty node")],
        place=entry.where,
    )
    _check(sentence)
    return sentence


def _word(entry: _Entry) -> Word:
    identity = entry.number("id")
    if identity is None:
        raise entry.fault("id", "a whole number")
    columns = {name: entry.column(name) for name in ("form", *REST) if name != "head"}
    return Word(
        identity, head=entry.number("head"), start=entry.number("start"), end=entry.number("end"),
        confidence=entry.confidence(), **columns,
    )


def _columns(entry: _Entry) -> tuple[str, tuple[str, ...]]:
    return entry.column("form"), tuple(entry.column(name) for name in REST)


def _check(sentence: Sentence) -> None:
    """Check that the sentence is the same if it is written as CoNLL-U and read again."""
    if any(_BREAK.search(comment) for comment in sentence.comments):
        problem = "`metadata` contains a line break, which CoNLL-U cannot represent"
        raise InputError(f"{sentence.where}: {problem}; remove it")
    if not len(sentence):
        if sentence.ranges or sentence.empty_nodes:
            raise InputError(f"{sentence.where}: there are ranges or empty nodes, but no words; add the words")
        return
    read = parse_block([sentence.to_conllu().encode("utf-8", "surrogatepass")], f"{sentence.place} as CoNLL-U", 1)
    if (len(read.ranges), len(read.empty_nodes)) != (len(sentence.ranges), len(sentence.empty_nodes)):
        raise InputError(f"{sentence.where}: the `id` of a range or an empty node does not fit any word; correct it")
    if [node.columns() for node in read.nodes()] != [node.columns() for node in sentence.nodes()]:
        raise InputError(f"{sentence.where}: a column contains a line break or a tab; remove it")
