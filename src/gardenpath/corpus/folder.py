"""The output folder of a corpus: its plan, its parts, and the list of finished parts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.parts import failed_name, language_name, part_name
from gardenpath.corpus.plan import CorpusPlan, Shard
from gardenpath.corpus.work import Done
from gardenpath.errors import InputError, UsageError
from gardenpath.files import locked, replacing_text

PLAN, DONE, LOCK = "corpus.json", "done.jsonl", ".lock"


@dataclass(frozen=True, slots=True)
class CorpusState:
    """The progress of a corpus.

    `missing` are the shards to do. `parts`, `counts` and `size` describe the finished parts: their number, their
    contents and the bytes of input files that they cover.
    """

    missing: list[Shard]
    parts: int
    counts: Counts
    size: int


class Folder:
    """A folder with `corpus.json`, `done.jsonl` and the files of the parts."""

    def __init__(self, path: str | Path, plan: CorpusPlan) -> None:
        self.path = Path(path).absolute()
        self.plan = plan

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other writers. Before and after, remove the partial files of interrupted workers."""
        if (
            self.path.is_dir()
            and any(self.path.iterdir())
            and not (self.path / PLAN).exists()
            and not (self.path / LOCK).exists()
        ):
            raise UsageError(f"{self.path}: the folder contains other files; give an empty or a new folder")
        self.path.mkdir(parents=True, exist_ok=True)
        with locked(
            self.path / LOCK,
            f"{self.path}: another `gardenpath corpus` is writing to this folder; wait until it ends, or give another "
            "folder",
        ):
            self._clear()
            try:
                yield
            finally:
                self._clear()

    def _clear(self) -> None:
        for rest in (
            path
            for pattern in (".part-*", ".failed-*", ".corpus*", ".done*", ".here-*")
            for path in self.path.glob(pattern)
        ):
            rest.unlink(missing_ok=True)

    def begin(self) -> None:
        """Write the plan, or check that it equals the one written before."""
        if (self.path / PLAN).exists():
            self.compare()
            entries = self._entries().values()
            with replacing_text(self.path / DONE) as file:            # drops a partly written last line
                file.writelines(json.dumps(entry) + "\n" for entry in entries)
            return
        with replacing_text(self.path / PLAN) as file:
            file.write(json.dumps(self.plan.to_dict(), ensure_ascii=False, indent=1) + "\n")

    def compare(self) -> None:
        """Check that the folder holds no other corpus. Raise `UsageError` with the differences if it does."""
        try:
            before = json.loads((self.path / PLAN).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise InputError(
                f"{self.path / PLAN}: the file is not the plan of a corpus ({error}); give another folder"
            ) from None
        different = list(_differences(before, self.plan.to_dict()))
        if different:
            more = f" and {len(different) - 3} more" if len(different) > 3 else ""
            listed = "; ".join(different[:3]) + more
            raise UsageError(
                f"{self.path}: the corpus in this folder has other settings or inputs: {listed}; give the same ones to "
                "continue it, or another folder"
            )

    def state(self, shards: Iterable[Shard]) -> CorpusState:
        """Return the progress of these shards."""
        entries = self._entries()
        there = set(os.listdir(self.path)) if entries else set()
        missing, counts, parts, size = [], Counts(), 0, 0
        for first in shards:
            shard: Shard | None = first
            while shard is not None and (entry := entries.get(shard.label)) and self._has_files(shard, entry, there):
                counts += Counts(**{name: entry[name] for name in asdict(counts)})
                parts += 1
                size += entry["size"]
                shard = shard.following(*entry["following"]) if entry["following"] else None
            if shard is not None:
                missing.append(shard)
        return CorpusState(missing, parts, counts, size)

    def _has_files(self, shard: Shard, entry: dict[str, Any], there: set[str]) -> bool:
        names = [part_name(shard.label, self.plan.settings)]
        names += [failed_name(shard.label)] if entry["failed"] else []
        names += [language_name(shard.label)] if entry["warned"] else []
        return there.issuperset(names)

    def _entries(self) -> dict[str, dict[str, Any]]:
        entries = {}
        with suppress(FileNotFoundError), open(self.path / DONE, encoding="utf-8") as file:
            for line in file:
                if line.endswith("}\n"):
                    entry = json.loads(line)
                    entries[entry["part"]] = entry
        return entries

    def record(self, done: Done) -> None:
        """Record that a part is done."""
        following = done.following.segments[0] if done.following else None
        entry = {
            "part": done.shard.label,
            **asdict(done.counts),
            "size": done.size,
            "following": following and [following.start, following.continues],
        }
        with open(self.path / DONE, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _differences(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Describe what was different before."""
    if before.get("gardenpath") != now["gardenpath"]:
        yield f"gardenpath {before.get('gardenpath')}, now {now['gardenpath']}"
    if before["model"] != now["model"]:
        same = (
            "with other content" if before["model"]["name"] == now["model"]["name"] else f"now {now['model']['name']}"
        )
        yield f"model {before['model']['name']}, {same}"
    for name, value in now["settings"].items():
        if before["settings"].get(name) != value:
            yield f"{name.replace('_', '-')} {before['settings'].get(name)}, now {value}"
    yield from _input_differences(
        {each["name"]: each for each in before["inputs"]}, {each["name"]: each for each in now["inputs"]}
    )


def _input_differences(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    if before == now and list(before) != list(now):
        yield "the inputs were in another order"
    for name in [*before, *(name for name in now if name not in before)]:
        if name not in now:
            yield f"{name} was an input and is not given now"
        elif name not in before:
            yield f"{name} was not an input"
        elif before[name] != now[name]:
            yield f"{name} has changed"
