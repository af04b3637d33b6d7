"""brat's standoff format, write only.

The format has two files: a text with one sentence per line, and annotations such as `T1 NOUN 0 5 Sarah` (a word) and
`R1 nsubj Arg1:T2 Arg2:T1` (an arc). The type of a word is its UPOS. All words of a multi-word token have the span of
the token. Type names in brat consist of letters, digits, `-` and `_`; any other character is replaced by `_`, so
`nsubj:pass` becomes `nsubj_pass`. Roots have no arc.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple

from gardenpath.errors import UsageError
from gardenpath.files import replacing_text
from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Sentence, Token, Word
from gardenpath.formats.drawing import arcs

Span = tuple[int, int]
_NO_TYPE = re.compile(r"[^\w-]", re.ASCII)


class Standoff(NamedTuple):
    """The lines of one sentence in the two files."""

    text: str
    annotations: str


def write_brat(sentences: Iterable[Sentence], target: str | Path | IO[bytes]) -> None:
    """Write the annotations to a path that ends in `.ann`, and the text to the path that ends in `.txt`.

    If the text file exists and contains another text, a `UsageError` is raised and nothing is written.
    """
    if not isinstance(target, (str, Path)) or Path(target).suffix != ".ann":
        raise UsageError(
            "brat has two files; give the path of the annotations, such as notes.ann; the text is written to notes.txt"
        )
    neighbour = Path(target).with_suffix(".txt")
    with replacing_text(target) as annotations, replacing_text(neighbour) as text, _opened(neighbour) as old:
        for part in to_brat(sentences):
            if old and old.read(len(part.text)) != part.text:
                raise _would_be_lost(neighbour)
            text.write(part.text)
            annotations.write(part.annotations)
        if old and old.read(1):
            raise _would_be_lost(neighbour)


def _opened(path: Path) -> AbstractContextManager[IO[str] | None]:
    """Open a text file if it exists."""
    return open(path, encoding="utf-8", errors="replace", newline="") if path.exists() else nullcontext()


def _would_be_lost(path: Path) -> UsageError:
    return UsageError(
        f"{path} exists and does not contain the text of these sentences, one sentence per line; "
        "give the annotations another name, or remove the file"
    )


def to_brat(sentences: Iterable[Sentence]) -> Iterator[Standoff]:
    """Yield the content of the two files, sentence by sentence."""
    offset = words = relations = 0
    for sentence in sentences:
        text, spans = _placed(sentence)
        lines = []
        for word, (start, end) in zip(sentence, spans, strict=True):
            span = f"{offset + start} {offset + end}"
            lines.append(f"T{words + word.id}\t{_type(word.upos)} {span}\t{text[start:end]}\n")
        for arc in arcs(sentence):
            relations += 1
            ends = f"Arg1:T{words + arc.head} Arg2:T{words + arc.dependent}"
            lines.append(f"R{relations}\t{_type(arc.label or EMPTY)} {ends}\n")
        yield Standoff(text + "\n", "".join(lines))
        offset += len(text) + 1
        words += len(sentence)


def _type(name: str) -> str:
    return "Unknown" if name == EMPTY else _NO_TYPE.sub("_", name)


def _placed(sentence: Sentence) -> tuple[str, list[Span]]:
    """Return the text of a sentence and the span of each word in it."""
    text = sentence.text or ""
    text, spans = (text, found) if (found := _found(sentence, text)) else _made(sentence)
    return text, [span for token, span in zip(sentence.tokens, spans, strict=True) for _ in _words_of(token)]


def _found(sentence: Sentence, text: str) -> list[Span] | None:
    """Return the spans of the tokens, or None if the text is not these tokens with spaces between them."""
    end, spans = 0, []
    for token in sentence.tokens:
        start = end + len(text[end:]) - len(text[end:].lstrip())
        end = start + len(token.form)
        if text[start:end] != token.form:
            return None
        spans.append((start, end))
    return spans


def _made(sentence: Sentence) -> tuple[str, list[Span]]:
    """Build a text from the tokens, and return it with their spans."""
    text, spans = "", []
    for token in sentence.tokens:
        spans.append((len(text), len(text) + len(token.form)))
        text += token.form + ("" if items_of(token.misc).get("SpaceAfter") == "No" else " ")
    return text.removesuffix(" "), spans


def _words_of(token: Token | Word) -> range:
    return range(token.first, token.last + 1) if isinstance(token, Token) else range(token.id, token.id + 1)
