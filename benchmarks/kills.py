"""Do killed commands lose or spoil anything? Kill them at random times and compare their files.

    python benchmarks/kills.py [--kills 1000] [--seed 1] [JOB ...]

A command runs undisturbed first. Then it is started again and again in new folders, and gets SIGKILL, SIGTERM or SIGINT
after a random time. After every signal, no process may be left, and every file must be complete or as it was before.
After one to four signals the command runs to its end, and its files must be the same as those of the undisturbed run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

import common
import gardenpath as gp

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PATIENCE = 60            # seconds until a process must have ended
MACHINE_KEYS = ("began", "seconds", "memory_mb", "machine")
Files = dict[str, object]


@dataclass(frozen=True)
class Job:
    """A command, the files that it makes by name, and whether it may leave a file that is complete but not the last."""

    prepare: Callable[[Path], list[str]]
    files: Callable[[Path], Files]
    is_complete: Callable[[Path, str], bool] = lambda folder, name: False


def main() -> None:
    """Kill every job equally often."""
    settings = _settings()
    signal.signal(signal.SIGINT, signal.default_int_handler)         # background jobs of a shell ignore it
    common.header(
        "Commands that are killed at random times", "the sample treebank",
        f"seed {settings.seed}; SIGKILL for half of the kills, else SIGTERM or SIGINT",
    )
    chosen = settings.jobs or list(JOBS)
    rows, faults = [], []
    for name in chosen:
        victim = Victim(name, JOBS[name], Random(f"{name} {settings.seed}"))
        victim.kill(settings.kills // len(chosen))
        counts = victim.counts
        numbers = [f"{counts[key]:,}" for key in ("killed", "ended", "finished", "leftovers", "faults")]
        rows.append([name, *numbers, f"{median(victim.waits):.2f}", f"{max(victim.waits):.2f}"])
        faults += victim.faults
        common.say(" ".join(rows[-1]))
    names = ["command", "killed", "ended before", "runs to the end", "temporary files", "faults"]
    common.table([*names, "median s to the end", "max"], rows)
    print("\n".join(faults) or "No faults.")
    sys.exit(bool(faults))


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(JOBS))
    parser.add_argument("--kills", type=int, default=1000, help="number of kills of all commands together")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Victim:
    """A job that is killed."""

    def __init__(self, name: str, job: Job, rng: Random) -> None:
        self.name, self.job, self.rng = name, job, rng
        self.counts = Counter[str]()
        self.faults: list[str] = []
        self.waits = [0.0]           # seconds from SIGTERM or SIGINT to the end
        self.expected: Files = {}
        self.before: Files = {}

    def kill(self, kills: int) -> None:
        """Send this number of signals to running commands."""
        with tempfile.TemporaryDirectory(prefix="kills-") as parent:
            folder = Path(parent) / "folder"         # the same for all, because files contain it
            self._undisturbed(folder)
            while self.counts["killed"] < kills:
                shutil.rmtree(folder)
                self._round(folder)
                common.say(f"{self.name}: {self.counts['killed']:,} of {kills:,} kills")

    def _undisturbed(self, folder: Path) -> None:
        folder.mkdir()
        command = self.job.prepare(folder)
        self.before = self.job.files(folder)
        began = time.monotonic()
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
        self.seconds = time.monotonic() - began
        self.expected = self.job.files(folder)

    def _round(self, folder: Path) -> None:
        """Kill a command one to four times in the same folder, then let it run to its end."""
        folder.mkdir()
        command = self.job.prepare(folder)
        only_polite = True
        for _ in range(self.rng.randint(1, 4)):
            number = self.rng.choice(SIGNALS)
            only_polite &= number is not signal.SIGKILL
            if not self._strike(command, folder, number):
                self.counts["ended"] += 1
                break
            self.counts["killed"] += 1
            self._check_partial(folder, number)
        ended = self.job.files(folder) == self.expected
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        if result.returncode and not ended:
            self._fault(f"does not run to its end afterwards: {result.stderr[-500:]}")
        self.counts["finished"] += 1
        if self.job.files(folder) != self.expected:
            self._fault("other files than the undisturbed run")
        hidden = [path.name for path in folder.rglob(".*") if path.is_file() and path.name != ".lock"]
        self.counts["leftovers"] += len(hidden)
        if hidden and only_polite:
            self._fault(f"temporary files after SIGTERM and SIGINT: {hidden}")

    def _strike(self, command: list[str], folder: Path, number: signal.Signals) -> bool:
        """Start the command and send it a signal. Return whether it was still running."""
        with open(folder / "messages", "wb") as messages:
            process = subprocess.Popen(command, stdout=messages, stderr=messages, cwd=folder, start_new_session=True)
        try:
            process.wait(self.rng.uniform(0, 1.1 * self.seconds))
        except subprocess.TimeoutExpired:
            began = time.monotonic()
            process.send_signal(number)
            self._wait_for_end(process, number)
            if number is not signal.SIGKILL:
                self.waits.append(time.monotonic() - began)
            return True
        return False

    def _wait_for_end(self, process: subprocess.Popen[bytes], number: signal.Signals) -> None:
        end = time.monotonic() + PATIENCE
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._fault(f"does not end after {number.name}")
        while _group_exists(process.pid):
            if time.monotonic() > end:
                self._fault(f"leaves processes after {number.name}")
                os.killpg(process.pid, signal.SIGKILL)
                break
            time.sleep(0.02)
        process.wait()

    def _check_partial(self, folder: Path, number: signal.Signals) -> None:
        for name, content in self.job.files(folder).items():
            known = content in (self.expected.get(name), self.before.get(name))
            if not known and not self.job.is_complete(folder, name):
                self._fault(f"{name} is not complete after {number.name}")
        messages = (folder / "messages").read_text(errors="replace")
        if "Traceback" in messages and f"{os.sep}gardenpath{os.sep}" in messages:        # not Python's own start
            self._fault(f"a traceback after {number.name}: {messages[-500:]}")

    def _fault(self, text: str) -> None:
        self.counts["faults"] += 1
        self.faults.append(f"{self.name}: {text}")
        common.say(self.faults[-1])


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def gardenpath(*arguments: object) -> list[str]:
    """Return the command line."""
    return [sys.executable, "-m", "gardenpath", *map(str, arguments)]


def _train(folder: Path) -> list[str]:
    (folder / "model.gp").write_bytes(b"an older file")
    return gardenpath("train", common.SAMPLE / "sample-train.conllu", "-o", folder / "model.gp", "--epochs", 2)


def _convert(folder: Path) -> list[str]:
    source = folder / "large.conllu"
    source.write_bytes((common.SAMPLE / "sample-train.conllu").read_bytes() * 4)
    return gardenpath("convert", source, "-o", folder / "large.json")


def _parse(folder: Path) -> list[str]:
    source = folder / "long.txt"
    source.write_text("The old man saw a boat. It sank.\n\n" * 5000, encoding="utf-8")
    return gardenpath("parse", source, "-o", folder / "long.conllu", "-m", "en-fast", "--threads", 4)


def _corpus(folder: Path) -> list[str]:
    source = folder / "texts"
    source.mkdir()
    for number in range(4):
        (source / f"{number}.txt").write_text("The old man saw a boat. It sank.\n\n" * 300, encoding="utf-8")
    return gardenpath("corpus", source, folder / "out", "-m", "en-fast", "--workers", 2, "--shard-size", 2000)


def _experiment(folder: Path) -> list[str]:
    (folder / "small.toml").write_text(
        "treebanks = ['sample']\nseeds = [1, 2]\n[settings]\ntags = 'gold'\nepochs = 1\n[[grid]]\n"
        "system = ['arc-eager', 'arc-standard']\n", encoding="utf-8",
    )
    return gardenpath(
        "experiment", folder / "small.toml", "--treebanks", common.SAMPLE.parent, "-o", folder / "out", "--workers", 2,
    )


def _models(folder: Path) -> list[str]:
    treebank = folder / "UD_English-Sample"
    treebank.mkdir()
    for part in ("train", "dev", "test"):
        shutil.copy(common.SAMPLE / f"sample-{part}.conllu", treebank / f"en_sample-ud-{part}.conllu")
    return gardenpath(
        "models", "make", "UD_English-Sample", "--from", treebank, "--folder", folder / "models", "--epochs", 1,
    )


def _named(pattern: str) -> Callable[[Path], Files]:
    return lambda folder: {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob(pattern))
        if not path.name.startswith(".")
    }


def _records(folder: Path) -> Files:
    """Return the files of the runs, without times and memory."""
    found: Files = {}
    for path in sorted((folder / "out" / "runs").glob("[!.]*/*")):
        content: object = path.read_bytes()
        if path.name == "run.json":
            content = _without_times(json.loads(path.read_bytes()))
        found[str(path.relative_to(folder))] = content
    return found


def _without_times(record: dict) -> dict:
    kept = {key: value for key, value in record.items() if key not in MACHINE_KEYS}
    kept["curve"] = [{key: value for key, value in step.items() if key != "cpu_seconds"} for step in record["curve"]]
    kept["parses"] = [
        {key: value for key, value in parse.items() if key != "words_per_second"} for parse in record["parses"]
    ]
    return kept


def _loads(folder: Path, name: str) -> bool:
    """Return whether a file is a complete model: that of an earlier epoch."""
    try:
        gp.load(folder / name)
    except gp.GardenpathError:
        return False
    return True


JOBS = {
    "train": Job(_train, _named("model.gp"), _loads),
    "convert": Job(_convert, _named("large.json")),
    "parse": Job(_parse, _named("long.conllu")),
    "corpus": Job(_corpus, _named("out/part-*")),
    "experiment": Job(_experiment, _records),
    "models": Job(_models, _named("models/*.gp")),
}


if __name__ == "__main__":
    main()
