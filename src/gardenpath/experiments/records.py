"""The records of runs: a folder of plain files for each, which is there whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.run import MODEL, RECORD, SENTENCES, Files
from gardenpath.files import locked, replacing_text

RUNS, FAILURES = "runs", "failures"


class Records:
    """The records in a folder, which several experiments may share: `runs/KEY/run.json` and what lies beside it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, key: str) -> Path:
        """Where the record of a run is, or will be."""
        return self.folder / RUNS / key

    def has(self, key: str, *, model: bool = False) -> bool:
        """Is the run recorded, and with its model if that is asked for?"""
        return (self.path(key) / (MODEL if model else RECORD)).is_file()

    def read(self, key: str) -> dict[str, Any]:
        """What was recorded of a run."""
        return self._read(key, RECORD)

    def sentences(self, key: str) -> dict[str, Any]:
        """The counts for each sentence, by the file of parses."""
        return self._read(key, SENTENCES)

    def _read(self, key: str, name: str) -> dict[str, Any]:
        path = self.path(key) / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: not a record of a run ({error}); remove its folder and run the experiment again") from None

    def write(self, key: str, files: Files) -> None:
        """Record a run: beside its place first, then by one renaming, so that a kill at any moment leaves a whole record or none."""
        target = self.path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{key}.{os.urandom(8).hex()}")
        beside.mkdir()
        for name, content in files.items():
            with open(beside / name, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        if target.exists():              # a record without its model, which is wanted now
            shutil.rmtree(target)
        os.rename(beside, target)
        (self.folder / FAILURES / f"{key}.txt").unlink(missing_ok=True)

    def write_failure(self, key: str, reason: str) -> None:
        """Write down why a run failed; it is not recorded, so starting again tries it again."""
        path = self.folder / FAILURES / f"{key}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing_text(path) as file:
            file.write(reason.rstrip() + "\n")

    def has_failed(self, key: str) -> bool:
        """Has a run that is not recorded failed, when it was last tried?"""
        return (self.folder / FAILURES / f"{key}.txt").is_file()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from writing here at the same time; what an interrupted run left half-written is cleared away."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / ".lock", f"{self.folder}: another experiment is writing here; wait for it, or give another folder with --output"):
            for rest in (self.folder / RUNS).glob(".*"):
                shutil.rmtree(rest, ignore_errors=True)
            yield
