"""CoNLL-U, read lazily and written back byte for byte.

The reader checks the format (columns, ids, numbers). `gardenpath.treebank` checks whether the heads form a tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from gardenpath.errors import InputError
from gardenpath.files import opened, replacing_text
from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token, Word
from gardenpath.formats.encoding_guess import guess
from gardenpath.formats.joining import BOM, conllu_parts
from gardenpath.interruption import check

Source = str | Path | IO[bytes]
OnError = Callable[[InputError], None]
LineReader = Callable[[Sentence, str], None]
_HEADS = {str(number): number for number in range(200)}
MIXED = "line ends are mixed; use either LF or CRLF throughout"
LONE_CR = "a carriage return (CR) that does not end a line; use either LF or CRLF as the line end throughout"
DIGITS = 9               # maximum number of digits of a word number
_LONE_CR = re.compile("\r(?!\n)")


def read_conllu(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-U file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`. With `on_error`, the error is passed to that function instead,
    and reading continues with the next sentence.
    """
    return read_blocks(source, read_line, on_error)


def write_conllu(sentences: Iterable[Sentence], target: str | Path | IO[str]) -> None:
    """Write sentences as CoNLL-U to a path or an open text file."""
    if isinstance(target, (str, Path)):
        # The file is replaced after all sentences are written, because they may be read from the same file.
        with replacing_text(target) as file:
            write_conllu(sentences, file)
        return
    target.writelines(conllu_parts(sentences))


def read_blocks(source: Source, line_reader: LineReader, on_error: OnError | None) -> Iterator[Sentence]:
    """Read sentences separated by blank lines.

    `line_reader` adds a line to its sentence, or raises a `ValueError` that describes the problem.
    """
    for name, first, block in blocks(source):
        check()
        try:
            yield parse_block(block, name, first, line_reader)
        except InputError as error:
            if on_error is None:
                raise
            on_error(error)


def blocks(source: Source) -> Iterator[tuple[str, int, list[bytes]]]:
    """Yield one block per sentence as (file name, first line number, lines), with its trailing blank lines."""
    name = source_name(source)
    with opened(source) as file:
        block: list[bytes] = []
        start, content, closed = 1, False, False
        for number, line in enumerate(file, 1):
            blank = (line.removeprefix(BOM.encode()) if number == 1 else line) in (b"\n", b"\r\n")
            if closed and not blank:
                yield name, start, block
                block, start, content, closed = [], number, False, False
            block.append(line)
            content = content or not blank
            closed = content and blank
        if content:
            yield name, start, block


def source_name(source: Source) -> str:
    """Return the name of a source for messages."""
    if source == "-":
        return "<stdin>"
    return str(source if isinstance(source, (str, Path)) else getattr(source, "name", "<stream>"))


def parse_block(block: list[bytes], name: str, first: int, line_reader: LineReader | None = None) -> Sentence:
    """Parse one sentence from its lines. `name` and `first`, its first line number, are used in messages."""
    try:
        text = b"".join(block).decode("utf-8")
    except UnicodeDecodeError:
        raise _undecodable(block, name, first) from None
    if "\r" in text and (found := _LONE_CR.search(text)):
        raise InputError(message(name, first + text.count("\n", 0, found.start()), Sentence(), LONE_CR))
    sentence = Sentence()
    body = text.lstrip(BOM + "\r\n")
    sentence.before = text[: len(text) - len(body)]
    stripped = body.rstrip("\r\n")
    sentence.ending = body[len(stripped) :]
    first += sentence.before.count("\n")
    sentence.place = f"{name}:{first}"
    if "\r\n" in (stripped if "\n" in stripped else sentence.ending):
        sentence.newline = "\r\n"
    for number, line in enumerate(stripped.split(sentence.newline), first):
        try:
            (line_reader or read_line)(sentence, line)
        except ValueError as error:
            raise InputError(message(name, number, sentence, str(error))) from None
    if not sentence._words:
        problem = "no words below these comments; remove them or add the sentence"
        raise InputError(message(name, first, sentence, problem))
    _check_last_range(sentence, name, first)
    return sentence


def message(name: str, number: int, sentence: Sentence, problem: str) -> str:
    """Return the message for a problem: `file:line: sent_id=...: problem`."""
    identity = f" sent_id={sentence.sent_id}:" if sentence.sent_id else ""
    return f"{name}:{number}:{identity} {problem}"


def excerpt(text: str, length: int = 40) -> str:
    """Return a text for a message, without its end if it is long."""
    return text if len(text) <= length else f"{text[: length - 3]}..."


def read_comment(sentence: Sentence, line: str) -> bool:
    """Add the line to the sentence if it is a comment above the words, and return whether it is."""
    if not line.startswith("#") or sentence._words or sentence._ranges or sentence.empty_nodes:
        return False
    if "\n" in line:
        raise ValueError(MIXED)
    sentence.comments.append(line)
    return True


def split_columns(line: str, expected: int = 10) -> list[str]:
    """Split a line into columns, and check that there are `expected` columns and that none is empty."""
    columns = line.split("\t")
    if "\n" in line or "\r" in line:
        raise ValueError(MIXED)
    if line.startswith("#") and len(columns) == 1:
        raise ValueError("a comment among the words; put an empty line before it, or move it above them")
    if len(columns) != expected:
        found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
        raise ValueError(f"{found} instead of {expected}; columns are separated by single tabs, an empty one is `_`")
    if "" in columns:
        raise ValueError(f"column {columns.index('') + 1} is empty; write `_`")
    return columns


def items_of(column: str) -> dict[str, str | None]:
    """Return the items of a column such as MISC as a dictionary. An item without `=` has the value None."""
    items = (item.partition("=") for item in column.split("|") if column != EMPTY)
    return {key: value if equals else None for key, equals, value in items}


def check_next(sentence: Sentence, identity: str) -> None:
    """Check that the words are numbered 1, 2, 3, ..."""
    expected = len(sentence._words) + 1
    if identity != str(expected):
        known = is_number(identity) and 1 <= int(identity) < expected
        found = f"{'duplicate ' if known else ''}id {excerpt(identity)}"
        raise ValueError(f"{found} where {expected} is expected; number the words 1, 2, 3, ...")


def is_number(text: str) -> bool:
    """Return whether a text is a whole number as CoNLL-U prints it, and not larger than any sentence is long."""
    return len(text) <= DIGITS and text.isdecimal() and str(int(text)) == text


def read_head(text: str) -> int | None:
    """Parse the HEAD column; `_` gives None."""
    if text == EMPTY:
        return None
    if not is_number(text):
        raise ValueError(f"HEAD {excerpt(text)!r} is not a word number; use 0 for the root or `_` for no head")
    return int(text)


def read_line(sentence: Sentence, line: str) -> None:
    """Add a line to its sentence. A `ValueError` describes what is wrong with the line."""
    columns = line.split("\t")
    number = len(sentence._words) + 1
    # Fast path for a word with the expected id, which nearly every line is.
    if len(columns) == 10 and columns[0] == str(number) and "" not in columns and "\n" not in line and "\r" not in line:
        _, form, lemma, upos, xpos, feats, head, deprel, deps, misc = columns
        known = _HEADS.get(head)
        number_of_head = read_head(head) if known is None else known
        sentence._words.append(Word(number, form, lemma, upos, xpos, feats, number_of_head, deprel, deps, misc))
    elif not read_comment(sentence, line):
        _read_node(sentence, line)


def _read_node(sentence: Sentence, line: str) -> None:
    columns = split_columns(line)
    identity, form = columns[:2]
    if identity.isdecimal():
        check_next(sentence, identity)
    elif "-" in identity:
        _check_range(sentence, identity)
        read_head(columns[6])
        sentence._ranges.append(Token(*_numbers(identity, "-"), form, tuple(columns[2:])))
    elif "." in identity:
        _check_empty_node(sentence, identity)
        read_head(columns[6])
        sentence.empty_nodes.append(EmptyNode(*_numbers(identity, "."), form, tuple(columns[2:])))
    else:
        raise ValueError(f"id {excerpt(identity)!r} is neither a word (3), a range (3-4) nor an empty node (3.1)")


def _check_range(sentence: Sentence, identity: str) -> None:
    start, end = _numbers(identity, "-")
    if start != len(sentence._words) + 1 or end < start:
        raise ValueError(f"range {identity} must come directly before word {start} and must not end before it starts")
    if sentence._ranges and sentence._ranges[-1].last >= start:
        raise ValueError(f"range {identity} overlaps the range before it; a word belongs to one range at most")


def _check_empty_node(sentence: Sentence, identity: str) -> None:
    after, index = _numbers(identity, ".")
    before = sentence.empty_nodes[-1] if sentence.empty_nodes else None
    expected = before.index + 1 if before and before.after == after else 1
    if after != len(sentence._words) or index != expected:
        allowed = f"{len(sentence._words)}.{expected}"
        raise ValueError(f"empty node {identity} is out of order; only empty node {allowed} can follow here")
    if sentence._ranges and sentence._ranges[-1].first > after:
        raise ValueError(f"empty node {identity} separates a range from its first word; put it before the range")


def _numbers(identity: str, separator: str) -> tuple[int, int]:
    left, _, right = identity.partition(separator)
    if not is_number(left) or not is_number(right):
        raise ValueError(f"id {excerpt(identity)!r} is not two numbers joined by `{separator}`")
    return int(left), int(right)


def _check_last_range(sentence: Sentence, name: str, first: int) -> None:
    if sentence._ranges and sentence._ranges[-1].last > len(sentence._words):
        last = sentence._ranges[-1]
        problem = f"range {last.first}-{last.last} reaches beyond the last word {len(sentence._words)}"
        remedy = "correct its end or add the words"
        raise InputError(message(name, line_of(sentence, last, first), sentence, f"{problem}; {remedy}"))


def line_of(sentence: Sentence, node: Word | Token | EmptyNode, first: int) -> int:
    """Return the line number of a node, given the line number where the sentence starts."""
    lines = lines_of(sentence, first)
    # A range without its first word is not among the nodes. It is the last line.
    return lines.get(id(node), first + len(sentence.comments) + len(lines))


def lines_of(sentence: Sentence, first: int) -> dict[int, int]:
    """Return the line numbers of all nodes by their identity (`id`)."""
    return {id(node): line for line, node in enumerate(sentence.nodes(), first + len(sentence.comments))}


def _undecodable(block: list[bytes], name: str, first: int) -> InputError:
    for number, line in enumerate(block, first):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"byte {error.start + 1} of the line (0x{line[error.start]:02x})"
            found = guess(line, is_whole=True)
            hint = f" (gardenpath convert --encoding {found})" if found else ""
            return InputError(f"{name}:{number}: {byte} is not UTF-8; convert the file to UTF-8 first{hint}")
    return InputError(f"{name}:{first}: the sentence is not UTF-8; convert the file to UTF-8 first")
