"""Documents as JSON: plain values under the CoNLL-U names, and back.

`_` becomes null, FEATS and MISC become objects (strings where they are no `Key=Value` pairs), comments become metadata. What comes back is the same but for
spaces in comments, the order of comments with the same key, and what surrounds the lines of a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from gardenpath.formats.document import EMPTY, Document, EmptyNode, Sentence, Token, Word
from gardenpath.errors import InputError
from gardenpath.formats.conllu import items_of, parse_block

REST = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
PAIRS = ("feats", "misc")


def to_json(document: Document, indent: int | None = None) -> str:
    """The document as JSON, on one line or indented."""
    return json.dumps(document_to_dict(document), ensure_ascii=False, indent=indent)


def json_parts(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The same on one line, sentence by sentence."""
    yield '{"sentences": ['
    for number, sentence in enumerate(sentences):
        yield (", " if number else "") + json.dumps(sentence_to_dict(sentence), ensure_ascii=False)
    yield "]}\n"


def document_to_dict(document: Document) -> dict[str, Any]:
    """The document as JSON has it."""
    return {"sentences": [sentence_to_dict(sentence) for sentence in document]}


def sentence_to_dict(sentence: Sentence) -> dict[str, Any]:
    """The sentence as JSON has it."""
    return {
        "metadata": _metadata(sentence.comments),
        "words": [_word_to_dict(word) for word in sentence],
        "ranges": [{"id": [token.first, token.last], "form": token.form, **_rest(token.rest), **_offsets(token)} for token in sentence.ranges],
        "empty_nodes": [{"id": [node.after, node.index], "form": node.form, **_rest(node.rest)} for node in sentence.empty_nodes],
    }


def from_json(text: str | bytes) -> Document:
    """The document that `to_json` wrote; `InputError` says what in it cannot be read."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"JSON: {error}; give what `Document.to_json` wrote") from None
    return Document([_sentence(entry) for entry in _Entry(data, "JSON").entries("sentences", "sentence")])


def _word_to_dict(word: Word) -> dict[str, Any]:
    return {"id": word.id, "form": word.form, **{name: _value(name, getattr(word, name)) for name in REST}, **_offsets(word)}


def _rest(columns: Iterable[str]) -> dict[str, Any]:
    """The columns of a range or an empty node after FORM; most are empty, and these are left out."""
    return {name: _value(name, column) for name, column in zip(REST, columns, strict=True) if column != EMPTY}


def _value(name: str, column: str | int | None) -> Any:
    if column == EMPTY:
        return None
    return _pairs(column) if name in PAIRS and isinstance(column, str) else column


def _pairs(column: str) -> dict[str, str | None] | str:
    """`Key=Value` pairs as an object; the column itself where that would lose something."""
    pairs = items_of(column)
    return pairs if _joined(pairs) == column else column


def _joined(pairs: dict[str, str | None]) -> str:
    return "|".join(key if value is None else f"{key}={value}" for key, value in pairs.items())


def _offsets(node: Word | Token) -> dict[str, int]:
    return {} if node.start is None or node.end is None else {"start": node.start, "end": node.end}


def _metadata(comments: list[str]) -> dict[str, Any]:
    """The comments by their keys: null without a value, a list where a key comes again."""
    values: dict[str, list[str | None]] = {}
    for line in comments:
        key, equals, value = line[1:].partition("=")
        values.setdefault(key.strip(), []).append(value.strip() if equals else None)
    return {key: found[0] if len(found) == 1 else found for key, found in values.items()}


class _Entry:
    """An object in the JSON, and how messages name it."""

    def __init__(self, data: Any, where: str) -> None:
        self.data, self.where = data, where
        if not isinstance(data, dict):
            raise InputError(f"{where} should be an object; give what `Document.to_json` wrote")

    def entries(self, key: str, name: str) -> list[_Entry]:
        """The objects of a list."""
        found = self.data.get(key, [])
        if not isinstance(found, list):
            raise self.fault(key, "a list")
        return [_Entry(data, f"{self.where}: {name} {number}") for number, data in enumerate(found, 1)]

    def number(self, key: str) -> int | None:
        """A number, None for null."""
        value = self.data.get(key)
        if value is not None and type(value) is not int:
            raise self.fault(key, "a whole number or null")
        return value

    def identity(self) -> tuple[int, int]:
        """The two numbers that are the id of a range or an empty node."""
        value = self.data.get("id")
        if not isinstance(value, list) or [type(part) for part in value] != [int, int]:
            raise self.fault("id", "two numbers, as in [3, 4]")
        return value[0], value[1]

    def column(self, key: str) -> str:
        """A column as CoNLL-U prints it, `_` for null."""
        value = self.data.get(key)
        if key == "head":
            value = self.number(key)
        elif key in PAIRS and isinstance(value, dict) and all(part is None or isinstance(part, str) for part in value.values()):
            value = _joined(value) or None
        elif value is not None and not isinstance(value, str):
            raise self.fault(key, "a string or null, or for `feats` and `misc` an object of these")
        return EMPTY if value is None else str(value)

    def comments(self) -> list[str]:
        """The metadata as comments."""
        metadata = self.data.get("metadata", {})
        if not isinstance(metadata, dict):
            raise self.fault("metadata", "an object")
        values = [(key, value) for key, found in metadata.items() for value in (found if isinstance(found, list) else [found])]
        if not all(value is None or isinstance(value, str) for _, value in values):
            raise self.fault("metadata", "an object of strings, lists of strings, and null")
        return [f"# {key}".rstrip() if value is None else f"# {key} = {value}" for key, value in values]

    def fault(self, key: str, expected: str) -> InputError:
        """The error to raise where a value is of the wrong kind."""
        return InputError(f"{self.where}: `{key}` should be {expected}")


def _sentence(entry: _Entry) -> Sentence:
    sentence = Sentence(
        [_word(word) for word in entry.entries("words", "word")],
        entry.comments(),
        [Token(*node.identity(), *_columns(node), start=node.number("start"), end=node.number("end")) for node in entry.entries("ranges", "range")],
        [EmptyNode(*node.identity(), *_columns(node)) for node in entry.entries("empty_nodes", "empty node")],
        place=entry.where,
    )
    if len(sentence):
        _check(sentence)
    return sentence


def _word(entry: _Entry) -> Word:
    identity = entry.number("id")
    if identity is None:
        raise entry.fault("id", "a whole number")
    columns = {name: entry.column(name) for name in ("form", *REST) if name != "head"}
    return Word(identity, head=entry.number("head"), start=entry.number("start"), end=entry.number("end"), **columns)


def _columns(entry: _Entry) -> tuple[str, tuple[str, ...]]:
    return entry.column("form"), tuple(entry.column(name) for name in REST)


def _check(sentence: Sentence) -> None:
    """See that CoNLL-U could hold the sentence: ids in order, ranges and empty nodes at their words."""
    read = parse_block([sentence.to_conllu().encode("utf-8", "surrogatepass")], f"{sentence.place} as CoNLL-U", 1)
    if (len(read.ranges), len(read.empty_nodes)) != (len(sentence.ranges), len(sentence.empty_nodes)):
        raise InputError(f"{sentence.where}: a range or an empty node is at no word; correct its `id`")
