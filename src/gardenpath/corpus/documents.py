"""The documents of a corpus, read from the content of its files. A `Failed` item stands for what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from gardenpath.corpus.contents import Content
from gardenpath.corpus.inputs import TEXTS
from gardenpath.corpus.plan import CorpusSettings, Segment
from gardenpath.corpus.rows import Row
from gardenpath.errors import InputError
from gardenpath.formats.conllu import BOM, blocks, parse_block
from gardenpath.formats.document import Sentence
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import not_decodable

NEW_DOCUMENT = "# newdoc id = "


@dataclass(frozen=True, slots=True)
class Text:
    """A document of raw text, or a stretch of one. `comment` goes above its first sentence."""

    id: str
    place: str
    text: str
    comment: str
    begins: bool = True          # whether this is the beginning of the document
    continues: bool = False      # whether it begins in the middle of a paragraph
    input: str = "text"          # the input kind for the pipeline: `text`, `lines` or `tokens`


@dataclass(frozen=True, slots=True)
class Failed:
    """A document, or a sentence of CoNLL-U, that could not be parsed, with the reason."""

    id: str
    place: str
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A document that is probably not in the language of the model, with its fit and its likely languages."""

    id: str
    fit: float
    languages: list[str]


Item = Text | Sentence | Failed


def documents(content: Content, segment: Segment, settings: CorpusSettings) -> Iterator[Item]:
    """Yield the documents, or the sentences of CoNLL-U, in a stretch of a file."""
    if segment.input.kind in TEXTS:
        yield from _texts(content, segment)
    elif segment.input.kind == "jsonl":
        yield from _json_documents(content, segment, settings)
    else:
        yield from _sentences(content, segment)
    if content.broken:
        yield Failed(segment.input.name, _place(segment, content.start + len(content.data)), content.broken, "")


def _place(segment: Segment, position: int) -> str:
    unpacked = ", decompressed" if segment.input.compression != "none" else ""
    unpacked += ", in UTF-8" if segment.input.encoding != UTF8 else ""
    return f"{segment.input.name}: byte {position}{unpacked}"


def new_document(id: str) -> str:
    """Return the comment above the first sentence of a document."""
    return f"{NEW_DOCUMENT}{id}"


def _first_comment(name: str, content: Content) -> str:
    """Return the comment above the first sentence of a stretch, or an empty string if it needs none."""
    if content.start == 0:
        return new_document(name)
    return "" if content.follows else f"# continues = {name}"


def _one_line(id: object) -> str:
    """Return an id in a form that fits into a comment."""
    return " ".join(str(id).encode("utf-8", "replace").decode().split())


def _texts(content: Content, segment: Segment) -> Iterator[Item]:
    name, begins = _one_line(segment.input.name), content.start == 0
    place = name if begins else _place(segment, content.start)
    try:
        text = content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        position = _place(segment, content.start + error.start)
        reason = not_decodable(content.data, error.start, offset=content.start)
        yield Failed(name, position, reason, content.data.decode("utf-8", "backslashreplace"))
        return
    text = text.removeprefix(BOM) if begins else text
    yield Text(name, place, text, _first_comment(name, content), begins, content.continues, segment.input.kind)


def _json_documents(content: Content, segment: Segment, settings: CorpusSettings) -> Iterator[Item]:
    name, position = _one_line(segment.input.name), content.start
    for line in BytesIO(content.data):
        if line.strip():
            yield _json_document(line, name, position, _place(segment, position), settings)
        position += len(line)


def _json_document(line: bytes, name: str, position: int, place: str, settings: CorpusSettings) -> Item:
    id = f"{name}@{position}"
    failed = partial(Failed, place=place, text=line.decode("utf-8", "backslashreplace").rstrip("\r\n"))
    try:
        found = json.loads(line.decode("utf-8-sig" if position == 0 else "utf-8"))
    except UnicodeDecodeError as error:
        return failed(
            id,
            reason=(
                f"byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8; convert the file to "
                "UTF-8 first"
            ),
        )
    except (ValueError, RecursionError) as error:
        return failed(id, reason=f"the line is not JSON: {error}; write one object per line")
    if not isinstance(found, dict) or settings.text_field not in found:
        return failed(
            id,
            reason=(
                f"there is no object with the field `{settings.text_field}`; name the field with the text with "
                "--text-field"
            ),
        )
    return _document(name, position, found.get(settings.id_field), found[settings.text_field], failed)


def row_documents(rows: Iterable[Row], segment: Segment) -> Iterator[Item]:
    """Yield the documents in rows of Parquet."""
    name = _one_line(segment.input.name)
    for number, given, text in rows:
        failed = partial(Failed, place=f"{segment.input.name}: row {number}", text=str(text))
        yield _document(name, number, given, text, failed)


def _document(name: str, number: int, given: object, text: object, failed: partial[Failed]) -> Item:
    """Make a document, identified by its own id if it has one, else by its position."""
    id = f"{name}@{number}" if given is None else f"{name}#{_one_line(given)}"
    if not isinstance(text, str):
        return failed(id, reason=f"the text is not a string but {type(text).__name__}; write it as a string")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = f"U+{ord(text[error.start]):04X}"
        return failed(
            id,
            reason=(
                f"character {error.start + 1} is half of a surrogate pair ({code}), which UTF-8 cannot represent; "
                "write the text again"
            ),
        )
    return Text(id, failed.keywords["place"], text, new_document(id))


def _sentences(content: Content, segment: Segment) -> Iterator[Item]:
    """Yield the sentences of CoNLL-U, normalised.

    `# newdoc` gets the name of the file, and every sentence ends with a line feed and a blank line.
    """
    document, position = _one_line(segment.input.name), content.start
    source = document if position == 0 else f"{document} after byte {position}"
    waiting = _first_comment(document, content)          # for the next sentence that can be read
    for _, line, block in blocks(BytesIO(content.data)):
        place = _place(segment, position)
        begun = _begun(block, _one_line(segment.input.name), position)
        document, waiting = (begun, new_document(begun)) if begun else (document, waiting)
        position += sum(map(len, block))
        try:
            sentence = parse_block(block, source, line)
        except InputError as error:
            yield Failed(document, place, str(error), b"".join(block).decode("utf-8", "backslashreplace").strip("\r\n"))
            continue
        sentence.comments = [
            *filter(None, [waiting]),
            *(comment for comment in sentence.comments if not _is_newdoc(comment)),
        ]
        sentence.before, sentence.newline, sentence.ending = "", "\n", "\n\n"
        waiting = ""
        yield sentence


def _begun(block: list[bytes], name: str, position: int) -> str | None:
    """Return the id of the document that begins with this sentence, or None.

    The id is made of the file and of what `# newdoc` names, or the position.
    """
    for line in block:
        comment = line.decode("utf-8", "replace").lstrip(BOM)
        if comment.startswith("#") and _is_newdoc(comment):
            given = comment.partition("=")[2]
            return f"{name}#{_one_line(given)}" if given.strip() else f"{name}@{position}"
    return None


def _is_newdoc(comment: str) -> bool:
    return comment[1:].partition("=")[0].split()[:1] == ["newdoc"]
