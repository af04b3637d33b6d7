"""`gardenpath suspects`: find probable annotation errors in a treebank."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from gardenpath.cli.options import MultiRoot, output
from gardenpath.cli.tables import Rows, show
from gardenpath.errors import UsageError
from gardenpath.files import require_other_file, require_writable
from gardenpath.systems import DEFAULT
from gardenpath.treebank.suspect_report import annotated_arc, predicted_arc, rows, to_html, write_csv
from gardenpath.treebank.suspects import EPOCHS, Suspects, find_suspects


def command(
    treebank: Annotated[
        str, typer.Argument(metavar="TREEBANK", help="CoNLL-U file to examine; - reads standard input.")
    ],
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a report: .html or .csv. Can be repeated."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Number of suspects in the output.")] = 200,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help=f"Transition system, by default {DEFAULT}. Can be repeated."),
    ] = None,
    folds: Annotated[
        int | None, typer.Option(min=2, help="Number of folds; by default 10, or fewer for small treebanks.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Number of epochs.")] = EPOCHS,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 1,
    workers: Annotated[int, typer.Option("--workers", "-w", min=1, help="Number of processes.")] = 1,
    variation: Annotated[bool, typer.Option("--variation/--no-variation", help="Use variation n-grams.")] = True,
    multi_root: MultiRoot = False,
) -> None:
    """Find probable annotation errors: words whose head or label a parser predicts differently.

    Every sentence is parsed by a model that was trained on other sentences. The suspects are ranked by the calibrated
    confidence of the prediction, the frequency of such arcs, and the annotation of the same words elsewhere. Without
    --output, a table is printed.

    Example: gardenpath suspects train.conllu -o suspects.html -o suspects.csv
    """
    for name in outputs or ():
        _check_ending(name)
        require_other_file(name, [treebank], "the report")
        require_writable(name, "the report")
    bar = Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with bar:
        task = bar.add_task("Cross-validation", total=None)
        found = find_suspects(
            treebank, systems=systems or (DEFAULT,), folds=folds, epochs=epochs, seed=seed, workers=workers,
            variation=variation, allow_multiple_roots=multi_root,
            watch=lambda done, total: bar.update(task, completed=done, total=total),
        )
    for name in outputs or ():
        _write(found, name, most)
    if not outputs:
        _show(found, most)
    print(f"{len(found):,} suspects in {sum(map(len, found.sentences)):,} words", file=sys.stderr)


def _check_ending(name: str) -> None:
    if not name.endswith((".html", ".csv")):
        raise UsageError(f"{name}: the ending is not known; use .html or .csv")


def _write(found: Suspects, name: str, most: int) -> None:
    with output(name) as file:
        if name.endswith(".csv"):
            write_csv(found, file, most)
        else:
            file.write(to_html(found, most))


def _show(found: Suspects, most: int) -> None:
    table: Rows = [
        (
            str(row["rank"]), f"{row['score']:.2f}", f"{row['confidence']:.2f}", f"{row['file']}:{row['line']}",
            f"{row['word']} {row['form']}", annotated_arc(row), predicted_arc(row), row["variation"],
        )
        for row in rows(found, most)
    ]
    header = ("Rank", "Score", "Confidence", "Place", "Word", "Annotated", "Predicted", "Variation")
    show("Suspects", header, table, prose=True)
