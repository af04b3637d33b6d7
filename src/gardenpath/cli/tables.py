"""Print tables to standard output."""

from __future__ import annotations

import sys

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

Rows = list[tuple[str, ...]]
Contents = tuple[tuple[str, ...], Rows]
LINES = 3            # columns of the terminal between two cells


def number(value: float | None) -> str:
    """Format a number with two decimals; None gives an empty string."""
    return "" if value is None else f"{value:.2f}"


def show(
    title: str, header: tuple[str, ...], rows: Rows, *, prose: bool = False, optional: tuple[str, ...] = (),
) -> None:
    """Print a table: with lines on a terminal, otherwise with columns separated by spaces.

    The first column and the column "Meaning" are left-aligned, the others right-aligned. With `prose`, all are
    left-aligned. On a terminal, cells are broken between words only, and `optional` columns are left out, the first one
    first, until the table fits.
    """
    left = [prose or i == 0 or name == "Meaning" for i, name in enumerate(header)]
    typer.echo()
    if sys.stdout.isatty():
        _show_on_terminal(title, header, rows, left, optional)
        return
    typer.echo(title)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = [
            cell.ljust(width) if is_left else cell.rjust(width)
            for cell, width, is_left in zip(row, widths, left, strict=True)
        ]
        typer.echo("  ".join(cells).rstrip())


def _show_on_terminal(
    title: str, header: tuple[str, ...], rows: Rows, left: list[bool], optional: tuple[str, ...],
) -> None:
    console = Console(highlight=False)
    widths = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    hidden: list[str] = []
    for name in optional:
        if sum(width + LINES for i, width in enumerate(widths) if header[i] not in hidden) < console.width:
            break
        hidden.append(name)
    chosen = [i for i, name in enumerate(header) if name not in hidden]
    table = Table(title=title, title_justify="left")
    for i in chosen:
        is_whole = i == 0 or not any(" " in row[i] for row in rows)
        table.add_column(header[i], justify="left" if left[i] else "right", no_wrap=is_whole, overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[i]) for i in chosen))
    console.print(table)
    if hidden:
        typer.echo(f"Not shown, because the terminal is too narrow: {', '.join(hidden)}.")
