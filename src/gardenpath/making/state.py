"""The folder of a model in the making: what an interrupted command has finished, for the next one to continue from."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gardenpath import version as package
from gardenpath.files import locked, replacing_text
from gardenpath.models.settings import Settings

FOLDER = ".making"              # in the folder of the installed models
RECORD, LOCK = "state.json", "lock"


class MakingState:
    """The state of a model in the making. It is valid for one version, one treebank and one choice of settings."""

    def __init__(self, models: Path, name: str) -> None:
        self.folder = models / FOLDER / re.sub(r"[^\w-]+", "_", name)         # the name may be anything
        self.model = self.folder / "model.gp"
        self.scored_model = self.folder / "scored.gp"
        self.checkpoint = self.folder / "model.gp.checkpoint"

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Create the folder, and keep other processes from using it. A folder in which nothing is done is removed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with locked(self.folder / LOCK, f"another process is making the model {name}; wait until it has finished"):
                yield
        finally:
            if [path.name for path in self.folder.iterdir()] == [LOCK]:
                self.discard()

    def begin(self, settings: Settings, files: list[Path], treebank: dict[str, Any]) -> bool:
        """Return whether training is finished already. Discard what was trained with other settings or files."""
        identity = {
            "gardenpath": package.__version__, "settings": settings.to_flat_dict(), "treebank": treebank,
            "files": {path.name: _digest(path) for path in files},
        }
        stored = self._read()
        if stored.get("identity") != identity:
            self.model.unlink(missing_ok=True)
            self.checkpoint.unlink(missing_ok=True)
            self._write({"identity": identity, "is_trained": False})
            return False
        return bool(stored.get("is_trained")) and self.model.exists()

    def finish_training(self) -> None:
        """Record that the model is the result of the whole training."""
        self._write(self._read() | {"is_trained": True})
        self.checkpoint.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.parent.is_dir() and not any(self.folder.parent.iterdir()):
            self.folder.parent.rmdir()

    def _read(self) -> dict[str, Any]:
        try:
            stored = json.loads((self.folder / RECORD).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return stored if isinstance(stored, dict) else {}

    def _write(self, record: dict[str, Any]) -> None:
        with replacing_text(self.folder / RECORD) as file:
            json.dump(record, file)


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
