"""`gardenpath corpus`: parse a corpus of any size."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from gardenpath.cli.options import PLAIN, DropConflicts, Encoding, KeepHeads, ModelName, Reparse, head_option
from gardenpath.cli.tables import Rows, show
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import engine_of
from gardenpath.corpus.folder import CorpusState
from gardenpath.corpus.inputs import AUTO, COMPRESSIONS, INPUTS
from gardenpath.corpus.parsing import MOST, Counts
from gardenpath.corpus.parts import language_name
from gardenpath.corpus.plan import FORMATS
from gardenpath.corpus.work import Done
from gardenpath.crews.crew import ENGINES
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.models.languages import Misfit

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def _names(names: tuple[str, ...]) -> str:
    return f"{', '.join(f'`{name}`' for name in names[:-1])} or `{names[-1]}`"


def command(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            metavar="IN", help="Files or folders: .txt, .jsonl, .conllu or .parquet, also compressed as .gz or .zst."
        ),
    ],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Output folder, new or from an interrupted run.")],
    model: ModelName = "en",
    engine: Annotated[
        str, typer.Option(help=f"Where to run the workers: {_names(ENGINES)} (a Ray cluster).")
    ] = "local",
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", min=1, help="Number of parallel workers.", show_default="number of cores"),
    ] = None,
    format: Annotated[str, typer.Option("--format", "-f", help=f"Output format: {_names(FORMATS)}.")] = "conllu",
    nested: Annotated[
        bool, typer.Option("--nested", help="Parquet: write one row per sentence instead of one per word.")
    ] = False,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Tables: columns to write, for example 'document form head_form deprel'.",
            show_default="all for Parquet, a selection for CSV and TSV",
        ),
    ] = None,
    compress: Annotated[
        str, typer.Option(help=f"Compression of CoNLL-U, CSV and TSV output: {_names(COMPRESSIONS)}.")
    ] = "none",
    input_kind: Annotated[
        str,
        typer.Option(
            "--input", "-i", metavar="KIND",
            help=f"Input format: {_names(INPUTS)}. `auto` uses the file extensions.",
        ),
    ] = AUTO,
    text_field: Annotated[
        str, typer.Option(metavar="NAME", help="JSON and Parquet: field with the text.")
    ] = "text",
    id_field: Annotated[
        str, typer.Option(metavar="NAME", help="JSON and Parquet: field with the document id, if any.")
    ] = "id",
    encoding: Encoding = UTF8,
    keep_heads: KeepHeads = False,
    reparse: Reparse = False,
    drop_conflicts: DropConflicts = False,
    shard_size: Annotated[str, typer.Option(metavar="SIZE", help="Amount of input per shard.")] = "16MiB",
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="Address of the Ray cluster.",
            show_default="RAY_ADDRESS, or a local Ray instance",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan without parsing.")] = False,
) -> None:
    """Parse a corpus of any size with parallel workers, to a folder of CoNLL-U files or tables.

    Memory use does not grow with the corpus. An interrupted run continues when you run the same command again. The
    output is identical for all engines and numbers of workers. Documents that cannot be parsed are written to separate
    files, with the reason.

    Examples: gardenpath corpus wiki/ parsed/ --workers 8 --compress zst; gardenpath corpus pages.jsonl.gz parsed/
    --format parquet --engine ray
    """
    if address is not None:
        os.environ["RAY_ADDRESS"] = address
    chosen = engine_of(engine)
    names = None if columns is None else tuple(columns.replace(",", " ").split())
    settings = CorpusSettings(
        model, format, nested, compress, input_kind, text_field, id_field, bytes_of(shard_size), encoding, names,
        head_option(keep_heads, reparse), drop_conflicts,
    )
    corpus = Corpus(inputs, output, settings)
    state = corpus.state()
    typer.echo(_summary(corpus, state), err=True)
    if dry_run:
        _show_plan(corpus, state)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began, total, memory, failures, shown = time.monotonic(), Counts(), 0.0, [], 0
    try:
        with _bar() as bar:
            row = bar.add_task(
                output.name, total=corpus.size, completed=state.size, parts=state.parts, words=0, speed=""
            )
            for parts, done in enumerate(corpus.run(chosen, workers), state.parts + 1):
                total += done.counts
                memory = max(memory, done.memory or 0)
                if done.failure:
                    failures.append(done)
                speed = f"{total.words / (time.monotonic() - began):,.0f}"
                bar.update(row, advance=done.size, parts=parts, words=f"{total.words:,}", speed=speed)
                if done.failure or not bar.console.is_terminal:
                    bar.console.print(_line(done), **PLAIN)
                for warned in done.warned[: MOST - shown]:
                    misfit = Misfit(warned.fit, warned.languages)
                    bar.console.print(f"gardenpath: {warned.id}: {misfit}", **PLAIN)
                    shown += 1
    except KeyboardInterrupt:
        typer.echo("gardenpath: interrupted; run the same command again to continue", err=True)
        raise typer.Exit(130) from None
    _sum_up(state.counts + total, total, time.monotonic() - began, memory)
    if total.warned > shown:
        listed = f"{output / language_name('*')} list all of them"
        typer.echo(f"gardenpath: {total.warned - shown:,} more documents do not fit the model; {listed}", err=True)
    if failures:
        reasons = "; ".join(
            f"shard {done.shard.label}: {(done.failure or '').strip().splitlines()[-1]}" for done in failures[:3]
        )
        raise InputError(f"{len(failures)} shards failed: {reasons}; run the same command again to retry them")


def bytes_of(size: str) -> int:
    """Convert a size such as `16MiB` or `500k` to bytes."""
    found = re.fullmatch(r"(\d+)\s*([kmg]?i?)b?", size.strip().lower())
    if not found or found[2] not in _UNITS:
        raise UsageError(f"{size!r} is not a valid size; write it like 16MiB, 500kB or 1000000")
    return int(found[1]) * _UNITS[found[2]]


def _summary(corpus: Corpus, state: CorpusState) -> str:
    files, shards = len(corpus.plan.inputs), len(corpus.shards)
    done = f", {state.parts} parts done" if state.parts else ""
    size = f"{corpus.size / 1e6:,.1f} MB"
    return f"{files:,} file{'s' * (files > 1)}, {size}, {shards:,} shard{'s' * (shards > 1)}{done}"


def _show_plan(corpus: Corpus, state: CorpusState) -> None:
    missing = {shard.number for shard in state.missing}
    rows: Rows = []
    for shard in corpus.shards:
        first, last = shard.segments[0], shard.segments[-1]
        if first is not last:
            place = f"{first.input.name} to {last.input.name}"
        elif (first.start, first.end) == (0, first.input.size):
            place = first.input.name
        else:
            place = f"{first.input.name}, {first.start:,} to {first.end:,}"
        status = "missing" if shard.number in missing else "done"
        rows.append((f"{shard.number:05}", str(len(shard.segments)), f"{shard.size:,}", place, status))
    show("The plan", ("Shard", "Segments", "Bytes", "From", "State"), rows)


def _bar() -> Bar:
    """Return a progress bar that counts input bytes. It is disabled if standard error is not a terminal."""
    console = Console(stderr=True)
    counts = TextColumn("{task.fields[parts]} parts, {task.fields[words]} words, {task.fields[speed]} words/s")
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeElapsedColumn(), TimeRemainingColumn())
    return Bar(*columns, console=console, disable=not console.is_terminal)


def _line(done: Done) -> str:
    """Describe the result of a shard in one line."""
    if done.failure:
        return f"shard {done.shard.label} failed: {done.failure.strip().splitlines()[-1]}"
    failed = f", {done.counts.failed:,} failed" if done.counts.failed else ""
    return f"part {done.shard.label}: {done.counts.documents:,} documents, {done.counts.words:,} words{failed}"


def _sum_up(all_parts: Counts, now: Counts, seconds: float, memory: float) -> None:
    rows: Rows = [
        ("documents", f"{all_parts.documents:,}"), ("sentences", f"{all_parts.sentences:,}"),
        ("words", f"{all_parts.words:,}"), ("failed", f"{all_parts.failed:,}"),
        ("probably in another language", f"{all_parts.warned:,}"),
        ("words per second, this run", f"{now.words / seconds:,.0f}"),
        ("memory of the largest worker", f"{memory:,.0f} MB"),
    ]
    show("Corpus", ("Quantity", "Value"), rows)
