"""`gardenpath report`: the report of an experiment."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath.cli.options import output as opened_output
from gardenpath.errors import UsageError
from gardenpath.report import FILES, render, write_report


def command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of an experiment, OUTPUT/NAME of `gardenpath experiment NAME.toml`.")],
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="DIR", help="Where to write; - is standard output, for one format.", show_default="FOLDER"),
    ] = None,
    formats: Annotated[
        list[str] | None, typer.Option("--format", "-f", metavar="FORMAT", help=f"{', '.join(FILES)}; may be given several times.", show_default="all"),
    ] = None,
    metric: Annotated[str, typer.Option("--metric", metavar="METRIC", help="What conditions are compared by: las, uas or exact_labelled.")] = "las",
) -> None:
    """Make tables and figures of the records of an experiment, finished or not.

    Writes report.md, report.tex, report.html, results.csv (one row a run) and results.json, and prints their names.

    Example: gardenpath report results/oracles; gardenpath report results/oracles --format markdown --output -
    """
    chosen = formats or list(FILES)
    if output != "-":
        for path in write_report(folder, output, formats=chosen, metric=metric):
            typer.echo(path)
        return
    if len(chosen) != 1:
        raise UsageError("standard output has room for one format: give it with --format")
    with opened_output("-") as file:
        file.writelines(render(folder, chosen, metric=metric).values())
