"""Checks of the content of a model file, before anything is built from it.

A model file is not trusted until it is checked. Each component declares the shape of its record and its arrays; a file
that differs raises `BadModelError`. Any other exception while a model is built is a bug.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gardenpath.core.shapes import fault_of
from gardenpath.errors import GardenpathError

LONGEST_ADDED = 1_000        # characters that a rule may add to a word at one place
LONGEST_COLUMN = 10_000      # characters of a label or a column of a tag
_UNWRITABLE = re.compile("[\t\n\r\ud800-\udfff]")
_KINDS = {"f": "F", "d": "F", "b": "I", "h": "I", "i": "I", "l": "I", "q": "I"}


class BadModelError(ValueError):
    """The content of a model file cannot be used. The message says what is missing or wrong."""


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn the package's errors about content that users can also write, such as templates, into `BadModelError`."""
    try:
        yield
    except GardenpathError as error:
        raise BadModelError(f"{what}: {error}") from None


def require(record: Any, shape: Mapping[str, Any], where: str) -> None:
    """Raise `BadModelError` unless the record has all fields of the shape. `where` names the component."""
    if fault := fault_of(record, shape, where):
        raise BadModelError(fault)


def require_arrays(arrays: Mapping[str, Any], types: Mapping[str, str], where: str, dimensions: int = 1) -> None:
    """Raise `BadModelError` unless there are all arrays, with these types (`U64`, `F32`, ...) and dimensions."""
    for name, wanted in types.items():
        if name not in arrays:
            raise BadModelError(f"{where} has no array {name!r}")
        view = memoryview(arrays[name])
        found = f"{_KINDS.get(view.format.lstrip('<=@'), 'U')}{8 * view.itemsize}"
        if found != wanted or view.ndim != dimensions:
            raise BadModelError(
                f"the array {name!r} of {where} has {view.ndim} dimensions of {found}, not {dimensions} of {wanted}"
            )


def encoded(text: str, where: str) -> bytes:
    """Return a text that native code copies in UTF-8; raise `BadModelError` if it is too long or not valid.

    A word can make a program copy the text, so a long text would need far more memory than the file is large.
    """
    if len(text) > LONGEST_ADDED:
        raise BadModelError(f"{where} adds {len(text):,} characters, more than {LONGEST_ADDED:,}")
    if _UNWRITABLE.search(text):
        raise BadModelError(f"{where} adds a character that CoNLL-U cannot represent")
    return text.encode()


def require_columns(values: Iterable[str], where: str) -> None:
    """Raise `BadModelError` unless CoNLL-U can represent the values as columns."""
    for value in values:
        if not 0 < len(value) <= LONGEST_COLUMN or _UNWRITABLE.search(value):
            raise BadModelError(f"{where} {value[:40]!r} is not a valid column of CoNLL-U")


def weight_tables(prefixes: Iterable[str]) -> dict[str, str]:
    """Return the types of the arrays of weight tables whose names begin with these prefixes."""
    return {f"{prefix}{name}": kind for prefix in prefixes for name, kind in (("slots", "U64"), ("rows", "U32"))}
