"""How conditions look in figures: a hue, a marker and a dash, so that colour alone tells nothing.

The hues are those of Okabe and Ito (2008), which the colour-blind can tell apart; the stylesheet of the page makes them darker on white, lighter on black.
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
LINES = ("plus", "cross")            # shapes that have no inside
MARKERS = [*((shape, True) for shape in SHAPES), *((shape, False) for shape in SHAPES if shape not in LINES)]


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a condition; `number` is its place in the experiment."""

    number: int
    hue: int
    dash: str
    shape: str
    filled: bool

    @property
    def classes(self) -> str:
        """The classes of what is drawn for the condition."""
        return f"s{self.number} h{self.hue}"

    def marker(self, place: Point) -> str:
        """Its marker at a place in pixels."""
        return marker(self.shape, self.filled, place)


Looks = dict[str, Style]


@dataclass(frozen=True, slots=True)
class Figure:
    """Plots with a caption, each with a heading, which may be empty. In the caption, what stands between backquotes is code."""

    name: str
    caption: str
    plots: list[tuple[str, str]]


def identifier(title: str) -> str:
    """A name for a page, from a title: another one for every other title."""
    return "".join(character if character.isascii() and character.isalnum() else "-" if character == " " else f"_{ord(character):x}" for character in title)


def marker(shape: str, filled: bool, place: Point) -> str:
    """A marker in the colour of what it belongs to; one that is not filled is filled like the page."""
    path = SHAPES[shape].format(s=SIZE, d=2 * SIZE, t=SIZE * 0.85, u=SIZE * 1.15, h=SIZE * 0.55)
    return f'<path class="{"mark" if filled else "mark hollow"}" transform="translate({place[0]:.1f} {place[1]:.1f})" d="{path}"/>'


def styles(results: Results) -> Looks:
    """A look for every condition: one hue for each system, if the hues suffice for that."""
    systems = [condition["settings"].get("system", "") for condition in results.plan["conditions"]]
    order = list(dict.fromkeys(systems))
    by_system = 1 < len(order) <= HUES
    return looks_of(results.conditions, [order.index(system) for system in systems] if by_system else None)


def looks_of(names: Sequence[str], hues: Sequence[int] | None = None) -> Looks:
    """A look for every name, with its hue, or one hue after the other; dashes tell apart what has the same one."""
    found: Looks = {}
    seen: Counter[int] = Counter()
    for i, name in enumerate(names):
        hue = hues[i] if hues is not None else i % HUES
        shape, filled = MARKERS[i % len(MARKERS)]
        found[name] = Style(i, hue, DASHES[seen[hue] % len(DASHES)], shape, filled)
        seen[hue] += 1
    return found
