"""Reports of experiments: tables in Markdown and LaTeX, a page with figures, and all numbers as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from gardenpath.errors import UsageError
from gardenpath.experiments.results import read_results
from gardenpath.files import replacing_text
from gardenpath.report.findings import Findings
from gardenpath.report.html import to_html
from gardenpath.report.latex import to_latex
from gardenpath.report.markdown import to_markdown
from gardenpath.report.sections import sections

__all__ = ["FILES", "Findings", "render", "write_report"]

FILES = {
    "markdown": "report.md",
    "latex": "report.tex",
    "html": "report.html",
    "csv": "results.csv",
    "json": "results.json",
}


def write_report(
    folder: str | Path, output: str | Path | None = None, *, formats: Iterable[str] = tuple(FILES), metric: str = "las"
) -> list[Path]:
    """Write the report of the experiment in a folder, to that folder or to `output`, and return the files.

    `metric` is the metric that conditions are compared by: `las`, `uas` or `exact_labelled`.
    """
    contents = render(folder, formats, metric=metric)
    target = Path(output or folder)
    if target.is_file():
        raise UsageError(f"{target}: this is a file, but a report has several; give a folder, or write one format to -")
    target.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        with replacing_text(target / FILES[name]) as file:
            file.write(content)
    return [target / FILES[name] for name in contents]


def render(folder: str | Path, formats: Iterable[str] = tuple(FILES), *, metric: str = "las") -> dict[str, str]:
    """Return the report as text, by format."""
    wanted = list(dict.fromkeys(formats))
    for name in wanted:
        if name not in FILES:
            raise UsageError(f"there is no report format {name!r}; choose one of: {', '.join(FILES)}")
    findings = Findings(read_results(folder), Path(folder), metric)
    parts = sections(findings)
    writers: dict[str, Callable[[], str]] = {
        "markdown": lambda: to_markdown(findings, parts),
        "latex": lambda: to_latex(findings, parts),
        "html": lambda: to_html(findings, parts),
        "csv": lambda: _csv(findings),
        "json": lambda: json.dumps(findings.to_dict(), ensure_ascii=False, indent=1) + "\n",
    }
    return {name: writers[name]() for name in wanted}


def _csv(findings: Findings) -> str:
    rows = list(findings.rows())
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["condition", "treebank", "seed"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
