"""The records of runs: one folder of plain files per run, which is complete or absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gardenpath.core.shapes import Maybe, read_record
from gardenpath.errors import InputError
from gardenpath.experiments.run import MODEL, RECORD, SENTENCES, Files
from gardenpath.files import locked, replacing_text

RUNS, FAILURES = "runs", "failures"
_PARSE = {
    "file": str, "beam": Maybe(int), "words_per_second": float, "conditions": str, "scores": dict, "by_length": dict,
    "by_projectivity": dict, "by_crossing": dict,
}
_RECORD = {
    "key": str, "gardenpath": str, "settings": dict, "sentences": int, "words": int, "curve": [dict], "best_pass": int,
    "parses": [_PARSE], "repairs": Maybe(dict), "began": str, "machine": dict, "memory_mb": float,
    "seconds": {"training_cpu": float, "all": float},
}
_COUNTS = dict.fromkeys(("lengths", "counted", "right_heads", "right_labels", "right_both"), list)


class RunRecords:
    """The records in a folder, which several experiments may share: `runs/KEY/run.json` and the files next to it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, key: str) -> Path:
        """Return the folder of a record, which may not exist yet."""
        return self.folder / RUNS / key

    def has(self, key: str, *, model: bool = False) -> bool:
        """Return whether the run is recorded; with `model`, whether it is recorded with its model."""
        return (self.path(key) / (MODEL if model else RECORD)).is_file()

    def read(self, key: str) -> dict[str, Any]:
        """Read the record of a run."""
        return self._read(key, RECORD, _RECORD)

    def sentences(self, key: str, file: str) -> dict[str, list[int]]:
        """Read the counts for each sentence of a file of parses."""
        return self._read(key, SENTENCES, {file: _COUNTS})[file]

    def _read(self, key: str, name: str, shape: dict[str, Any]) -> dict[str, Any]:
        path = self.path(key) / name
        try:
            return read_record(path, shape, "the record")
        except (OSError, ValueError) as error:
            raise InputError(
                f"{path}: the file is not the record of a run of this version ({error}); remove its folder and run the "
                "experiment again"
            ) from None

    def write(self, key: str, files: Files) -> None:
        """Record a run.

        The folder is written under another name and then renamed, so that a kill leaves no partial record.
        """
        target = self.path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{key}.{os.urandom(8).hex()}")
        beside.mkdir()
        for name, content in files.items():
            with open(beside / name, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        if target.exists():              # a record without the model, which is required now
            shutil.rmtree(target)
        os.rename(beside, target)
        (self.folder / FAILURES / f"{key}.txt").unlink(missing_ok=True)

    def write_failure(self, key: str, reason: str) -> None:
        """Write why a run failed. It is not recorded, so the next start retries it."""
        path = self.folder / FAILURES / f"{key}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing_text(path) as file:
            file.write(reason.rstrip() + "\n")

    def has_failed(self, key: str) -> bool:
        """Return whether an unrecorded run failed at its last attempt."""
        return (self.folder / FAILURES / f"{key}.txt").is_file()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other writers, and remove partial records of interrupted runs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(
            self.folder / ".lock",
            f"{self.folder}: another experiment is writing to this folder; wait until it ends, or give another folder "
            "with --output",
        ):
            for rest in (self.folder / RUNS).glob(".*"):
                shutil.rmtree(rest, ignore_errors=True)
            yield
