"""Parse many files: to a folder with one output file per input, or all texts of a folder to one file."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import track

from gardenpath.cli.inputs import TEXT, kind_by_name, kind_of
from gardenpath.cli.options import PLAIN
from gardenpath.cli.parsing import ParseOptions
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.files import files_in
from gardenpath.formats import registry
from gardenpath.pipeline.pipeline import INPUTS
from gardenpath.threads import in_order

SHOWN = 5                # number of skipped files that the summary names


@dataclass(frozen=True, slots=True)
class _Job:
    source: Path
    target: Path
    id: str                  # of the document: the relative path of the source

    @property
    def prefix(self) -> str:
        """The beginning of the ids of sentences, so that they differ from those of other files."""
        return re.sub(r"[\s/]+", "-", f"{Path(self.id).with_suffix('').as_posix()}-")


def is_folder(sources: Sequence[str], output: str) -> bool:
    """Return whether the output is a folder.

    It exists as one, or its name ends with a slash, or an input is a folder and the name has no ending of a format.
    """
    if output == "-":
        return any(Path(source).is_dir() for source in sources)
    if output.endswith(("/", "\\")) or Path(output).is_dir():
        return True
    return registry.by_ending(output) is None and any(Path(source).is_dir() for source in sources)


def parse_files(
    options: ParseOptions, sources: Sequence[str], output: str, written: str, kind: str | None, skip_existing: bool,
) -> None:
    """Parse files, and the texts in folders, to a folder with one output file per input.

    With `kind`, only files of this kind are texts. What is skipped and what fails is reported on standard error. If a
    file cannot be parsed, the exit code is 1.
    """
    folder = _checked_output(sources, output)
    if not registry.is_for_trees(registry.named(written)):
        raise UsageError(f"{registry.named(written).title} cannot be written or has no trees; choose another format")
    texts, others = find_texts(sources, folder, kind)
    jobs = _jobs(texts, folder, written)
    done = [job for job in jobs if skip_existing and job.target.exists()]
    jobs = [job for job in jobs if job not in done]
    console = Console(stderr=True)
    alone = replace(options, threads=1) if len(jobs) > 1 else options
    results = in_order(partial(_parse, alone, written, kind), jobs, options.threads if len(jobs) > 1 else 1)
    failed = 0
    shown = track(results, "parsing", len(jobs), console=console, disable=not sys.stderr.isatty(), transient=True)
    for failure in shown:
        if failure is not None:
            failed += 1
            console.print(f"gardenpath: {failure}", **PLAIN)
    console.print(summary(len(jobs) - failed, failed, len(done), others, folder), **PLAIN)
    if failed:
        raise typer.Exit(1)


def _checked_output(sources: Sequence[str], output: str) -> Path:
    given = next((source for source in sources if Path(source).is_dir()), None)
    if "-" in sources:
        raise UsageError("standard input has no file name for the output folder; give an output file")
    if output == "-":
        raise UsageError(f"{given} is a folder; give a folder for the output, such as -o parsed/")
    if Path(output).exists() and not Path(output).is_dir():
        raise UsageError(f"{given} is a folder, so the output must be one, too; {output} is a file")
    return Path(output)


def find_texts(sources: Sequence[str], output: Path, kind: str | None) -> tuple[list[tuple[Path, Path]], list[Path]]:
    """Return the texts in files and folders, each with its relative path in the output, and other files."""
    texts, others = [], []
    for given in map(Path, sources):
        for path in files_in(given, output) if given.is_dir() else [given]:
            relative = path.relative_to(given) if given.is_dir() else Path(path.name)
            if not given.is_dir() or _is_wanted(path, kind):
                texts.append((path, relative))
            else:
                others.append(path)
    if not texts:
        raise InputError(
            f"{', '.join(sources)}: there is nothing to parse; names of texts end with .txt, .html, .docx, .csv, "
            ".conllu or the like"
        )
    return texts, others


def _is_wanted(path: Path, kind: str | None) -> bool:
    """Return whether a file in a folder is a text, or if a kind is given, of this kind."""
    known = kind_by_name(str(path))
    if known is None or kind is None or known == kind:
        return known is not None
    return known == TEXT and (kind in INPUTS or not registry.named(kind).endings)


def _jobs(texts: Sequence[tuple[Path, Path]], output: Path, written: str) -> list[_Job]:
    """Name the outputs. Inputs that differ in their endings only keep these endings in the names of the outputs."""
    ending = next(iter(registry.named(written).endings), f".{written}")
    times = Counter(relative.with_suffix("") for _, relative in texts)
    jobs = []
    for path, relative in texts:
        name = relative.name if times[relative.with_suffix("")] > 1 else relative.stem
        jobs.append(_Job(path, output / relative.with_name(name + ending), relative.as_posix()))
    sources = {job.source.resolve() for job in jobs}
    targets = Counter(job.target for job in jobs)
    for job in jobs:
        if job.target.resolve() in sources:
            raise UsageError(f"{job.target} is an input and would be overwritten; choose another output folder")
        if targets[job.target] > 1:
            raise UsageError(f"several inputs would be written to {job.target}; parse their folders one by one")
    return jobs


def _parse(options: ParseOptions, written: str, kind: str | None, job: _Job) -> str | None:
    """Parse one file; return None, or a message if that fails."""
    try:
        source = str(job.source)
        found = kind or kind_of(source, options.encoding)
        job.target.parent.mkdir(parents=True, exist_ok=True)
        options.parse([source], [found], str(job.target), written, ids=[job.id], prefix=job.prefix)
    except GardenpathError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or job.source}: {error.strerror or error}"
    return None


def summary(parsed: int, failed: int, done: int, others: list[Path], output: Path) -> str:
    """Return what was done with files, for standard error."""
    parts = [f"{parsed:,} parsed to {output}"]
    if failed:
        parts.append(f"{failed:,} failed")
    if done:
        parts.append(f"{done:,} skipped (output exists)")
    if others:
        names = ", ".join(path.name for path in others[:SHOWN])
        more = f" and {len(others) - SHOWN:,} more" if len(others) > SHOWN else ""
        parts.append(f"{len(others):,} skipped (not text): {names}{more}")
    return f"files: {'; '.join(parts)}"
