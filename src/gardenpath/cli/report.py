"""`gardenpath report`: make the report of an experiment."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath.cli.options import output as opened_output
from gardenpath.errors import UsageError
from gardenpath.report import FILES, render, write_report


def command(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER", help="Folder of the experiment: OUTPUT/NAME of `gardenpath experiment NAME.toml`."
        ),
    ],
    *,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Output folder; - writes a single format to standard output.",
            show_default="FOLDER",
        ),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format", "-f", metavar="FORMAT", help=f"Format to write: {', '.join(FILES)}; may be repeated.",
            show_default="all",
        ),
    ] = None,
    metric: Annotated[
        str,
        typer.Option("--metric", metavar="METRIC", help="Metric for comparing conditions: las, uas or exact_labelled."),
    ] = "las",
) -> None:
    """Make tables and figures from the records of an experiment. The experiment may be unfinished.

    Writes report.md, report.tex, report.html, results.csv (one row per run) and results.json, and prints their names.

    Examples: gardenpath report results/oracles; gardenpath report results/oracles --format markdown --output -
    """
    chosen = formats or list(FILES)
    if output != "-":
        for path in write_report(folder, output, formats=chosen, metric=metric):
            typer.echo(path)
        return
    if len(chosen) != 1:
        raise UsageError("only one format can be written to standard output; choose it with --format")
    with opened_output("-") as file:
        file.writelines(render(folder, chosen, metric=metric).values())
