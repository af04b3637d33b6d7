"""The tables of the report in LaTeX, for \\input in a paper."""

from __future__ import annotations

from collections.abc import Sequence

from gardenpath.report.findings import Findings
from gardenpath.report.tables import DAGGER, Section, Table, TableEntry
from gardenpath.report.text import convert

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    DAGGER: r"\dag{}",
}
LONG = 40      # rows; longer tables may span several pages
WIDE = 60      # characters; wider columns are wrapped
HEAD = """\
% {title}
% Made by gardenpath report. Put \\usepackage{{booktabs,graphicx,longtable,textcomp}} in the preamble
% and \\input this file."""


def to_latex(findings: Findings, parts: Sequence[Section]) -> str:
    """Return all tables, each with a caption and a label `tab:NAME`. The text between them is kept as comments."""
    blocks = [HEAD.format(title=_comment(findings.results.title))]
    blocks += [f"% {_comment(findings.missing)}"] if findings.missing else []
    for part in parts:
        blocks.append("\n".join(f"% {_comment(line)}" for line in (part.title, part.text) if line))
        blocks += [_long_table(table) if len(table.rows) > LONG else _table(table) for table in part.tables]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Escape text for LaTeX."""
    return "".join(SPECIAL.get(character, character) for character in " ".join(text.split()))


def prose(text: str) -> str:
    """Convert text with code and emphasis."""
    return convert(text, escape, lambda code: rf"\texttt{{{escape(code)}}}", lambda words: rf"\emph{{{escape(words)}}}")


def _comment(text: str) -> str:
    return " ".join(text.split())


def _table(table: Table) -> str:
    """Return a floating table, scaled down if it is wider than the text."""
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{prose(table.caption)}}}",
            rf"\label{{tab:{table.name}}}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{_columns(table)}}}",
            r"\toprule",
            *_header(table),
            *map(_row, table.rows),
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
        ]
    )


def _long_table(table: Table) -> str:
    return "\n".join(
        [
            r"{\footnotesize",
            rf"\begin{{longtable}}{{{_columns(table)}}}",
            rf"\caption{{{prose(table.caption)}}}\label{{tab:{table.name}}}\\",
            r"\toprule",
            *_header(table),
            r"\endhead",
            r"\bottomrule",
            r"\endlastfoot",
            *map(_row, table.rows),
            r"\end{longtable}}",
        ]
    )


def _columns(table: Table) -> str:
    return "".join(
        "r" if table.is_number(i) else _text_column([row[i] for row in table.rows]) for i in range(len(table.header))
    )


def _text_column(entries: Sequence[TableEntry]) -> str:
    """Return the format of a text column: as wide as its text, or wrapped."""
    return r"p{18em}" if max(len(entry.text) for entry in entries) > WIDE else "l"


def _header(table: Table) -> list[str]:
    return [_row([TableEntry(name) for name in table.header]), r"\midrule"] if any(table.header) else []


def _row(row: Sequence[TableEntry]) -> str:
    return f"{' & '.join(map(_entry, row))} \\\\"


def _entry(entry: TableEntry) -> str:
    text = rf"\textbf{{{escape(entry.text)}}}" if entry.bold else escape(entry.text)
    return rf"{text}\textsuperscript{{\dag}}" if entry.marked else text
