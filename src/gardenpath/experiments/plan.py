"""The plan of an experiment: treebanks, conditions and seeds, and the runs that follow from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gardenpath import version as package
from gardenpath.files import digest
from gardenpath.formats.treebank_folder import PARTS
from gardenpath.models.settings import Settings


@dataclass(frozen=True, slots=True)
class Treebank:
    """The files of a treebank and its name in tables.

    If there is an `input`, it is parsed instead of the file that parses are scored against. Its tokens, sentences and
    tags can be those of another program.
    """

    name: str
    train: Path
    dev: Path | None = None
    test: Path | None = None
    input: Path | None = None

    def file(self, part: str) -> Path:
        """Return the file that parses are scored against: `test` or `dev`."""
        path = self.files().get(part)
        assert path is not None      # `read_plan` checks it
        return path

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each file."""
        return {part: digest(path) for part, path in self.files().items()}

    def files(self) -> dict[str, Path]:
        """Return the existing files by part."""
        return {part: path for part in (*PARTS, "input") if (path := getattr(self, part)) is not None}


@dataclass(frozen=True, slots=True)
class Run:
    """One training, and parsing with each of the beam sizes (None: that of the settings)."""

    treebank: Treebank
    settings: Settings
    beams: tuple[int | None, ...] = (None,)
    score: str = "test"

    @property
    def input(self) -> Path:
        """The file to parse."""
        return self.treebank.input or self.treebank.file(self.score)

    @property
    def key(self) -> str:
        """The name of the record. It depends on settings, files and version, and not on the experiment."""
        settings = self.settings.to_flat_dict() | {name: digest(path) for name, path in self._named_files().items()}
        identity = {
            "gardenpath": package.__version__,
            "settings": settings,
            "treebank": self.treebank.digests(),
            "beams": self.beams,
            "score": self.score,
        }
        hashed = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        return (
            f"{self.treebank.name}-{self.settings.parser.system}-{self.settings.parser.oracle}-"
            f"seed{self.settings.seed}-{hashed[:12]}"
        )

    def files(self) -> list[Path]:
        """Return every file that the run reads: those of the treebank, and those named by the settings."""
        return [*self.treebank.files().values(), *self._named_files().values()]

    def moved(self, places: Mapping[Path, Path]) -> Run:
        """Return the same run with its files in other places. Its key stays the same."""
        files: dict[str, Any] = {part: places[path] for part, path in self.treebank.files().items()}
        named = {name: str(places[path]) for name, path in self.settings.paths().items() if path in places}
        return replace(self, treebank=replace(self.treebank, **files), settings=self.settings.changed(**named))

    def _named_files(self) -> dict[str, Path]:
        return {name: path for name, path in self.settings.paths().items() if path.is_file()}


@dataclass(frozen=True, slots=True)
class Condition:
    """One row of a table: settings, and the beam size for parsing if it differs from that of the settings."""

    name: str
    settings: dict[str, Any]
    beam: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Two conditions to compare, and the claim about them."""

    first: str
    second: str
    claim: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """An experiment: everything in the settings file, with defaults filled in."""

    name: str
    title: str
    treebanks: list[Treebank]
    conditions: list[Condition]
    seeds: list[int]
    baseline: str
    claims: list[Claim] = field(default_factory=list)
    notes: str = ""
    score: str = "test"
    speed: bool = False      # whether to measure the speed of all conditions after the runs
    input: str = ""          # the path of the input files, with a place for the treebank; empty: parse the scored files

    def runs(self) -> list[Run]:
        """Return all runs, each once.

        All runs of a seed come before the next seed, so that early results cover everything.
        """
        every = [
            self.run(condition, treebank, seed)
            for seed in self.seeds
            for treebank in self.treebanks
            for condition in self.conditions
        ]
        return list({run.key: run for run in every}.values())

    def run(self, condition: Condition, treebank: Treebank, seed: int) -> Run:
        """Return the run that measures a condition.

        Conditions that differ only in the beam size for parsing share one.
        """
        beams = tuple(other.beam for other in self.conditions if other.settings == condition.settings)
        return Run(treebank, Settings.of(**condition.settings, seed=seed), beams, self.score)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, with the key of each run."""
        cells = [
            (condition, treebank, seed)
            for condition in self.conditions
            for treebank in self.treebanks
            for seed in self.seeds
        ]
        return {
            "name": self.name,
            "title": self.title,
            "notes": self.notes,
            "score": self.score,
            "input": self.input,
            "baseline": self.baseline,
            "seeds": self.seeds,
            "speed": self.speed,
            "treebanks": [treebank.name for treebank in self.treebanks],
            "conditions": [asdict(condition) for condition in self.conditions],
            "claims": [asdict(claim) for claim in self.claims],
            "runs": [
                {
                    "condition": condition.name,
                    "treebank": treebank.name,
                    "seed": seed,
                    "key": self.run(condition, treebank, seed).key,
                }
                for condition, treebank, seed in cells
            ],
        }
