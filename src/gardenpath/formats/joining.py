"""The text of several sentences in one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gardenpath.formats.document import Sentence

BOM = "\ufeff"


def conllu_parts(sentences: Iterable[Sentence], *, confidence: bool = False) -> Iterator[str]:
    """Yield sentences as CoNLL-U, so that they can be written to one file; see `Sentence.to_conllu`."""
    return separated((sentence, sentence.to_conllu(confidence=confidence)) for sentence in sentences)


def separated(texts: Iterable[tuple[Sentence, str]]) -> Iterator[str]:
    """Yield the texts of sentences, for one file.

    If the file of a sentence ended without an empty line, the next text begins with it. A byte order mark stays only
    at the start.
    """
    last: Sentence | None = None
    for sentence, text in texts:
        if last is None:
            yield text
        else:
            yield last.newline * max(2 - last.ending.count("\n"), 0) + text.removeprefix(BOM)
        last = sentence
