"""The styles of conditions in figures: a hue, a marker and a dash pattern, so that colour is never the only difference.

The hues are those of Okabe and Ito (2008), which colour-blind readers can distinguish. The stylesheet of the page
makes them darker on white and lighter on black.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gardenpath.experiments.results import Results
from gardenpath.report.labels import Point

HUES = 6
DASHES = ("", "7 3", "2 3", "9 3 2 3")
SIZE = 4.5
SHAPES = {
    "circle": "M-{s} 0a{s} {s} 0 1 0 {d} 0a{s} {s} 0 1 0 -{d} 0Z",
    "square": "M-{t} -{t}H{t}V{t}H-{t}Z",
    "triangle": "M0 -{u}L{u} {t}H-{u}Z",
    "diamond": "M0 -{u}L{u} 0L0 {u}L-{u} 0Z",
    "inverted triangle": "M0 {u}L{u} -{t}H-{u}Z",
    "plus": "M-{u} 0H{u}M0 -{u}V{u}",
    "cross": "M-{t} -{t}L{t} {t}M-{t} {t}L{t} -{t}",
    "hexagon": "M-{u} 0L-{h} -{t}H{h}L{u} 0L{h} {t}H-{h}Z",
}
LINES = ("plus", "cross")            # shapes without an inside
MARKERS = [*((shape, True) for shape in SHAPES), *((shape, False) for shape in SHAPES if shape not in LINES)]


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """The style of a condition. `number` is its index in the experiment."""

    number: int
    hue: int
    dash: str
    shape: str
    filled: bool

    @property
    def classes(self) -> str:
        """The CSS classes of the elements of the condition."""
        return f"s{self.number} h{self.hue}"

    def marker(self, place: Point) -> str:
        """Return the marker at a position in pixels."""
        return marker(self.shape, self.filled, place)


Looks = dict[str, SeriesStyle]


@dataclass(frozen=True, slots=True)
class Figure:
    """Plots with a caption, each with a heading, which may be empty. Text between backquotes in the caption is code."""

    name: str
    caption: str
    plots: list[tuple[str, str]]


def identifier(title: str) -> str:
    """Return an id for a page from a title, unique to the title."""
    return "".join(_identifying(character) for character in title)


def _identifying(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    return "-" if character == " " else f"_{ord(character):x}"


def marker(shape: str, filled: bool, place: Point) -> str:
    """Return a marker in the colour of its group. A marker that is not filled has the colour of the page inside."""
    path = SHAPES[shape].format(s=SIZE, d=2 * SIZE, t=SIZE * 0.85, u=SIZE * 1.15, h=SIZE * 0.55)
    classes, (x, y) = "mark" if filled else "mark hollow", place
    return f'<path class="{classes}" transform="translate({x:.1f} {y:.1f})" d="{path}"/>'


def styles(results: Results) -> Looks:
    """Return a style for every condition, with one hue per system if there are enough hues."""
    systems = [condition["settings"].get("system", "") for condition in results.plan["conditions"]]
    order = list(dict.fromkeys(systems))
    by_system = 1 < len(order) <= HUES
    return looks_of(results.conditions, [order.index(system) for system in systems] if by_system else None)


def looks_of(names: Sequence[str], hues: Sequence[int] | None = None) -> Looks:
    """Return a style for every name, with the given hues or the next hue.

    Dashes distinguish names with the same hue.
    """
    found: Looks = {}
    seen: Counter[int] = Counter()
    for i, name in enumerate(names):
        hue = hues[i] if hues is not None else i % HUES
        shape, filled = MARKERS[i % len(MARKERS)]
        found[name] = SeriesStyle(i, hue, DASHES[seen[hue] % len(DASHES)], shape, filled)
        seen[hue] += 1
    return found
