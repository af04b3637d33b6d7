"""Tamper with each array and record of a model file, and load the result. A program, so that a crash is noticed.

    python tamper_files.py MODEL FOLDER

A file must raise `InputError`, or give a model whose parses are trees.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Word
from gardenpath.trees import find_problems

FORMS = ("The", "old", "man", "the", "boats", "Ünknown", "x" * 40, ".")
MUST_FAIL, MAY_FAIL = True, False
OPTIONAL = ("network.rule_inputs", "network.lemmas.known")   # models of earlier versions do not have them
ANY_LENGTH = ("network.lemmas.known",)


def tampered(array: np.ndarray) -> Iterator[tuple[str, np.ndarray, bool]]:
    """Yield a name, a changed array, and whether no model can be made of it."""
    other = np.float64 if array.dtype != np.float64 else np.float32
    yield "retyped", array.astype(other), MUST_FAIL
    yield "same size, other type", array.view(np.uint8 if array.dtype != np.uint8 else np.int8), MUST_FAIL
    yield "one row less", array[:-1], MUST_FAIL
    yield "one row more", np.concatenate([array, array[-1:]]), MUST_FAIL
    yield "empty", array[:0], MUST_FAIL
    yield "flat", array.reshape(-1) if array.ndim > 1 else array.reshape(-1, 1), MUST_FAIL
    if array.ndim > 1:
        yield "turned", np.ascontiguousarray(array.T), array.shape[0] != array.shape[1]
        yield "one column less", np.ascontiguousarray(array[:, :-1]), MUST_FAIL
        yield "no column", np.ascontiguousarray(array[:, :0]), MUST_FAIL
    if array.dtype.kind == "f":
        for value in (np.nan, np.inf, -np.inf):
            one = array.copy()
            one.reshape(-1)[-1] = value
            yield f"one {value}", one, MUST_FAIL
        for value in (3e38, -3e38, 1e-45, 0, -1, 1e20):
            yield f"all {value}", np.full_like(array, value), MAY_FAIL
        yield "large", array * np.float32(1e15), MAY_FAIL
    else:
        largest = np.iinfo(array.dtype).max
        yield "all largest", np.full_like(array, largest), MAY_FAIL
        yield "all smallest", np.full_like(array, np.iinfo(array.dtype).min), MAY_FAIL
        yield "all ones", np.ones_like(array), MAY_FAIL
        for value in (largest, largest // 2, len(array)):
            one = array.copy()
            one.reshape(-1)[-1] = value if value <= largest else largest
            yield f"last is {value}", one, MAY_FAIL
        yield "reversed", np.ascontiguousarray(array[::-1]), MAY_FAIL


def wrong_records(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield a name, a changed record of the model, and whether no model can be made of it."""
    for name in ("tags", "rules"):
        yield f"no {name}", {key: value for key, value in record.items() if key != name}, MUST_FAIL
        for value in (None, 3, "x", {}, [], [[]], [None], [[1]], record[name][:-1]):
            yield f"{name} are {value!r:.30}", record | {name: value}, MUST_FAIL
    yield "one tag more", record | {"tags": [*record["tags"], record["tags"][0]]}, MUST_FAIL
    yield "one rule more", record | {"rules": [*record["rules"], record["rules"][0]]}, MAY_FAIL
    for tag in (["a", "b"], ["a", "b", 3], "abc", ["a", "b", "c", "d"], ["a", None, "c"]):
        yield f"tag {tag}", record | {"tags": [tag, *record["tags"][1:]]}, MUST_FAIL
    for tag in (["", "", ""], record["tags"][1]):
        yield f"tag {tag!a}", record | {"tags": [tag, *record["tags"][1:]]}, MAY_FAIL
    for rule, must_fail in (
        ([0, 0, "", 0, 3], MUST_FAIL), ([0, 0, ""], MUST_FAIL), ([0.5, 0, "", 0, ""], MUST_FAIL),
        ([-1, 0, "", 0, ""], MUST_FAIL), ([0, -5, "", -5, ""], MUST_FAIL), ([2**40, 0, "", 0, ""], MUST_FAIL),
        ([2**31 - 1, 2**31 - 1, "", 2**31 - 1, ""], MAY_FAIL), ([7, 0, "", 0, ""], MAY_FAIL),
        ([0, 2**30, "a", 2**30, "b"], MAY_FAIL),
    ):
        yield f"rule {rule!a}", record | {"rules": [rule, *record["rules"][1:]]}, must_fail


class Tampering:
    """A model file, and the results of its changes."""

    def __init__(self, path: Path, folder: Path) -> None:
        arrays, self.record = storage.load(path)
        self.arrays = {name: np.array(array) for name, array in arrays.items() if not name.endswith(".gap")}
        self.target = folder / "tampered.gp"
        self.tried = self.refused = 0
        self.problems: list[str] = []

    def try_to_load(self, what: str, arrays: dict[str, np.ndarray], record: dict[str, Any], must_fail: bool) -> None:
        """Save and load a changed model, and parse with it if it can be loaded."""
        print(what, flush=True)                      # the last line shows where a crash happened
        self.tried += 1
        storage.save(self.target, arrays, record)
        try:
            model = gp.load(self.target)
        except InputError:
            self.refused += 1
            return
        except BaseException as error:
            self.problems.append(f"{what}: {type(error).__name__}: {error}")
            return
        if must_fail:
            self.problems.append(f"{what}: the model was loaded")
        self.try_to_parse(what, model)

    def try_to_parse(self, what: str, model: gp.Model) -> None:
        """Parse with a model that was loaded."""
        try:
            for beam in (1, 3):
                sentence = Sentence([Word(i, form) for i, form in enumerate(FORMS, 1)])
                (parsed,) = model.parse([sentence], beam=beam)
                if found := list(find_problems(parsed.heads, single_root=True)):
                    self.problems.append(f"{what}: {found}")
        except BaseException as error:
            self.problems.append(f"{what}: in a parse: {type(error).__name__}: {error}")

    def run(self) -> None:
        """Try all changes."""
        for name, array in self.arrays.items():
            if not name.startswith("network."):
                continue
            rest = {key: value for key, value in self.arrays.items() if key != name}
            self.try_to_load(f"{name}: removed", rest, self.record, name not in OPTIONAL)
            for what, changed, must_fail in tampered(array):
                may_load = name in ANY_LENGTH and what in ("one row less", "one row more")
                self.try_to_load(f"{name}: {what}", rest | {name: changed}, self.record, must_fail and not may_load)
        self.try_to_load("nothing", {}, self.record, MUST_FAIL)
        for what, record, must_fail in wrong_records(self.record):
            self.try_to_load(what, self.arrays, record, must_fail)


if __name__ == "__main__":
    os.fsync = lambda descriptor: None               # hundreds of files are written, and none needs to last
    tampering = Tampering(Path(sys.argv[1]), Path(sys.argv[2]))
    tampering.run()
    print(f"{tampering.tried} files, {tampering.refused} refused")
    print("\n".join(tampering.problems), file=sys.stderr)
    sys.exit(bool(tampering.problems))
