"""The figures of the report, each of one or several plots."""

from __future__ import annotations

from gardenpath.report.findings import Findings
from gardenpath.report.line_figures import arc_lengths, learning
from gardenpath.report.palette import Figure, styles
from gardenpath.report.row_figures import differences, projectivity
from gardenpath.report.speed_figure import speed


def figures(findings: Findings) -> dict[str, Figure]:
    """Return all figures that have data, by name."""
    looks = styles(findings.results)
    every = [draw(findings, looks) for draw in (differences, arc_lengths, projectivity, speed, learning)]
    return {figure.name: figure for figure in every if figure is not None}
