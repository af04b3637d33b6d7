"""The report in GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gardenpath.report.findings import Findings
from gardenpath.report.tables import DAGGER, Section, Table, TableEntry
from gardenpath.report.text import convert

SPECIAL = re.compile(r"([\\|*_\[\]#~$`])")


def to_markdown(findings: Findings, parts: Sequence[Section]) -> str:
    """Return the whole report."""
    blocks = [f"# {escape(findings.results.title)}"]
    blocks += [prose(text) for text in (findings.results.notes.strip(), findings.missing) if text]
    for part in parts:
        blocks += [f"## {part.title}", *([prose(part.text)] if part.text else []), *map(_table, part.tables)]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Escape text for Markdown and HTML."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def prose(text: str) -> str:
    """Convert a paragraph with code and emphasis."""
    return convert(text, escape, lambda code: f"`{code}`", lambda words: f"*{escape(words)}*")


def _table(table: Table) -> str:
    lines = [
        _row([escape(name) for name in table.header]),
        _row(["--:" if table.is_number(i) else ":--" for i in range(len(table.header))]),
        *(_row(map(_entry, row)) for row in table.rows),
    ]
    content = "\n".join(lines)
    if table.detail:
        return f"<details>\n<summary>{escape(table.caption)}</summary>\n\n{content}\n\n</details>"
    return f"**{prose(table.caption)}**\n\n{content}"


def _row(cells: Sequence[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _entry(entry: TableEntry) -> str:
    text = f"**{escape(entry.text)}**" if entry.bold else escape(entry.text)
    return f"{text} {DAGGER}" if entry.marked else text
