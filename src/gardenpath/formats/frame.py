"""Words as a data frame of pandas or, where that is not installed, of Polars."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from gardenpath.document import EMPTY, Sentence, Word
from gardenpath.errors import UsageError

NUMBERS = ("sentence", "id", "head", "start", "end")
COLUMNS = ("sentence", "sent_id", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "start", "end")


def to_dataframe(sentences: Iterable[Sentence]) -> Any:
    """A row a word: the number of its sentence from 1 on, sent_id, its columns (missing where they are `_`), where it stands in the text."""
    library = _library()
    rows = [_row(number, sentence.sent_id, word) for number, sentence in enumerate(sentences, 1) for word in sentence]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(COLUMNS)}
    if library.__name__ == "pandas":
        return library.DataFrame({name: library.array(values, dtype="Int64" if name in NUMBERS else "string") for name, values in columns.items()})
    return library.DataFrame(columns, schema={name: library.Int64 if name in NUMBERS else library.String for name in COLUMNS})


def _library() -> ModuleType:
    for name in ("pandas", "polars"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise UsageError("data frames need pandas or Polars: pip install pandas")


def _row(number: int, sent_id: str | None, word: Word) -> tuple[int | str | None, ...]:
    def known(column: str) -> str | None:
        return None if column == EMPTY else column

    columns = (known(word.lemma), known(word.upos), known(word.xpos), known(word.feats), word.head, known(word.deprel), known(word.deps), known(word.misc))
    return number, sent_id, word.id, word.form, *columns, word.start, word.end
