"""Draw docs/images/models.svg: accuracy against speed of the shipped models and of other parsers.

Filled points were measured on one machine (benchmarks/pipeline.py, benchmarks/raw_text.py). Open points are published
figures from other machines, and partly from other releases of the treebank.
"""

from __future__ import annotations

import json
from pathlib import Path

from gardenpath.formats.layout import text_width
from gardenpath.report.axes import linear, logarithmic
from gardenpath.report.labels import beside
from gardenpath.report.plots import FONT, Plot

FOLDER = Path(__file__).parent
STYLE = (
    "<style>.plot{font-family:sans-serif;background:#fff}.grid{stroke:#ddd}.axis{stroke:#444}"
    "text{fill:#222}.ours{fill:#1f6f50}.other{fill:#777}.published{fill:#fff;stroke:#777;stroke-width:1.5}</style>"
)


def draw(points: list[dict[str, object]]) -> str:
    """Return the plot of points with `name`, `las`, `speed` and `kind` (ours, other or published)."""
    speeds = [float(str(point["speed"])) for point in points]
    scores = [float(str(point["las"])) for point in points]
    description = "; ".join(f"{point['name']}: LAS {point['las']}, {point['speed']:,} words/s" for point in points)
    plot = Plot(
        "models", "Accuracy against speed", description, logarithmic([*speeds, 300, 300_000]), linear([*scores, 90]),
        height=420,
    )
    plot.draw_y("LAS (F1), raw text of English-EWT test")
    plot.draw_x("Words per second on one core, logarithmic")
    places = [plot.at(*place) for place in zip(speeds, scores, strict=True)]
    names = [str(point["name"]) for point in points]
    labels = beside(places, [text_width(name, FONT) for name in names], plot.area)
    for point, (x, y), label in zip(points, places, labels, strict=True):
        kind, name = str(point["kind"]), str(point["name"])
        plot.group(kind, [f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'], name)
        plot.text(label, name)
    svg = plot.svg()
    place = svg.index(">") + 1
    return svg[:place] + STYLE + svg[place:] + "\n"


if __name__ == "__main__":
    measured = json.loads((FOLDER / "images" / "models.json").read_text(encoding="utf-8"))
    (FOLDER / "images" / "models.svg").write_text(draw(measured), encoding="utf-8")
