"""How fast is `gardenpath corpus`, what do more workers gain, and is the output the same after kills?

Create a text of the requested size, or a file of one-sentence documents, by repeating given files. Parse it with each
engine and number of workers. Kill a worker, and then the command, at random times, start it again, and compare all
bytes. Linux only.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import common
import gardenpath as gp

WORKERS = ("ray::_Actor.do", "multiprocessing.spawn import spawn_main")        # part of their command lines


class Outcome(NamedTuple):
    """The result of a run; memory is that of the largest worker, and the peak of all processes together."""

    workers: int
    seconds: float
    documents: int
    words: int
    largest: str
    megabytes: float
    digest: str


def main() -> None:
    """Create the input, run every engine with and without kills, compare the outputs."""
    settings = _settings()
    sources = settings.files or [common.Treebank(common.EWT if common.EWT.is_dir() else common.SAMPLE).train]
    with tempfile.TemporaryDirectory(dir=settings.folder) as place:
        source = _make(Path(place), sources, settings)
        model = Path(settings.model)
        settings.model = str(model.resolve()) if model.exists() else settings.model
        os.chdir(place)                  # the output contains input paths; relative ones make runs comparable
        source, output = Path(source.name), Path("out")
        common.header(
            "A corpus",
            f"{source.stat().st_size / 1e6:,.0f} MB made by repeating {', '.join(path.name for path in sources)}",
            f"raw text to {settings.format}, compression {settings.compress}, model {settings.model}, shards of "
            f"{settings.shard_size}; start-up included",
            packages=("ray",),
        )
        outcomes = {}
        for engine in settings.engine:
            for workers in settings.workers:
                outcomes[f"{engine}, {workers} worker{'s' * (workers > 1)}"] = undisturbed = _run(
                    _command(source, output, settings, engine, workers)
                )
            if settings.kills:
                command = _command(source, output, settings, engine, workers)
                outcomes[f"{engine}, killed {settings.kills} times"] = _killed(
                    command, settings.kills, undisturbed.seconds
                )
    _print(outcomes)


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="texts, or treebanks in CoNLL-U, to repeat as input")
    parser.add_argument("--megabytes", type=int, default=20, help="size of the text")
    parser.add_argument(
        "--documents", type=int, default=0, help="number of JSON lines of one sentence each, instead of text"
    )
    parser.add_argument("--engine", nargs="+", default=["local"], help="local, ray")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2], help="numbers of workers to try")
    parser.add_argument(
        "--kills", type=int, default=0, help="number of times to kill a worker and then the command, with each engine"
    )
    parser.add_argument("--folder", type=Path, default=None, help="folder for temporary input and output")
    for name, default in (("model", "en"), ("format", "conllu"), ("compress", "none"), ("shard-size", "16MiB")):
        parser.add_argument(f"--{name}", default=default, help="as for `gardenpath corpus`")
    return parser.parse_args()


def _make(folder: Path, sources: list[Path], settings: argparse.Namespace) -> Path:
    """Write the input: running text, or documents of one sentence."""
    if settings.documents:
        path = folder / "documents.jsonl"
        sentences = [text for source in sources for text in _sentences(source)]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(
                json.dumps({"id": number, "text": text}) + "\n"
                for number, text in enumerate(islice(cycle(sentences), settings.documents))
            )
        return path
    path = folder / "text.txt"
    text = "\n\n".join(_text(source) for source in sources).encode() + b"\n\n"
    with open(path, "wb") as file:
        while file.tell() < settings.megabytes * 1_000_000:
            file.write(text)
    return path


def _sentences(source: Path) -> Iterator[str]:
    if source.suffix == ".conllu":
        return (sentence.text or "" for sentence in gp.read_conllu(source))
    return (line for line in source.read_text(encoding="utf-8").splitlines() if line.strip())


def _text(source: Path) -> str:
    """Return running text; for a treebank, with its paragraphs."""
    if source.suffix != ".conllu":
        return source.read_text(encoding="utf-8").strip()
    parts = []
    for sentence in gp.read_conllu(source):
        begins = any(comment.startswith(("# newdoc", "# newpar")) for comment in sentence.comments)
        parts += ["\n\n" if begins else " ", sentence.text or ""]
    return "".join(parts).strip()


def _command(source: Path, output: Path, settings: argparse.Namespace, engine: str, workers: int) -> list[str]:
    shutil.rmtree(output, ignore_errors=True)
    options = {
        "engine": engine,
        "workers": workers,
        "model": settings.model,
        "format": settings.format,
        "compress": settings.compress,
        "shard-size": settings.shard_size,
    }
    return [
        sys.executable,
        "-m",
        "gardenpath",
        "corpus",
        str(source),
        str(output),
        *(f"--{name}={value}" for name, value in options.items()),
    ]


def _run(command: list[str]) -> Outcome:
    common.say(" ".join(command[3:]))
    began = time.perf_counter()
    megabytes = 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            megabytes = max(megabytes, _megabytes(process.pid))
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
        seconds = time.perf_counter() - began
        printed, complaint = process.communicate()
    if process.returncode:
        sys.exit(f"{complaint}\nexit code {process.returncode}")
    output = Path(command[5])
    done = [json.loads(line) for line in (output / "done.jsonl").read_text(encoding="utf-8").splitlines()]
    largest = next(
        line.removeprefix("memory of the largest worker").strip()
        for line in printed.splitlines()
        if line.startswith("memory")
    )
    workers = next(int(option.partition("=")[2]) for option in command if option.startswith("--workers"))
    return Outcome(
        workers,
        seconds,
        sum(each["documents"] for each in done),
        sum(each["words"] for each in done),
        largest,
        megabytes,
        _digest(output),
    )


def _family(ancestor: int) -> dict[int, str]:
    """Return a process and its descendants, with their command lines."""
    parents = {}
    commands = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):              # the process has ended
            pid = int(folder.name)
            commands[pid] = (folder / "cmdline").read_text().replace("\0", " ")
            parents[pid] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    family = {}
    for pid, command in commands.items():
        above = pid
        while above in parents and above != ancestor:
            above = parents[above]
        if above == ancestor:
            family[pid] = command
    return family


def _megabytes(ancestor: int) -> float:
    """Return the memory of a process family, with shared memory counted once."""
    kilobytes = 0
    for pid in _family(ancestor):
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1000


def _digest(output: Path) -> str:
    """Return one checksum of all parts and failures."""
    digest = hashlib.sha256()
    for path in sorted([*output.glob("part-*"), *output.glob("failed-*")]):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _killed(command: list[str], kills: int, seconds: float) -> Outcome:
    """Run a command of about this duration; kill a worker, then the command, and start it again, several times."""
    chosen = random.Random(1)
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chosen.uniform(0.2, 0.5) * seconds / kills)
        while not (
            workers := [pid for pid, line in _family(process.pid).items() if any(name in line for name in WORKERS)]
        ):
            time.sleep(0.1)
        os.kill(min(workers), signal.SIGKILL)
        common.say(f"killed a worker; {_parts(command)} parts are complete")
        time.sleep(chosen.uniform(0.1, 0.3) * seconds / kills)
        process.kill()
        process.wait()
        common.say(f"killed the command; {_parts(command)} parts are complete")
    return _run(command)


def _parts(command: list[str]) -> int:
    return len(list(Path(command[5]).glob("part-*")))


def _print(outcomes: dict[str, Outcome]) -> None:
    first = next(iter(outcomes.values()))
    rows = []
    for name, outcome in outcomes.items():
        same = "same bytes" if outcome.digest == first.digest else "OTHER BYTES"
        figures = (
            ("", "", "", "")
            if "killed" in name
            else (
                f"{outcome.words / outcome.seconds:,.0f}",
                f"{first.seconds / outcome.seconds:.2f}",
                f"{outcome.documents / outcome.seconds:,.0f}",
                f"{1e9 / outcome.words * outcome.seconds * outcome.workers / 3600:.2f}",
            )
        )
        rows.append(
            (
                name,
                f"{outcome.seconds:.1f}",
                f"{outcome.words:,}",
                *figures,
                outcome.largest,
                f"{outcome.megabytes:,.0f} MB",
                same,
            )
        )
    common.table(
        (
            "engine",
            "seconds",
            "words",
            "words/s",
            "times the first",
            "documents/s",
            "core-hours a billion words",
            "largest worker",
            "all memory",
            f"output {first.digest}",
        ),
        rows,
    )
    if len({outcome.digest for outcome in outcomes.values()}) > 1:
        sys.exit("The outputs differ.")


if __name__ == "__main__":
    main()
