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
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.drawing import arcs
from gardenpath.formats.spacing import Offsets, placed

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


def _placed(sentence: Sentence) -> tuple[str, list[Offsets]]:
    """Return the text of a sentence and the offsets of each word in it."""
    text, offsets = placed(sentence)
    return text, [place for token, place in zip(sentence.tokens, offsets, strict=True) for _ in token.word_ids]
