"""How do time and memory grow with the input? Each operation runs on inputs of n, 2n, 4n and 8n words.

    python benchmarks/growth.py [--words 2000] [--only REGEX] [--all]

Every measurement is a process of its own. An operation that is linear takes twice the time for twice the input. Those
whose time grows more than `--factor` times from 4n to 8n are listed, and those that exceed the time limit.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import signal
import sys
import time
import traceback
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import NamedTuple

import common
from gardenpath.errors import GardenpathError
from growth_operations import Case, cases
from memory import usage

SIZES = (1, 2, 4, 8)
LEAST = 0.02             # seconds; faster operations are repeated with larger inputs
LARGER = 8
LARGEST = 1 << 20        # words


class Measurement(NamedTuple):
    """CPU seconds and additional memory in MB, and the reason for a refusal if there is one."""

    seconds: float
    memory: float
    refusal: str = ""


class Growth(NamedTuple):
    """The measurements of an operation on one kind of input."""

    case: Case
    words: int
    found: list[Measurement]

    @property
    def factor(self) -> float:
        """The ratio of the times of the largest input and of half of it, if they can be measured."""
        if len(self.found) < len(SIZES):
            return inf
        return self.found[-1].seconds / self.found[-2].seconds if self.found[-1].seconds > LEAST else 1.0

    @property
    def memory_factor(self) -> float:
        """The same for memory, if it can be measured."""
        large = len(self.found) == len(SIZES) and self.found[-1].memory > 20
        return self.found[-1].memory / max(self.found[-2].memory, 1) if large else 1.0

    def row(self) -> list[str]:
        """Return the row of the table."""
        times = [f"{1000 * each.seconds:.0f}" for each in self.found] + ["too long"] * (len(SIZES) - len(self.found))
        note = next((each.refusal for each in self.found if each.refusal), "")
        return [
            self.case.operation, self.case.input, f"{self.words:,}", *times, f"{self.factor:.1f}",
            f"{self.found[-1].memory:.0f}" if self.found else "", f"{self.memory_factor:.1f}", note[:60],
        ]


def main() -> None:
    """Measure all cases and print those that grow too fast."""
    settings = _settings()
    common.header(
        "Growth of time and memory", "artificial sentences and texts, see growth_inputs.py",
        f"CPU ms at n, 2n, 4n, 8n; n starts at {settings.words:,} and grows until 8n takes {1000 * LEAST:.0f} ms; "
        f"limit {settings.limit} s",
        "growth: from 4n to 8n, time and memory; memory in MB beyond that of the process before",
    )
    chosen = [case for case in cases() if re.search(settings.only, f"{case.operation}: {case.input}")]
    found = []
    for number, case in enumerate(chosen):
        growth = measured(case, settings.words, settings.limit)
        found.append(growth)
        common.say(f"{number + 1}/{len(chosen)} {' | '.join(growth.row())}")
    shown = [each for each in found if settings.all or max(each.factor, each.memory_factor) > settings.factor]
    names = ["operation", "input", "n", *(f"{size}n" for size in SIZES), "growth", "MB", "growth", "refused"]
    common.table(names, [each.row() for each in sorted(shown, key=lambda each: -each.factor)])
    print(f"{len(found):,} cases, {len(shown):,} listed.")


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=2000, help="the first n")
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a measurement")
    parser.add_argument("--factor", type=float, default=2.8, help="growth that is listed")
    parser.add_argument("--only", default="", help="regular expression for `operation: input`")
    parser.add_argument("--all", action="store_true", help="list all cases")
    return parser.parse_args()


def measured(case: Case, words: int, limit: int) -> Growth:
    """Measure a case at all sizes, with larger inputs as long as it is too fast."""
    with suppress(GardenpathError):
        case.run(case.prepare(2))        # imports and models, for all processes
    while True:
        found = []
        for size in SIZES:
            each = in_child(case, max(int(size * words * case.scale), 2), limit)
            if each is None:
                break
            found.append(each)
        if len(found) < len(SIZES) or found[-1].seconds >= LEAST or words * LARGER * SIZES[-1] > LARGEST:
            return Growth(case, int(words * case.scale), found)
        words *= LARGER


def in_child(case: Case, n: int, limit: int) -> Measurement | None:
    """Measure in a forked process. None means that it exceeded the time limit."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _measure(case, n, limit, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        content = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGVTALRM:
        return None
    if status:
        sys.exit(f"{case.operation}, {case.input}, {n}: the process ended with {status}")
    return Measurement(*json.loads(content))


def _measure(case: Case, n: int, limit: int, writing: int) -> None:
    code = 1
    try:
        given = case.prepare(n)
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")          # resets VmHWM
        before, begin = usage(os.getpid())["VmRSS"], time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        refusal = ""
        try:
            case.run(given)
        except GardenpathError as error:
            refusal = str(error)
        spent, peak = time.process_time() - begin, usage(os.getpid())["VmHWM"]
        os.write(writing, json.dumps([spent, max(peak - before, 0), refusal]).encode())
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
