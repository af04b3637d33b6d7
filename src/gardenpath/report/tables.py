"""Sections and tables that know nothing of formats: what stands in them, and how numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

NOTHING = "–"
DAGGER = "†"

Numbers = list[float | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell: its text, whether it is the best of its column, and whether it is significant."""

    text: str
    bold: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption. The last `numbers` columns are numbers; `detail` is for whoever wants to know it exactly."""

    name: str
    caption: str
    header: list[str]
    rows: list[list[Entry]] = field(default_factory=list)
    numbers: int = 0
    detail: bool = False

    def add(self, *cells: str | Entry) -> None:
        """Add a row."""
        row = [cell if isinstance(cell, Entry) else Entry(cell) for cell in cells]
        assert len(row) == len(self.header)
        self.rows.append(row)

    def is_number(self, column: int) -> bool:
        """Does the column hold numbers?"""
        return column >= len(self.header) - self.numbers


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report, with the name of its figure, if it has one. In its text, what stands between backquotes is code."""

    title: str
    text: str
    tables: list[Table]
    figure: str = ""


def number(value: float | None, decimals: int = 2) -> str:
    """A number, with a separator of thousands; a dash for None."""
    return NOTHING if value is None else f"{value:,.{decimals}f}".replace("-", "−")


def with_spread(mean: float | None, spread: float | None) -> str:
    """A mean and its standard deviation, if it has one."""
    return number(mean) if spread is None else f"{number(mean)} ± {number(spread)}"


def signed(value: float | None) -> str:
    """A difference with its sign; one that rounds to zero has none."""
    if value is None:
        return NOTHING
    rounded = round(value, 2) + 0.0      # which is never -0.0
    return f"+{number(rounded)}" if rounded > 0 else number(rounded)


def signed_count(count: int) -> str:
    """A whole number with its sign."""
    return f"{count:+,}".replace("-", "−") if count else "0"


def probability(p: float | None) -> str:
    """A p, as exactly as it matters."""
    return NOTHING if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def best(values: Sequence[float | None]) -> list[bool]:
    """Which values are the highest, as far as two decimals tell; none if there is nothing to be better than."""
    known = [round(value, 2) for value in values if value is not None]
    if len(known) < 2:
        return [False] * len(values)
    return [value is not None and round(value, 2) == max(known) for value in values]


def bin_name(name: str) -> str:
    """A range of lengths as it is read: 3–6, and 8+ for what has no end; other names stay as they are."""
    if not name[:1].isdigit():
        return name
    return f"{name[:-1]}+" if name.endswith("-") else name.replace("-", "–")
