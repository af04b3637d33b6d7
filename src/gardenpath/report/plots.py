"""SVG plots made of simple parts: axes, lines, markers, text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from gardenpath.formats.layout import text_width
from gardenpath.report.axes import Axis
from gardenpath.report.labels import Box, Point

FONT = 12
DOWN = 4            # pixels from the middle of a line of text to its baseline


@dataclass(slots=True)
class Plot:
    """A drawing area with margins. `name` is its id in the page, and `description` the text for screen readers."""

    name: str
    title: str
    description: str
    x: Axis
    y: Axis
    width: int = 720
    height: int = 360
    left: int = 58
    right: int = 16
    top: int = 12
    bottom: int = 46
    parts: list[str] = field(default_factory=list)

    @property
    def area(self) -> Box:
        """The area between the margins: left, top, right and bottom, in pixels."""
        return self.left, self.top, self.width - self.right, self.height - self.bottom

    def at(self, x: float, y: float) -> Point:
        """Return the position of a point in pixels."""
        left, top, right, bottom = self.area
        return left + (right - left) * self.x.place(x), bottom - (bottom - top) * self.y.place(y)

    def draw_x(self, title: str, *, grid: bool = True) -> None:
        """Draw the x axis: its title, grid lines, and those tick labels that fit."""
        left, top, right, bottom = self.area
        last = float("-inf")
        for value, label in self.x.ticks:
            x = self.at(value, self.y.low)[0]
            half = text_width(label, FONT) / 2
            if grid:
                self.parts.append(segment((x, top), (x, bottom), "grid"))
            if x - half > last:
                self.text((x, bottom + 12), label, "middle")
                last = x + half
        self.parts.append(segment((left, bottom), (right, bottom), "axis"))
        self.text(((left + right) / 2, self.height - 12), title, "middle", "title")

    def draw_y(self, title: str) -> None:
        """Draw the y axis with grid lines."""
        left, top, right, bottom = self.area
        for value, label in self.y.ticks:
            y = self.at(self.x.low, value)[1]
            self.parts.append(segment((left, y), (right, y), "grid"))
            self.text((left - 6, y), label, "end")
        turned = f'transform="translate(14 {(top + bottom) / 2:.1f}) rotate(-90)"'
        self.parts.append(f'<text class="title" text-anchor="middle" {turned}>{escape(title)}</text>')

    def draw_rows(self) -> None:
        """Draw the names of a y axis of categories, with grid lines."""
        for value, name in self.y.ticks:
            y = self.at(self.x.low, value)[1]
            self.parts.append(segment((self.left, y), (self.width - self.right, y), "grid"))
            self.text((self.left - 8, y), name, "end")

    def draw_zero(self) -> None:
        """Draw a vertical line where x is zero."""
        self.parts.append(segment(self.at(0, self.y.low), self.at(0, self.y.high), "zero"))

    def text(self, place: Point, text: str, anchor: str = "start", classes: str = "") -> None:
        """Draw text at a position in pixels, vertically centred."""
        kind = f' class="{classes}"' if classes else ""
        self.parts.append(
            f'<text{kind} x="{place[0]:.1f}" y="{place[1] + DOWN:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
        )

    def group(self, classes: str, content: Sequence[str], title: str = "") -> None:
        """Draw parts as a group, with a tooltip."""
        tooltip = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(f'<g class="{classes}">{tooltip}{"".join(content)}</g>')

    def svg(self) -> str:
        """Return the whole picture."""
        size = (
            f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}" font-size="{FONT}"'
        )
        labels = f'aria-labelledby="{self.name}-title {self.name}-desc"'
        title = f'<title id="{self.name}-title">{escape(self.title)}</title>'
        description = f'<desc id="{self.name}-desc">{escape(self.description)}</desc>'
        content = "".join([title, description, *self.parts])
        return f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" {labels} {size}>{content}</svg>'


def curve(points: Sequence[Point], dash: str = "") -> str:
    """Return a line through points in pixels."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline class="curve"{dashes} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def segment(start: Point, end: Point, classes: str) -> str:
    """Return a straight line between two points in pixels."""
    return f'<line class="{classes}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
