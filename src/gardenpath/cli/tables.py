"""Tables on standard output."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Rows = list[tuple[str, ...]]
Contents = tuple[tuple[str, ...], Rows]


def number(value: float | None) -> str:
    """A number with two decimals; nothing for None."""
    return "" if value is None else f"{value:.2f}"


def show(title: str, header: tuple[str, ...], rows: Rows, *, prose: bool = False) -> None:
    """Show a table: drawn on a terminal, elsewhere its columns set apart by spaces. Numbers are set to the right, `prose` to the left."""
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
        cells = [cell.ljust(width) if is_left else cell.rjust(width) for cell, width, is_left in zip(row, widths, left, strict=True)]
        typer.echo("  ".join(cells).rstrip())
