"""Make models from a server like GitHub with a command that is killed at random moments, and look at what it leaves.

    python tests/random_kills.py --kills 60 [--seed N] [--sentences N] [FOLDER ...]

The server redirects, is slow, breaks off and returns errors. Every command is killed (SIGKILL) after a random number of
its messages and a random time, unless it ends before, and started again until the model is complete. After each one,
the folder of the models may contain complete models only, each with the bytes of a model that was made without kills.
The models are made and replaced in turns, from folders of treebanks, or from three parts of the sample. Each command
is a process of its own, forked from one that has imported the package, so that kills hit the work and not the imports.
Not for Windows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random

from gardenpath import catalogue
from gardenpath.cli.main import main as gardenpath
from gardenpath.formats.conllu import read_conllu
from gardenpath.making.state import FOLDER
from gardenpath.treebank.parts import find_parts
from small_treebanks import README, archives
from treebank_server import Server, archive_of

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["__main__", "gardenpath.cli.models", "gardenpath.making"])
CHUNKS = 30                     # pieces in which the server sends a file
MESSAGES = 5                    # a command without faults writes fewer, so that some commands end by themselves
KILLED = -9
WRONG = "0" * 64


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


@dataclass
class Counts:
    """What happened: kills by the last message of the command, and commands by how they ended."""

    stages: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    @property
    def kills(self) -> int:
        return self.stages.total()


class RandomKills:
    """Runs commands that make models, and checks after each of them."""

    def __init__(self, folder: Path, packed: dict[str, bytes], seed: int, epochs: int | None = None) -> None:
        self.folder, self.models = folder, folder / "models"
        self.random = Random(seed)
        self.counts = Counts()
        self.server = Server(b"")
        self.server.others = packed
        self.names = [path.split("/")[1] for path in packed]
        self.options = ["--epochs", str(epochs)] if epochs else []
        self.expected: dict[str, bytes] = {}
        self.seconds: dict[str, float] = {}

    def run(self, kills: int) -> Counts:
        """Make and replace the models in turns until this number of commands was killed."""
        try:
            for name in self.names:
                self._make_undisturbed(name)
            self.server.redirect = self.server.url
            self.server.chunk = max(map(len, self.server.others.values())) // CHUNKS
            self.server.between = lambda: time.sleep(0.01)
            for name in self.names:
                self._refusals(name)
            for name in cycle(self.names):
                if self.counts.kills >= kills:
                    break
                self._until_complete(name)
                self._until_complete(name, "--force")
                (self.models / self._file(name)).unlink()
        finally:
            self.server.close()
        assert not (self.models / FOLDER).exists()
        return self.counts

    def _make_undisturbed(self, name: str) -> None:
        begin = time.monotonic()
        code, errors = self._command(name, self.folder / "undisturbed")
        assert code == 0, errors
        self.seconds[name] = time.monotonic() - begin
        self.expected[self._file(name)] = (self.folder / "undisturbed" / self._file(name)).read_bytes()

    def _refusals(self, name: str) -> None:
        """A wrong checksum and a missing file: the command fails, and nothing is left."""
        before = self._left()
        kept = self.server.others
        for case, options, others in (("wrong checksum", ("--sha256", WRONG), kept), ("404", (), {})):
            self.server.others = others
            code, errors = self._command(name, self.models, *options)
            assert (code, self._left()) == (1, before), (case, errors)
            assert not (self.models / FOLDER).exists()
            self.counts.ends[case] += 1
        self.server.others = kept

    def _until_complete(self, name: str, *options: str) -> None:
        """Start the command until it ends by itself, and kill it at a random moment each time."""
        while True:
            faults = (503, 429, -self.random.randrange(1, 20_000))
            self.server.plan = [self.random.choice(faults) for _ in range(self.random.randrange(3))]
            moment = self.random.randint(0, MESSAGES), self.random.uniform(0, self.seconds[name] / MESSAGES)
            code, errors = self._command(name, self.models, *options, moment=moment)
            for file in self._left():
                assert (self.models / file).read_bytes() == self.expected[file], file
            if code != KILLED:
                break
            self.counts.stages[stage_of(errors)] += 1
            if not options and self._file(name) in self._left():
                code = 0       # killed after it had installed the model, which it would now refuse to replace
                break
        assert code == 0, errors
        assert self._file(name) in self._left()
        self.counts.ends["replaced" if options else "installed"] += 1

    def _left(self) -> list[str]:
        """Return the files in the folder of the models. Models in the making are in a folder of their own."""
        return sorted(set(os.listdir(self.models)) - {FOLDER}) if self.models.exists() else []

    def _command(
        self, name: str, models: Path, *options: str, moment: tuple[int, float] | None = None,
    ) -> tuple[int | None, list[str]]:
        """Return the exit code and the messages of `models make`.

        `moment` says when to kill it: after a number of messages, and a number of seconds later.
        """
        file = self.folder / "messages.txt"
        file.write_text("")
        command = [
            "models", "make", name, "--url", self.server.url, "--no-progress", "--folder", str(models), *self.options,
            *options,
        ]
        process = FORKS.Process(target=_run, args=(command, file))
        process.start()
        if moment is not None:
            while process.is_alive() and len(file.read_text().splitlines()) < moment[0]:
                time.sleep(0.01)
            process.join(moment[1])
            process.kill()
        process.join()
        return process.exitcode, file.read_text().splitlines()

    def _file(self, name: str) -> str:
        entry = catalogue.find_treebank(name)
        assert entry is not None
        return f"{entry.code}-fast.gp"


def _run(command: list[str], messages: Path) -> None:
    """Run a command in this process, with its messages in a file."""
    with open(messages, "w", encoding="utf-8") as file, open(os.devnull, "w") as nothing:
        os.dup2(file.fileno(), 2)
        os.dup2(nothing.fileno(), 1)
    sys.argv = ["gardenpath", *command]
    gardenpath()


def stage_of(messages: list[str]) -> str:
    """Return the stage of the last message: its first words."""
    return " ".join(messages[-1].split()[:2]) if messages else "start"


def main() -> None:
    """Print what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="folders of treebanks")
    parser.add_argument("--kills", type=int, default=60, help="least number of kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sentences", type=int, help="sentences of each file; all if it is not given")
    parser.add_argument("--epochs", type=int, help="epochs of the training; the default ones if it is not given")
    given = parser.parse_args()
    packed = archives_from(given.folders, given.sentences) if given.folders else archives()
    with tempfile.TemporaryDirectory() as folder:
        kills = RandomKills(Path(folder), packed, given.seed, given.epochs)
        counts = kills.run(given.kills)
    print(f"{counts.kills} kills; seed {given.seed}; every file complete after each of them")
    for title, found in (("last message before a kill", counts.stages), ("ends", counts.ends)):
        print(f"{title}: {', '.join(f'{name} {count}' for name, count in found.most_common())}")
    print(f"seconds without kills: {', '.join(f'{name} {each:.1f}' for name, each in kills.seconds.items())}")


if __name__ == "__main__":
    main()
