"""A small experiment on the sample treebank, and the part of its records that must not depend on the engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults import Deaths, Gate
from gardenpath.experiments import ExperimentPlan, engines, read_plan
from sample import SAMPLE

MACHINE_KEYS = ("began", "seconds", "memory_mb", "machine")
TESTS = Path(__file__).parent


def small_file(
    folder: Path,
    *,
    epochs: int = 1,
    systems: tuple[str, ...] = ("arc-eager", "arc-eager-nmld"),
    seeds: tuple[int, ...] = (1, 2),
) -> Path:
    """Write a settings file with systems and seeds."""
    path = folder / "small.toml"
    path.write_text(
        f"treebanks = ['sample']\nseeds = {list(seeds)}\n[settings]\ntags = 'gold'\nepochs = "
        f"{epochs}\n[[grid]]\nsystem = {list(systems)}\n"
    )
    return path


def small_plan(folder: Path, **grid: Any) -> ExperimentPlan:
    """Return the plan of the small experiment."""
    return read_plan(small_file(folder, **grid), SAMPLE.parent)


def results(folder: Path) -> dict[str, dict[str, Any]]:
    """Return every record without times and memory, and its other files as bytes."""
    return {
        path.name: contents({file.name: file.read_bytes() for file in path.iterdir()})
        for path in (folder / "runs").iterdir()
    }


def contents(files: dict[str, bytes]) -> dict[str, Any]:
    """Return the files of one record, without times and memory."""
    record = json.loads(files["run.json"])
    for key in MACHINE_KEYS:
        del record[key]
    for step in record["curve"]:
        del step["cpu_seconds"]
    for parse in record["parses"]:
        del parse["words_per_second"]
    return {**files, "run.json": record}


@dataclass(frozen=True)
class FaultyAttempt:
    """Attempts at runs with a fault."""

    fault: Deaths | Gate

    def __call__(self, task: Any) -> Any:
        with self.fault.during(task.run.key):
            return engines.attempt_run(task)


GATED = f"""
import sys; sys.path.insert(0, {str(TESTS)!r})
from pathlib import Path
from faults import Gate
from gardenpath.experiments import engines
from small_experiment import FaultyAttempt
engines.attempt_run = FaultyAttempt(Gate(Path(sys.argv.pop(1)), int(sys.argv.pop(1))))
"""


def driver(file: Path, folder: Path, gate: Gate) -> subprocess.Popen[bytes]:
    """Start a process that runs the experiment with two workers until they are blocked."""
    code = GATED + (
        "from gardenpath.experiments import read_plan, run_experiment\n"
        "for _ in run_experiment(read_plan(sys.argv[1], sys.argv[2]), sys.argv[3], workers=2): pass"
    )
    arguments = map(str, (gate.folder, gate.limit, file, SAMPLE.parent, folder))
    return subprocess.Popen([sys.executable, "-c", code, *arguments])


def descendants(ancestor: int) -> dict[int, str]:
    """Return the processes that a process has started, directly or not, with their command lines."""
    lines = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    processes = {
        int(pid): (int(parent), command) for pid, parent, command in (line.split(maxsplit=2) for line in lines)
    }
    found: dict[int, str] = {}
    for pid, (_, command) in processes.items():
        above = pid
        while above in processes and above != ancestor:
            above = processes[above][0]
        if above == ancestor != pid:
            found[pid] = command
    return found


def is_alive(pid: int) -> bool:
    """Return whether the process exists and is not a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state) and not state.startswith("Z")


def recorded(folder: Path) -> set[str]:
    """Return the keys of the recorded runs."""
    return (
        {name for name in os.listdir(folder / "runs") if not name.startswith(".")}
        if (folder / "runs").is_dir()
        else set()
    )
