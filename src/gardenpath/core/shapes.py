"""Shapes of values from JSON, and whether a value or a file has a shape.

A shape is a type, a list of one shape (a list of any length), a tuple of shapes (a list of that length), a mapping of
field names to shapes, `Maybe(shape)`, or `OneOf(shape, ...)`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_WHOLE = 2**31       # whole numbers must be smaller than this


class Maybe:
    """A shape that may also be null."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


class OneOf:
    """A shape that has one of several shapes."""

    def __init__(self, *shapes: Any) -> None:
        self.shapes = shapes


def read_record(path: Path, shape: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Read a JSON file that has a shape. Raise `ValueError` if it is damaged; `where` names the record."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError(str(error)) from None
    if fault := fault_of(record, shape, where):
        raise ValueError(fault)
    return record


def fault_of(record: Any, shape: Mapping[str, Any], where: str) -> str:
    """Return what keeps a record from having all fields of a shape, or an empty string. `where` names the record."""
    if not isinstance(record, dict):
        return f"{where} is not a table"
    for name, part in shape.items():
        if name not in record:
            return f"{where} has no {name!r}"
        if not matches(record[name], part):
            return f"{name!r} of {where} is not valid"
    return ""


def matches(value: Any, shape: Any) -> bool:
    """Return whether a value has a shape."""
    if isinstance(shape, Maybe):
        return value is None or matches(value, shape.shape)
    if isinstance(shape, OneOf):
        return any(matches(value, each) for each in shape.shapes)
    if isinstance(shape, list):
        return isinstance(value, (list, tuple)) and all(matches(each, shape[0]) for each in value)
    if isinstance(shape, tuple):
        is_long = isinstance(value, (list, tuple)) and len(value) == len(shape)
        return is_long and all(map(matches, value, shape))
    if isinstance(shape, Mapping):
        return isinstance(value, dict) and all(
            name in value and matches(value[name], part) for name, part in shape.items()
        )
    if shape is int:
        return isinstance(value, int) and not isinstance(value, bool) and -_WHOLE < value < _WHOLE
    if shape is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, shape)
