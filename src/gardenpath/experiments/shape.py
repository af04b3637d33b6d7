"""Check the types of everything in the settings file of an experiment, before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gardenpath.errors import UsageError
from gardenpath.parsing.parser import MAX_BEAM

DECODE = "decode"       # the beam size for parsing, independent of training
_KINDS: dict[str, tuple[type, str]] = {
    "title": (str, "a string"), "notes": (str, "a string"), "score": (str, "a string"), "input": (str, "a string"),
    "baseline": (str, "the name of a condition"), "speed": (bool, "true or false"),
    "settings": (dict, "a table, [settings]"), "seeds": (list, "a list of integers, such as [1, 2, 3]"),
}


def check_shape(content: dict[str, Any]) -> None:
    """Raise `UsageError` if a value of the settings file has a wrong type."""
    for key, (kind, what) in _KINDS.items():
        if key in content and not isinstance(content[key], kind):
            raise UsageError(f"{key} must be {what}, not {content[key]!r}")
    for key in ("grid", "compare"):
        tables = content.get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise UsageError(f"{key} must be a list of tables; write [[{key}]] with two brackets")
    for grid in content.get("grid", []):
        _check_grid(grid)
    for table in content.get("compare", []):
        for key, value in table.items():
            if key not in ("first", "second", "claim") or not isinstance(value, str):
                raise UsageError(f"a [[compare]] has the strings first, second and claim, not {key} = {value!r}")
    _check_treebanks(content.get("treebanks", []))


def _check_grid(grid: dict[str, Any]) -> None:
    if not isinstance(grid.get("name", ""), str):
        raise UsageError(f"the name of a [[grid]] must be a string, not {grid['name']!r}")
    for key, value in grid.items():
        if value == []:
            raise UsageError(f"{key} in a [[grid]] has no values; give one, or leave it out")
        try:
            json.dumps(value)
        except TypeError:
            raise UsageError(f"{key} in a [[grid]] cannot be a date or a time") from None
    widths = grid.get(DECODE, 1)
    for width in widths if isinstance(widths, list) else [widths]:
        if type(width) is not int or not 1 <= width <= MAX_BEAM:
            raise UsageError(f"{DECODE} must be a beam width from 1 to {MAX_BEAM}, not {width!r}")


def _check_treebanks(treebanks: Any) -> None:
    folders: Iterable[Any]
    if isinstance(treebanks, dict):
        folders = treebanks.values()
        for name in treebanks:
            if not name or name.startswith(".") or not name.isprintable() or "/" in name or "\\" in name:
                raise UsageError(f"{name!r} cannot be the name of a treebank, because folders are named after it")
    else:
        folders = treebanks if isinstance(treebanks, list) else [None]
        folders = [folder if folder not in ("", ".", "..") else None for folder in folders]
    for where in folders:
        files = where.values() if isinstance(where, dict) and isinstance(treebanks, dict) else [where]
        if not where or not all(isinstance(file, str) for file in files):
            raise UsageError(
                "treebanks must be a list of folders, or a table of names with folders or with files such as "
                '{train = "a.conllu", test = "b.conllu"}'
            )
