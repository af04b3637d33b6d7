"""Run targets on mutated inputs, each in a forked process, and report what crashed, hung or failed.

    python tests/fuzz/fuzz.py --seconds 60 [--seed N] [--first N] [--inputs N] [TARGET ...]

Every input is determined by the target, the seed and its number, so `--first N --inputs 1` repeats one. An input is a
finding if it ends the process, takes longer than HANG seconds, or raises anything but a `GardenpathError`. Findings are
printed, and their inputs are written to build/fuzz. A repaired finding belongs into tests/fuzz/corpus, if it is small.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import mmap
import os
import signal
import struct
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from gardenpath.errors import GardenpathError

HANG = 120           # seconds; no input takes a hundredth of it, even on a busy machine
FINDINGS = Path("build") / "fuzz"
MOST = 20            # findings of a target before it is given up
CORPUS = Path(__file__).parent / "corpus"


class Target:
    """What is fuzzed: how inputs are made and what is done with them."""

    name: str

    def seeds(self) -> Sequence[bytes]:
        """Return valid inputs, or others that are worth mutating: by default those of the corpus."""
        return [path.read_bytes() for path in sorted((CORPUS / self.name).iterdir())]

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        """Return a new input."""
        raise NotImplementedError

    def run(self, data: bytes, rng: Random) -> None:
        """Use the input. A `GardenpathError` is a good answer to a bad input; `rng` is for choices."""
        raise NotImplementedError


@contextmanager
def accepted() -> Iterator[None]:
    """Surround what is done with an input that was read. An error is a finding then."""
    try:
        yield
    except GardenpathError as error:
        raise AssertionError(f"what was read is refused later: {error}") from error


def case(target: Target, seeds: Sequence[bytes], seed: int, number: int) -> tuple[bytes, Random]:
    """Return the input with this number, and random numbers for its use."""
    rng = Random(f"{target.name} {seed} {number}")
    return target.mutated(rng, seeds), rng


REFUSED = "refused"


def problem_of(target: Target, data: bytes, rng: Random) -> str:
    """Return the traceback of the exception that an input raises, `REFUSED`, or nothing if it is used."""
    try:
        target.run(data, rng)
    except GardenpathError:
        return REFUSED
    except Exception:
        return traceback.format_exc()
    return ""


def work(
    target: Target, seeds: Sequence[bytes], seed: int, first: int, inputs: int, end: float, folder: Path
) -> None:
    """Run inputs until the time is up. The number of the current one is in the file `number`."""
    with open(folder / "number", "r+b") as file, mmap.mmap(file.fileno(), 16) as counter:
        number, refused = first, 0
        while number < first + inputs and (time.time() < end or number == first):
            struct.pack_into("<qq", counter, 0, number, refused)
            data, rng = case(target, seeds, seed, number)
            problem = problem_of(target, data, rng)
            refused += problem == REFUSED
            if problem not in ("", REFUSED):
                with open(folder / "problems", "a", encoding="utf-8") as problems:
                    problems.write(json.dumps([number, problem]) + "\n")
            number += 1
        struct.pack_into("<qq", counter, 0, number, refused)


class Run:
    """The run of a target in child processes. A process that dies or hangs is replaced."""

    def __init__(self, target: Target, seed: int, folder: Path) -> None:
        self.target, self.seed, self.folder = target, seed, folder
        self.seeds = target.seeds()
        self.problems: list[tuple[int, str]] = []
        self.refused = 0
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, first: int, inputs: int, seconds: float) -> int:
        """Run inputs and return their number."""
        end, at, last = time.time() + seconds, first, first + inputs
        while at < last and (time.time() < end or at == first) and len(self.problems) < MOST:
            at = self._child(at, last - at, end)
        return at - first

    def _child(self, first: int, inputs: int, end: float) -> int:
        """Run a child process until it ends or hangs, and return the number of the next input."""
        number_file, problems = self.folder / "number", self.folder / "problems"
        number_file.write_bytes(struct.pack("<qq", first, 0))
        problems.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            self._work(first, inputs, end)
        status = self._wait(child, number_file)
        number, refused = struct.unpack("<qq", number_file.read_bytes())
        self.refused += refused
        if problems.exists():
            self.problems += [tuple(json.loads(line)) for line in problems.read_text().splitlines()]
        if status == 0:
            return number
        reason = f"no end after {HANG} seconds" if status is None else f"the process ended with {status}"
        self.problems.append((number, f"{reason}\n{(self.folder / 'stderr').read_text(errors='replace')[-4000:]}"))
        return number + 1

    def _work(self, first: int, inputs: int, end: float) -> None:
        """Run inputs in the child process."""
        code = 1
        try:
            errors = os.open(self.folder / "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(errors, 1)
            os.dup2(errors, 2)
            faulthandler.enable(2)
            os.fsync = lambda descriptor: None       # files are written by the thousand, and none needs to last
            work(self.target, self.seeds, self.seed, first, inputs, end, self.folder)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def _wait(self, child: int, number_file: Path) -> int | None:
        """Wait for a child process and return its exit code, or None if it hung and was killed."""
        before, since = b"", time.monotonic()
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
            now = number_file.read_bytes()
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > HANG:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None

    def report(self) -> None:
        """Print the problems, and write their inputs."""
        for number, problem in self.problems:
            path = self.folder / f"{self.target.name}-{self.seed}-{number}"
            path.write_bytes(case(self.target, self.seeds, self.seed, number)[0])
            print(f"--- {self.target.name}, seed {self.seed}, input {number}: {path}\n{problem}", flush=True)


def main(targets: dict[str, Callable[[], Target]], arguments: Sequence[str] | None = None) -> int:
    """Run the targets that the arguments name, by default all. Return 1 if there are findings."""
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=60, help="time of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--inputs", type=int, default=1 << 40, help="maximum number of inputs of a target")
    parser.add_argument("--folder", type=Path, default=FINDINGS)
    given = parser.parse_args(arguments)
    unknown = [name for name in given.targets if name not in targets]
    if unknown:
        parser.error(f"no target {unknown[0]}; the targets are {', '.join(targets)}")
    chosen = given.targets or list(targets)
    failed = False
    for name in chosen:
        run = Run(targets[name](), given.seed, given.folder / name)
        began = time.monotonic()
        count = run.run(given.first, given.inputs, given.seconds / len(chosen))
        spent = time.monotonic() - began
        counts = f"{count:,} inputs, {run.refused:,} refused, {len(run.problems)} findings"
        print(f"{name}: {counts}; seed {given.seed}, {spent:.1f} s", flush=True)
        run.report()
        failed |= bool(run.problems)
    return int(failed)
