"""What an experiment is: treebanks, conditions and seeds, and the runs that come of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import gardenpath
from gardenpath.files import digest
from gardenpath.models.settings import Settings

PARTS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class Treebank:
    """A treebank by the name it has in tables, and its files."""

    name: str
    train: Path
    dev: Path | None = None
    test: Path | None = None

    def file(self, part: str) -> Path:
        """The file that parses are scored against: `test` or `dev`."""
        path = self.files().get(part)
        assert path is not None      # the plan has seen to it
        return path

    def digests(self) -> dict[str, str]:
        """The SHA-256 of each file: what a result holds for."""
        return {part: digest(path) for part, path in self.files().items()}

    def files(self) -> dict[str, Path]:
        """The files there are, by part."""
        return {part: path for part in PARTS if (path := getattr(self, part)) is not None}


@dataclass(frozen=True, slots=True)
class Run:
    """One training and what is parsed with it: with each of the beams (None: that of the settings)."""

    treebank: Treebank
    settings: Settings
    beams: tuple[int | None, ...] = (None,)
    score: str = "test"

    @property
    def key(self) -> str:
        """The name of its record: the same for the same settings, files and version, whatever experiment asks for it."""
        settings = self.settings.to_flat_dict() | {name: digest(path) for name, path in self._named_files().items()}
        identity = {
            "gardenpath": gardenpath.__version__, "settings": settings, "treebank": self.treebank.digests(), "beams": self.beams, "score": self.score,
        }
        hashed = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        return f"{self.treebank.name}-{self.settings.system}-{self.settings.oracle}-seed{self.settings.seed}-{hashed[:12]}"

    def files(self) -> list[Path]:
        """Every file that the run reads: those of the treebank, and those that the settings name."""
        return [*self.treebank.files().values(), *self._named_files().values()]

    def moved(self, places: Mapping[Path, Path]) -> Run:
        """The same run with its files in other places; its key stays what it is."""
        files: dict[str, Any] = {part: places[path] for part, path in self.treebank.files().items()}
        named = {name: str(places[path]) for name, path in self.settings.paths().items() if path in places}
        return replace(self, treebank=replace(self.treebank, **files), settings=self.settings.changed(**named))

    def _named_files(self) -> dict[str, Path]:
        return {name: path for name, path in self.settings.paths().items() if path.is_file()}


@dataclass(frozen=True, slots=True)
class Condition:
    """One line of a table: settings, and the beam that parses are looked for with, if it is not that of the settings."""

    name: str
    settings: dict[str, Any]
    beam: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Two conditions to compare, and what is claimed of them."""

    first: str
    second: str
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment: everything the settings file says, with nothing left to be found out."""

    name: str
    title: str
    treebanks: list[Treebank]
    conditions: list[Condition]
    seeds: list[int]
    baseline: str
    claims: list[Claim] = field(default_factory=list)
    notes: str = ""
    score: str = "test"
    speed: bool = False      # measure all conditions in turns when the runs are done

    def runs(self) -> list[Run]:
        """All runs, each once: by seeds first, so that what is there early covers everything."""
        every = [self.run(condition, treebank, seed) for seed in self.seeds for treebank in self.treebanks for condition in self.conditions]
        return list({run.key: run for run in every}.values())

    def run(self, condition: Condition, treebank: Treebank, seed: int) -> Run:
        """The run that a condition is measured by; conditions that differ in the beam of parsing alone share one."""
        beams = tuple(other.beam for other in self.conditions if other.settings == condition.settings)
        return Run(treebank, Settings.of(**condition.settings, seed=seed), beams, self.score)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values, with the key of each run."""
        cells = [(condition, treebank, seed) for condition in self.conditions for treebank in self.treebanks for seed in self.seeds]
        return {
            "name": self.name, "title": self.title, "notes": self.notes, "score": self.score, "baseline": self.baseline, "seeds": self.seeds,
            "speed": self.speed,
            "treebanks": [treebank.name for treebank in self.treebanks],
            "conditions": [asdict(condition) for condition in self.conditions],
            "claims": [asdict(claim) for claim in self.claims],
            "runs": [
                {"condition": condition.name, "treebank": treebank.name, "seed": seed, "key": self.run(condition, treebank, seed).key}
                for condition, treebank, seed in cells
            ],
        }
