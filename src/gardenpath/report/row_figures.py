"""Figures with a row for each condition: differences with their intervals, projective and non-projective trees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from gardenpath.formats.layout import text_width
from gardenpath.report.axes import Axis, categories, linear
from gardenpath.report.comparisons import Difference, Pairing
from gardenpath.report.findings import Findings
from gardenpath.report.palette import Figure, Looks, identifier, marker
from gardenpath.report.plots import FONT, Plot, segment
from gardenpath.report.scores import METRICS
from gardenpath.report.tables import Numbers, number, signed

ROW = 22          # the height of a row
SPAN = 205        # width without the names of the rows
WIDE = 350
TICK = 5          # half the height of a small tick
CAPTION = """\
Difference in {metric} between each condition and the baseline, `{baseline}`. Bars are 95 % bootstrap intervals over
sentences. Filled markers are significant differences after Holm's correction, hollow markers are not. Small ticks next
to a mean are the single treebanks."""

Marks = tuple[tuple[str, str, bool], ...]      # name of the column, marker, whether it is filled

SENTENCES: Marks = (("projective", "circle", True), ("non-projective", "diamond", False))
ARCS: Marks = (("recall", "square", True), ("precision", "triangle", False))


def differences(findings: Findings, looks: Looks) -> Figure | None:
    """Draw the difference of each condition from the baseline, on each treebank and on average."""
    pairings = [pairing for pairing in findings.differences if pairing.treebanks]
    if not pairings:
        return None
    every = [each for pairing in pairings for each in pairing.treebanks]
    x = linear([0.0, *(value for each in every for value in (each.low, each.high))])
    unit = f"Points of {METRICS[findings.metric]}"
    plots = [("Mean over treebanks", _means(pairings, x, unit, looks))]
    for treebank in findings.results.treebanks:
        rows = [each for each in every if each.treebank == treebank]
        plots += [(treebank, _of_treebank(rows, x, unit, looks))] if rows else []
    caption = CAPTION.format(metric=METRICS[findings.metric], baseline=findings.results.baseline)
    return Figure("differences", caption, plots if len(plots) > 2 else plots[1:])


def projectivity(findings: Findings, looks: Looks) -> Figure | None:
    """Draw projective and non-projective sentences, and non-projective arcs."""
    sentences, recall, precision = (
        findings.breakdowns[name] for name in ("projectivity", "arc_recall", "arc_precision")
    )
    if sentences.kinds != [name for name, _, _ in SENTENCES]:
        return None
    conditions = [condition for condition in findings.results.conditions if any(sentences.row(condition))]
    of_arcs = {condition: [*recall.row(condition)[1:], *precision.row(condition)[1:]] for condition in conditions}
    return Figure(
        "projectivity",
        "Sentences by their gold tree, and non-projective arcs. A condition that builds no non-projective arcs has no "
        "precision.",
        [
            (
                "Sentences: ● projective, ◇ non-projective",
                _dumbbells(
                    "LAS in projective and non-projective sentences",
                    "LAS, per cent",
                    {each: sentences.row(each) for each in conditions},
                    SENTENCES,
                    looks,
                ),
            ),
            (
                "Non-projective arcs: ■ recall, △ precision",
                _dumbbells("Recall and precision of non-projective arcs", "Per cent", of_arcs, ARCS, looks),
            ),
        ],
    )


def row_plot(title: str, description: str, x: Axis, unit: str, names: Sequence[str], width: int) -> Plot:
    """Return an empty plot with a row for each name, the first at the top."""
    left = max(text_width(name, FONT) for name in names) + 12
    plot = Plot(
        identifier(title),
        title,
        description,
        x,
        categories(list(reversed(names))),
        width=left + width,
        height=len(names) * ROW + 62,
        left=left,
    )
    plot.draw_x(unit)
    plot.draw_rows()
    return plot


def _means(pairings: Sequence[Pairing], x: Axis, unit: str, looks: Looks) -> str:
    descriptions = [f"{pairing.second}: {signed(pairing.difference)}" for pairing in pairings]
    plot = row_plot(
        "Differences from the baseline, means over treebanks",
        "; ".join(descriptions),
        x,
        unit,
        [pairing.second for pairing in pairings],
        SPAN,
    )
    plot.draw_zero()
    for row, pairing, text in zip(reversed(range(len(pairings))), pairings, descriptions, strict=True):
        ticks = [plot.at(each.difference, row) for each in pairing.treebanks]
        content = [segment((x, y - TICK), (x, y + TICK), "tick") for x, y in ticks]
        content.append(marker("diamond", pairing.is_significant, plot.at(pairing.difference or 0.0, row)))
        plot.group(looks[pairing.second].classes, content, text)
    return plot.svg()


def _of_treebank(rows: Sequence[Difference], x: Axis, unit: str, looks: Looks) -> str:
    descriptions = [
        f"{each.second}: {signed(each.difference)}, from {signed(each.low)} to {signed(each.high)}" for each in rows
    ]
    plot = row_plot(
        f"Differences from the baseline on {rows[0].treebank}",
        "; ".join(descriptions),
        x,
        unit,
        [each.second for each in rows],
        SPAN,
    )
    plot.draw_zero()
    for row, each, text in zip(reversed(range(len(rows))), rows, descriptions, strict=True):
        bar = segment(plot.at(each.low, row), plot.at(each.high, row), "bar")
        plot.group(
            looks[each.second].classes,
            [bar, marker("circle", each.is_significant, plot.at(each.difference, row))],
            text,
        )
    return plot.svg()


def _dumbbells(title: str, unit: str, rows: dict[str, Numbers], marks: Marks, looks: Looks) -> str:
    """Draw two values for each condition, connected by a bar."""
    x = linear(value for row in rows.values() for value in row if value is not None)
    descriptions = [
        f"{name}: {', '.join(f'{mark[0]} {number(value)}' for mark, value in zip_longest(marks, row))}"
        for name, row in rows.items()
    ]
    plot = row_plot(title, "; ".join(descriptions), x, unit, list(rows), WIDE)
    for place, (condition, row), text in zip(reversed(range(len(rows))), rows.items(), descriptions, strict=True):
        known = [(plot.at(value, place), mark) for value, mark in zip(row, marks, strict=False) if value is not None]
        bars = [segment(known[0][0], known[-1][0], "bar")] if len(known) > 1 else []
        plot.group(
            looks[condition].classes,
            [*bars, *(marker(shape, filled, point) for point, (_, shape, filled) in known)],
            text,
        )
    return plot.svg()
