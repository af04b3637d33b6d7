"""Figures with a line for each condition: recall by length of arcs, learning curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gardenpath.formats.layout import text_width
from gardenpath.report.axes import Axis, categories, linear
from gardenpath.report.findings import Findings
from gardenpath.report.labels import LINE, Point, apart
from gardenpath.report.palette import Figure, Looks, identifier
from gardenpath.report.plots import FONT, Plot, curve, segment
from gardenpath.report.tables import Numbers, bin_name, number

WIDE, SMALL = 600, 350       # width without the names of the lines, and of a small plot
HIGH, LOW = 360, 240
DODGE = 3.2                  # pixels between lines at the same category
ROOT = "root"
DISTANCE = "Distance between word and head, in words"
ARC_CAPTION = """\
Recall by the distance between word and gold head. Lines are shifted slightly so that they do not overlap. The root has
no length, so no line leads to it."""


def arc_lengths(findings: Findings, looks: Looks) -> Figure | None:
    """Draw recall by length of arcs, and its difference from the baseline."""
    breakdown = findings.breakdowns["arc_length"]
    rows = {condition: breakdown.row(condition) for condition in findings.results.conditions}
    rows = {condition: row for condition, row in rows.items() if any(value is not None for value in row)}
    if not rows:
        return None
    kinds = [bin_name(kind) for kind in breakdown.kinds]
    plots = [("Recall", by_kind("Recall by length of arcs", "Recall, per cent", kinds, rows, looks))]
    baseline = rows.get(findings.results.baseline)
    if baseline and len(rows) > 1:
        differences = {condition: _minus(row, baseline) for condition, row in rows.items()}
        title = "Recall by length of arcs, difference from the baseline"
        plot = by_kind(title, "Points of recall", kinds, differences, looks)
        plots.append(("Difference from the baseline", plot))
    return Figure("arc-lengths", ARC_CAPTION, plots)


def learning(findings: Findings, looks: Looks) -> Figure | None:
    """Draw LAS on the dev set after each epoch, on average and on each treebank."""
    if not any(len(each.las) > 1 for each in findings.curves):
        return None
    plots = []
    for treebank in (None, *findings.results.treebanks):
        rows = {each.condition: each.las for each in findings.curves if each.treebank == treebank}
        if rows and treebank is None:
            plots.append(
                ("Mean over treebanks", _by_epoch("LAS by epoch, mean over treebanks", rows, looks, labelled=True))
            )
        elif rows and len(findings.results.treebanks) > 1:
            plots.append((treebank or "", _by_epoch(f"LAS by epoch on {treebank}", rows, looks, labelled=False)))
    return Figure(
        "learning",
        "LAS on the dev set after each epoch, mean over seeds. Each plot has its own y axis, which does not begin at "
        "zero.",
        plots,
    )


def by_kind(
    title: str, unit: str, kinds: list[str], rows: dict[str, Numbers], looks: Looks, below: str = DISTANCE
) -> str:
    """Draw a line for each row, with a value or None for each kind. `below` is the title of the x axis."""
    descriptions = [
        f"{condition}: {', '.join(f'{kind} {number(value)}' for kind, value in zip(kinds, row, strict=True))}"
        for condition, row in rows.items()
    ]
    y = linear(value for row in rows.values() for value in row if value is not None)
    plot = _labelled(title, "; ".join(descriptions), categories(kinds), y, list(rows))
    plot.draw_y(unit)
    plot.draw_x(below, grid=False)
    ends: dict[str, Point] = {}
    for i, (condition, row) in enumerate(rows.items()):
        places = dict(_places(plot, kinds, row, DODGE * (i - (len(rows) - 1) / 2)))
        style = looks[condition]
        line = curve([place for kind, place in places.items() if kind != ROOT], style.dash)
        plot.group(style.classes, [line, *map(style.marker, places.values())], condition)
        ends[condition] = list(places.values())[-1]
    _label_ends(plot, ends, looks)
    return plot.svg()


def _minus(row: Numbers, baseline: Numbers) -> Numbers:
    return [None if value is None or base is None else value - base for value, base in zip(row, baseline, strict=True)]


def _places(plot: Plot, kinds: Sequence[str], row: Numbers, shift: float) -> Iterator[tuple[str, Point]]:
    for i, (kind, value) in enumerate(zip(kinds, row, strict=True)):
        if value is not None:
            x, y = plot.at(i, value)
            yield kind, (x + shift, y)


def _by_epoch(title: str, rows: dict[str, list[float]], looks: Looks, *, labelled: bool) -> str:
    epochs = max(map(len, rows.values()))
    x = Axis(0.7, epochs + 0.3, [(i, str(i)) for i in range(1, epochs + 1)])
    y = linear(value for row in rows.values() for value in row)
    description = "; ".join(f"{condition}: {', '.join(map(number, row))}" for condition, row in rows.items())
    plot = (
        _labelled(title, description, x, y, list(rows))
        if labelled
        else Plot(identifier(title), title, description, x, y, width=SMALL, height=LOW)
    )
    plot.draw_y("LAS on the dev set, per cent")
    plot.draw_x("Epoch", grid=False)
    places = {condition: [plot.at(i, las) for i, las in enumerate(row, 1)] for condition, row in rows.items()}
    for condition, points in places.items():
        style = looks[condition]
        # In a small plot, each condition has one marker, at an epoch of its own.
        marked = points if labelled else [points[style.number % len(points)]]
        plot.group(style.classes, [curve(points, style.dash), *map(style.marker, marked)], condition)
    if labelled:
        _label_ends(plot, {condition: points[-1] for condition, points in places.items()}, looks)
    return plot.svg()


def _labelled(title: str, description: str, x: Axis, y: Axis, names: Sequence[str]) -> Plot:
    """Return an empty plot with room for the names of its lines on the right."""
    right = max(text_width(name, FONT) for name in names) + 34
    return Plot(
        identifier(title),
        title,
        description,
        x,
        y,
        width=WIDE + right,
        height=max(HIGH, len(names) * LINE + 70),
        right=right,
    )


def _label_ends(plot: Plot, ends: dict[str, Point], looks: Looks) -> None:
    """Write the name of each line near its end, without overlaps, connected by a thin line."""
    _, top, edge, bottom = plot.area
    heights = apart([y for _, y in ends.values()], top, bottom)
    for (condition, (x, y)), height in zip(ends.items(), heights, strict=True):
        style = looks[condition]
        plot.group(
            style.classes, [segment((x + 6, y), (edge + 8, height), "leader"), style.marker((edge + 14, height))]
        )
        plot.text((edge + 24, height), condition, classes=f"s{style.number}")
