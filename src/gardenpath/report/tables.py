"""Sections and tables, independent of the format; and how numbers are formatted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

NOTHING = "–"
DAGGER = "†"

Numbers = list[float | None]


@dataclass(frozen=True, slots=True)
class TableEntry:
    """One cell: its text, whether it is the best of its column, and whether it is significant."""

    text: str
    bold: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption. The last `numbers` columns are numeric. `detail` tables are collapsed where possible."""

    name: str
    caption: str
    header: list[str]
    rows: list[list[TableEntry]] = field(default_factory=list)
    numbers: int = 0
    detail: bool = False

    def add(self, *cells: str | TableEntry) -> None:
        """Add a row."""
        row = [cell if isinstance(cell, TableEntry) else TableEntry(cell) for cell in cells]
        assert len(row) == len(self.header)
        self.rows.append(row)

    def is_number(self, column: int) -> bool:
        """Return whether the column is numeric."""
        return column >= len(self.header) - self.numbers


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the report, with the name of its figure, if any. Text between backquotes is code."""

    title: str
    text: str
    tables: list[Table]
    figure: str = ""


def number(value: float | None, decimals: int = 2) -> str:
    """Format a number with a thousands separator, or a dash for None."""
    return NOTHING if value is None else f"{value:,.{decimals}f}".replace("-", "−")


def with_spread(mean: float | None, spread: float | None) -> str:
    """Format a mean with its standard deviation, if there is one."""
    return number(mean) if spread is None else f"{number(mean)} ± {number(spread)}"


def signed(value: float | None) -> str:
    """Format a difference with its sign. A difference that rounds to zero has no sign."""
    if value is None:
        return NOTHING
    rounded = round(value, 2) + 0.0      # turns -0.0 into 0.0
    return f"+{number(rounded)}" if rounded > 0 else number(rounded)


def signed_count(count: int) -> str:
    """Format an integer with its sign."""
    return f"{count:+,}".replace("-", "−") if count else "0"


def probability(p: float | None) -> str:
    """Format a p-value with three decimals."""
    return NOTHING if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def best(values: Sequence[float | None]) -> list[bool]:
    """Return which values are the highest after rounding to two decimals; none if there are fewer than two values."""
    known = [round(value, 2) for value in values if value is not None]
    if len(known) < 2:
        return [False] * len(values)
    return [value is not None and round(value, 2) == max(known) for value in values]


def bin_name(name: str) -> str:
    """Format a bin of lengths: 3–6, or 8+ for an open end. Other names do not change."""
    if not name[:1].isdigit():
        return name
    return f"{name[:-1]}+" if name.endswith("-") else name.replace("-", "–")
