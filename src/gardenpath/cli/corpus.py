"""`gardenpath corpus`: a corpus larger than a machine."""

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

from gardenpath.cli.options import PLAIN, ModelName
from gardenpath.cli.tables import Rows, show
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import engine_of
from gardenpath.corpus.folder import CorpusState
from gardenpath.corpus.inputs import AUTO, COMPRESSIONS, INPUTS
from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.plan import FORMATS
from gardenpath.corpus.work import Done
from gardenpath.crews.crew import ENGINES
from gardenpath.errors import InputError, UsageError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def _names(names: tuple[str, ...]) -> str:
    return f"{', '.join(f'`{name}`' for name in names[:-1])} or `{names[-1]}`"


def command(
    inputs: Annotated[list[Path], typer.Argument(help="Files, or folders of files: .txt, .jsonl, .conllu, .parquet; also in .gz or .zst.", metavar="IN")],
    output: Annotated[Path, typer.Argument(help="The folder to write to; it goes on with what it has begun there.", metavar="OUT")],
    model: ModelName = "en",
    engine: Annotated[str, typer.Option(help=f"Where shards are parsed: {_names(ENGINES)}, a cluster.")] = "local",
    workers: Annotated[int | None, typer.Option("--workers", "-w", min=1, help="Shards at the same time.", show_default="as many as there are cores")] = None,
    format: Annotated[str, typer.Option("--format", "-f", help=f"What is written: {_names(FORMATS)}.")] = "conllu",
    nested: Annotated[bool, typer.Option("--nested", help="Parquet: a row a sentence, not a row a word.")] = False,
    compress: Annotated[str, typer.Option(help=f"How CoNLL-U is compressed: {_names(COMPRESSIONS)}.")] = "none",
    input_kind: Annotated[
        str, typer.Option("--input", "-i", help=f"What is given: {_names(INPUTS)}. `auto` goes by the names of the files.", metavar="KIND"),
    ] = AUTO,
    text_field: Annotated[str, typer.Option(help="JSON and Parquet: where the text is.", metavar="NAME")] = "text",
    id_field: Annotated[str, typer.Option(help="JSON and Parquet: where a document's id is, if it has one.", metavar="NAME")] = "id",
    shard_size: Annotated[str, typer.Option(help="How much input one worker takes at a time.", metavar="SIZE")] = "16MiB",
    address: Annotated[
        str | None, typer.Option(help="The Ray cluster.", metavar="HOST:PORT", show_default="RAY_ADDRESS, or a Ray of our own on this machine"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
) -> None:
    """Parse a corpus of any size, in constant memory, by many workers, to a folder of CoNLL-U or Parquet.

    Stop it whenever you like: the same command goes on with what is missing. The output is the same, to the byte, whatever the engine and the number of
    workers. Documents that cannot be parsed are set aside, with the reason, in files beside the others.

    Examples: gardenpath corpus wiki/ parsed/ --workers 8 --compress zst; gardenpath corpus pages.jsonl.gz parsed/ --format parquet --engine ray
    """
    if address is not None:
        os.environ["RAY_ADDRESS"] = address
    chosen = engine_of(engine)
    settings = CorpusSettings(model, format, nested, compress, input_kind, text_field, id_field, bytes_of(shard_size))
    corpus = Corpus(inputs, output, settings)
    state = corpus.state()
    typer.echo(_told(corpus, state), err=True)
    if dry_run:
        _show_plan(corpus, state)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began, total, memory, failures = time.monotonic(), Counts(), 0.0, []
    try:
        with _bar() as bar:
            row = bar.add_task(output.name, total=corpus.size, completed=state.size, parts=state.parts, words=0, speed="")
            for parts, done in enumerate(corpus.run(chosen, workers), state.parts + 1):
                total += done.counts
                memory = max(memory, done.memory or 0)
                if done.failure:
                    failures.append(done)
                speed = f"{total.words / (time.monotonic() - began):,.0f}"
                bar.update(row, advance=done.size, parts=parts, words=f"{total.words:,}", speed=speed)
                if done.failure or not bar.console.is_terminal:
                    bar.console.print(_line(done), **PLAIN)
    except KeyboardInterrupt:
        typer.echo("gardenpath: stopped; what is done is kept, and the same command goes on with the rest", err=True)
        raise typer.Exit(130) from None
    _sum_up(state.counts + total, total, time.monotonic() - began, memory)
    if failures:
        told = "; ".join(f"shard {done.shard.label}: {(done.failure or '').strip().splitlines()[-1]}" for done in failures[:3])
        raise InputError(f"{len(failures)} shards could not be done: {told}; the same command tries them again")


def bytes_of(size: str) -> int:
    """A size like `16MiB` or `500k` in bytes."""
    found = re.fullmatch(r"(\d+)\s*([kmg]?i?)b?", size.strip().lower())
    if not found or found[2] not in _UNITS:
        raise UsageError(f"{size!r} is no size; write it like 16MiB, 500kB or 1000000")
    return int(found[1]) * _UNITS[found[2]]


def _told(corpus: Corpus, state: CorpusState) -> str:
    files = len(corpus.plan.inputs)
    done = f", {state.parts} parts done" if state.parts else ""
    return f"{files:,} file{'s' * (files > 1)}, {corpus.size / 1e6:,.1f} MB, {len(corpus.shards):,} shard{'s' * (len(corpus.shards) > 1)}{done}"


def _show_plan(corpus: Corpus, state: CorpusState) -> None:
    missing = {shard.number for shard in state.missing}
    rows: Rows = []
    for shard in corpus.shards:
        first, last = shard.segments[0], shard.segments[-1]
        place = f"{first.input.name}, {first.start:,} to {first.end:,}" if first is last else f"{first.input.name} to {last.input.name}"
        if first is last and (first.start, first.end) == (0, first.input.size):
            place = first.input.name
        rows.append((f"{shard.number:05}", str(len(shard.segments)), f"{shard.size:,}", place, "missing" if shard.number in missing else "done"))
    show("The plan", ("Shard", "Segments", "Bytes", "From", "State"), rows)


def _bar() -> Bar:
    """A bar by the bytes that are read, for terminals; elsewhere each part has its line."""
    console = Console(stderr=True)
    told = TextColumn("{task.fields[parts]} parts, {task.fields[words]} words, {task.fields[speed]} words/s")
    columns = (TextColumn("{task.description}"), BarColumn(), told, TimeElapsedColumn(), TimeRemainingColumn())
    return Bar(*columns, console=console, disable=not console.is_terminal)


def _line(done: Done) -> str:
    """What became of a shard."""
    if done.failure:
        return f"shard {done.shard.label} could not be done: {done.failure.strip().splitlines()[-1]}"
    failed = f", {done.counts.failed:,} failed" if done.counts.failed else ""
    return f"part {done.shard.label}: {done.counts.documents:,} documents, {done.counts.words:,} words{failed}"


def _sum_up(all_parts: Counts, now: Counts, seconds: float, memory: float) -> None:
    rows: Rows = [
        ("documents", f"{all_parts.documents:,}"), ("sentences", f"{all_parts.sentences:,}"), ("words", f"{all_parts.words:,}"),
        ("failed", f"{all_parts.failed:,}"), ("words a second, this time", f"{now.words / seconds:,.0f}"),
        ("memory of the largest worker", f"{memory:,.0f} MB"),
    ]
    show("Corpus", ("What", "How many"), rows)
