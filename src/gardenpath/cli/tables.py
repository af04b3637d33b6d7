"""Print tables to standard output."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Rows = list[tuple[str, ...]]
Contents = tuple[tuple[str, ...], Rows]


def number(value: float | None) -> str:
    """Format a number with two decimals; None gives an empty string."""
    return "" if value is None else f"{value:.2f}"


def show(title: str, header: tuple[str, ...], rows: Rows, *, prose: bool = False) -> None:
    """Print a table: with lines on a terminal, otherwise with columns separated by spaces.

    The first column and the column "Meaning" are left-aligned, the others right-aligned. With `prose`, all are
    left-aligned.
    """
    left = [prose or i == 0 or name == "Meaning" for i, name in enumerate(header)]
    typer.echo()
    if sys.stdout.isatty():
        table = Table(title=title, title_justify="left")
        for name, is_left in zip(header, left, strict=True):
            table.add_column(name, justify="left" if is_left else "right")
        for row in rows:
            table.add_row(*map(Text, row))
        Console(highlight=False).print(table)
        return
    typer.echo(title)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = [
            cell.ljust(width) if is_left else cell.rjust(width)
            for cell, width, is_left in zip(row, widths, left, strict=True)
        ]
        typer.echo("  ".join(cells).rstrip())
