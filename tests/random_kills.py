"""Kill commands at random moments, and look at what they leave.

    python tests/random_kills.py [--kills 1000] [--seed 1] [JOB ...]

A command runs undisturbed first. Then it is started again and again in new folders, and gets SIGKILL, SIGTERM or SIGINT
after a random time. After every signal, no process may be left, and every file must be complete or as it was before.
After one to four signals the command runs to its end, and its files must be the same as those of the undisturbed run.
Models are made from a server like GitHub that redirects, is slow, breaks off and returns errors; `--treebank` names
folders of treebanks to make them from, instead of a part of the sample.

Each command is a process of its own, forked from one that has imported the package, so that kills hit the work and not
the imports. Not for Windows.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from statistics import median
from types import ModuleType

import gardenpath as gp
from gardenpath import catalogue
from gardenpath.__main__ import run as gardenpath
from gardenpath.formats.conllu import read_conllu
from gardenpath.making.state import FOLDER
from gardenpath.treebank.parts import find_parts
from sample import SAMPLE, small
from small_treebanks import README, archives
from treebank_server import Server, archive_of
from waiting import HANG, wait_until

FORKS = multiprocessing.get_context("forkserver")
COMMANDS = ("train", "convert", "parse", "corpus", "experiment", "models")
FORKS.set_forkserver_preload([
    "__main__", "gardenpath.making", "gardenpath.perceptron.training", *(f"gardenpath.cli.{name}" for name in COMMANDS),
])
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MESSAGES = "messages"
CHUNKS = 30              # pieces in which the server sends a file
MACHINE_KEYS = ("began", "seconds", "memory_mb", "machine")
SENTENCES = "The old man saw a boat. It sank.\n\n"
Files = dict[str, object]


@dataclass(frozen=True)
class Job:
    """A command, and the files that it makes.

    `prepare` writes the inputs and returns the arguments, `disturb` is called before each start, and `is_complete`
    says whether a file is complete that is neither the old nor the last one.
    """

    prepare: Callable[[Path], list[object]]
    files: Callable[[Path], Files]
    is_complete: Callable[[Path, str], bool] = lambda folder, name: False
    disturb: Callable[[Random], None] = lambda rng: None


class Victim:
    """A job that is killed, and what happened."""

    def __init__(self, name: str, job: Job, seed: int) -> None:
        self.name, self.job, self.rng = name, job, Random(f"{name} {seed}")
        self.counts = Counter[str]()
        self.faults: list[str] = []
        self.waits = [0.0]           # seconds from SIGTERM or SIGINT to the end
        self.seconds = 0.0           # of the undisturbed run
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

    def _undisturbed(self, folder: Path) -> None:
        folder.mkdir()
        arguments = self.job.prepare(folder)
        self.before = self.job.files(folder)
        process, began = started(arguments, folder), time.monotonic()
        process.join()
        self.seconds = time.monotonic() - began
        assert process.exitcode == 0, (folder / MESSAGES).read_text()
        self.expected = self.job.files(folder)

    def _round(self, folder: Path) -> None:
        """Kill a command one to four times in the same folder, then let it run to its end."""
        folder.mkdir()
        arguments = self.job.prepare(folder)
        only_polite = True
        for _ in range(self.rng.randint(1, 4)):
            number = self.rng.choice(SIGNALS)
            only_polite &= number is not signal.SIGKILL
            self.job.disturb(self.rng)
            if not self._strike(arguments, folder, number):
                self.counts["ended"] += 1
                break
            self.counts["killed"] += 1
            self._check_partial(folder, number)
        has_ended = self.job.files(folder) == self.expected
        process = started(arguments, folder)
        process.join()
        if process.exitcode and not has_ended:
            self._fault(f"does not run to its end afterwards: {(folder / MESSAGES).read_text()[-500:]}")
        self.counts["finished"] += 1
        if self.job.files(folder) != self.expected:
            self._fault("other files than the undisturbed run")
        hidden = [path.name for path in folder.rglob(".*") if path.is_file() and path.name != ".lock"]
        self.counts["leftovers"] += len(hidden)
        if hidden and only_polite:
            self._fault(f"temporary files after SIGTERM and SIGINT: {hidden}")

    def _strike(self, arguments: list[object], folder: Path, number: signal.Signals) -> bool:
        """Start the command and send it a signal. Return whether it was still running."""
        process = started(arguments, folder)
        assert process.pid is not None
        process.join(self.rng.uniform(0, 1.1 * self.seconds))
        if not process.is_alive():
            return False
        began = time.monotonic()
        os.kill(process.pid, number)
        self._wait_for_end(process, process.pid, number)
        if number is not signal.SIGKILL:
            self.waits.append(time.monotonic() - began)
        return True

    def _wait_for_end(self, process: BaseProcess, group: int, number: signal.Signals) -> None:
        process.join(HANG)
        if process.is_alive():
            self._fault(f"does not end after {number.name}")
        end = time.monotonic() + HANG
        while _group_exists(group):
            if time.monotonic() > end:
                self._fault(f"leaves processes after {number.name}")
                os.killpg(group, signal.SIGKILL)
            time.sleep(0.02)

    def _check_partial(self, folder: Path, number: signal.Signals) -> None:
        for name, content in self.job.files(folder).items():
            known = content in (self.expected.get(name), self.before.get(name))
            if not known and not self.job.is_complete(folder, name):
                self._fault(f"{name} is not complete after {number.name}")
        messages = (folder / MESSAGES).read_text(errors="replace")
        if "Traceback" in messages and f"{os.sep}gardenpath{os.sep}" in messages:        # not Python's own start
            self._fault(f"a traceback after {number.name}: {messages[-500:]}")

    def _fault(self, text: str) -> None:
        self.counts["faults"] += 1
        self.faults.append(f"{self.name}: {text}")


def started(arguments: list[object], folder: Path) -> BaseProcess:
    """Start a command in a process group of its own, with its messages in a file of the folder."""
    messages = folder / MESSAGES
    messages.unlink(missing_ok=True)
    process = FORKS.Process(target=_run, args=(list(map(str, arguments)), folder))
    process.start()
    wait_until(messages.exists)
    return process


def _run(arguments: list[str], folder: Path) -> None:
    """Run a command in this process."""
    os.setsid()
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.modules["__main__"] = ModuleType("__main__")         # processes of the command need not import this module
    sys.argv = ["gardenpath", *arguments]
    with open(f".{MESSAGES}", "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.rename(f".{MESSAGES}", MESSAGES)
    gardenpath()


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _train(folder: Path) -> list[object]:
    (folder / "model.gp").write_bytes(b"an older file")
    return ["train", small(folder), "-o", folder / "model.gp", "--epochs", 3]


def _convert(folder: Path) -> list[object]:
    source = folder / "large.conllu"
    source.write_bytes((SAMPLE / "sample-train.conllu").read_bytes())
    return ["convert", source, "-o", folder / "large.json"]


def _parse(folder: Path) -> list[object]:
    source = folder / "long.txt"
    source.write_text(SENTENCES * 1000, encoding="utf-8")
    return ["parse", source, "-o", folder / "long.conllu", "-m", "en-fast", "--threads", 4]


def _corpus(folder: Path) -> list[object]:
    source = folder / "texts"
    source.mkdir()
    for number in range(4):
        (source / f"{number}.txt").write_text(SENTENCES * 100, encoding="utf-8")
    return ["corpus", source, folder / "out", "-m", "en-fast", "--workers", 2, "--shard-size", 700]


def _experiment(folder: Path) -> list[object]:
    (folder / "small.toml").write_text(
        "treebanks = ['sample']\nseeds = [1, 2]\n[settings]\ntags = 'gold'\nepochs = 1\n[[grid]]\n"
        "system = ['arc-eager', 'arc-standard']\n", encoding="utf-8",
    )
    treebank = folder / "treebanks" / "sample"
    treebank.mkdir(parents=True)
    for part in ("train", "dev", "test"):
        chosen = islice(read_conllu(SAMPLE / f"sample-{part}.conllu"), 40)
        gp.write_conllu(list(chosen), treebank / f"sample-{part}.conllu")
    return [
        "experiment", folder / "small.toml", "--treebanks", treebank.parent, "-o", folder / "out", "--workers", 2,
    ]


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


class Making:
    """Jobs that make a model from a server with faults, and replace an older one."""

    def __init__(self, packed: dict[str, bytes], epochs: int | None = None) -> None:
        self.server = Server(b"")
        self.server.others = packed
        self.server.redirect = self.server.url
        self.server.chunk = max(map(len, packed.values())) // CHUNKS
        self.server.between = lambda: time.sleep(0.001)
        self.names = [path.split("/")[1] for path in packed]
        self.options: list[object] = ["--epochs", epochs] if epochs else []

    def jobs(self) -> dict[str, Job]:
        """Return a job for each treebank, and one that replaces the model of the first."""
        found = {f"models make {name}": self._job(name) for name in self.names}
        return found | {f"models make {self.names[0]} --force": self._job(self.names[0], "--force")}

    def _job(self, name: str, *options: object) -> Job:
        entry = catalogue.find_treebank(name)
        assert entry is not None

        def prepare(folder: Path) -> list[object]:
            self.server.plan = []
            models = folder / "models"
            models.mkdir()
            if options:
                (models / f"{entry.code}-fast.gp").write_bytes(b"an older file")
            place = ["--url", self.server.url, "--folder", models, "--no-progress"]
            return ["models", "make", name, *place, *self.options, *options]

        return Job(prepare, _made, disturb=self._disturb)

    def _disturb(self, rng: Random) -> None:
        faults = (503, 429, -rng.randrange(1, 20_000))
        self.server.plan = [rng.choice(faults) for _ in range(max(0, rng.randrange(-2, 3)))]


def _made(folder: Path) -> Files:
    """Return the files in the folder of the models. Models in the making are in a folder of their own."""
    names = sorted(set(os.listdir(folder / "models")) - {FOLDER})
    return {name: (folder / "models" / name).read_bytes() for name in names}


def archives_from(folders: list[Path], sentences: int | None) -> dict[str, bytes]:
    """Return archives of treebanks by their paths on the server, with the first sentences of each file or with all."""
    found = {}
    for folder in folders:
        parts = find_parts(folder)
        treebank = catalogue.choose(parts.code)
        files = {"README.md": README}
        for part, paths in parts.by_part.items():
            chosen = islice(read_conllu(paths[0]), sentences)
            files[f"{treebank.code}-ud-{part}.conllu"] = "".join(each.to_conllu() for each in chosen)
        top = f"{treebank.name}-r{catalogue.release()}"
        found[f"/{treebank.name}/archive/refs/tags/r{catalogue.release()}.tar.gz"] = archive_of(files, top=top)
    return found


JOBS = {
    "train": Job(_train, _named("model.gp"), _loads),
    "convert": Job(_convert, _named("large.json")),
    "parse": Job(_parse, _named("long.conllu")),
    "corpus": Job(_corpus, _named("out/part-*")),
    "experiment": Job(_experiment, _records),
}


def main() -> None:
    """Kill every job equally often, and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join((*JOBS, "models")))
    parser.add_argument("--kills", type=int, default=1000, help="number of kills of all commands together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--treebank", action="append", type=Path, help="a folder with a treebank; can be repeated")
    parser.add_argument("--sentences", type=int, help="sentences of each file of a --treebank; by default all")
    parser.add_argument("--epochs", type=int, help="epochs of `models make`; its default if it is not given")
    given = parser.parse_args()
    making = Making(archives_from(given.treebank, given.sentences) if given.treebank else archives(), given.epochs)
    known = JOBS | making.jobs()
    names = given.jobs or [*JOBS, "models"]
    chosen = [name for name in known if name in names or (name.startswith("models") and "models" in names)]
    faults = []
    for name in chosen:
        victim = Victim(name, known[name], given.seed)
        victim.kill(-(-given.kills // len(chosen)))
        counts = victim.counts
        print(
            f"{name}: {counts['killed']} kills, {counts['ended']} ended before, {counts['finished']} runs to the end "
            f"({victim.seconds:.1f} s), {counts['leftovers']} temporary files after SIGKILL, {counts['faults']} "
            f"faults, {median(victim.waits):.2f} s from SIGTERM or SIGINT to the end (at most {max(victim.waits):.2f})",
            flush=True,
        )
        faults += victim.faults
    making.server.close()
    print(f"seed {given.seed}", *(faults or ["no faults"]), sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
