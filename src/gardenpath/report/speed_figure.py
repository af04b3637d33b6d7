"""The figure of accuracy against speed."""

from __future__ import annotations

from gardenpath.formats.layout import text_width
from gardenpath.report.axes import linear, logarithmic
from gardenpath.report.findings import Findings
from gardenpath.report.labels import beside
from gardenpath.report.palette import Figure, Looks
from gardenpath.report.plots import FONT, Plot, segment
from gardenpath.report.scores import METRICS
from gardenpath.report.tables import number

FAR = 26       # pixels; a label farther from its point is connected to it by a line


def speed(findings: Findings, looks: Looks) -> Figure | None:
    """Draw each condition as a point with its name."""
    scores, metric = findings.scores[findings.metric], METRICS[findings.metric]
    points = {
        condition: (known.words_per_second, score) for condition in findings.results.conditions
        if (known := findings.speeds.of(condition)) is not None and (score := scores.of(condition).mean) is not None
    }
    if not points:
        return None
    descriptions = {
        condition: f"{condition}: {number(speed, 0)} words per second, {metric} {number(score)}"
        for condition, (speed, score) in points.items()
    }
    speeds, values = zip(*points.values(), strict=True)
    plot = Plot(
        "speed-plot",
        f"{metric} against speed",
        "; ".join(descriptions.values()),
        logarithmic(speeds),
        linear(values),
        height=420,
    )
    plot.draw_y(f"{metric}, per cent")
    plot.draw_x("Words per second of processor time on one thread, logarithmic")
    places = [plot.at(*point) for point in points.values()]
    labels = beside(places, [text_width(condition, FONT) for condition in points], plot.area)
    for condition, (x, y), (left, middle) in zip(points, places, labels, strict=True):
        style = looks[condition]
        nearest = min(max(x, left), left + text_width(condition, FONT)), middle
        is_far = abs(nearest[0] - x) + abs(nearest[1] - y) > FAR
        plot.group(
            style.classes,
            [*([segment((x, y), nearest, "leader")] if is_far else []), style.marker((x, y))],
            descriptions[condition],
        )
        plot.text((left, middle), condition, classes=f"s{style.number}")
    return Figure(
        "speed", f"{metric} against speed, means over treebanks. Up and to the right is better.", [("", plot.svg())]
    )
