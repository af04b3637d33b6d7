"""The report as a self-contained HTML page, without network access and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as escape_html

from gardenpath.report.figures import figures
from gardenpath.report.findings import Findings
from gardenpath.report.palette import HUES, Figure, Looks, SeriesStyle, styles
from gardenpath.report.stylesheet import STYLESHEET, hues, switches
from gardenpath.report.tables import DAGGER, Section, Table, TableEntry
from gardenpath.report.text import convert

LONG = 30      # characters; the text of longer cells is wrapped


def to_html(findings: Findings, parts: Sequence[Section]) -> str:
    """Return the report of an experiment."""
    results = findings.results
    opening = [f"<p>{prose(results.notes)}</p>"] if results.notes.strip() else []
    opening += [f'<p class="notice">{prose(findings.missing)}</p>'] if findings.missing else []
    return page(results.title, opening, parts, figures(findings), styles(results))


def page(title: str, opening: Sequence[str], parts: Sequence[Section], drawn: dict[str, Figure], looks: Looks) -> str:
    """Return a whole page.

    `opening` is HTML before the contents. `drawn` has the figures of the sections, and `looks` the style of each
    series in them.
    """
    title = escape(title)
    body = [f"<h1>{title}</h1>", *opening, _contents(parts), *(_section(part, drawn) for part in parts)]
    body += [_key(looks)] if drawn else []
    return whole_page(title, STYLESHEET + hues(HUES) + switches(len(looks)), body)


def whole_page(title: str, style: str, body: Sequence[str]) -> str:
    """Return an HTML file with a stylesheet. The title and the body are HTML already."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )


def escape(text: str) -> str:
    """Escape text for HTML."""
    return escape_html(" ".join(text.split()))


def prose(text: str) -> str:
    """Convert text with code and emphasis."""
    return convert(text, escape, lambda code: f"<code>{escape(code)}</code>", lambda words: f"<em>{escape(words)}</em>")


def _contents(parts: Sequence[Section]) -> str:
    links = "".join(f'<li><a href="#{_anchor(part)}">{escape(part.title)}</a></li>' for part in parts)
    return f'<nav aria-label="Contents"><ul>{links}</ul></nav>'


def _anchor(part: Section) -> str:
    return part.title.lower().replace(",", "").replace(" ", "-")


def _section(part: Section, drawn: dict[str, Figure]) -> str:
    content = [f"<p>{prose(part.text)}</p>"] if part.text else []
    content += [_figure(drawn[part.figure])] if part.figure in drawn else []
    content += [_table(table) for table in part.tables]
    return "\n".join([f'<section id="{_anchor(part)}">', f"<h2>{escape(part.title)}</h2>", *content, "</section>"])


def _figure(figure: Figure) -> str:
    plots = "\n".join(
        f"<div>{f'<h4>{escape(heading)}</h4>' if heading else ''}{svg}</div>" for heading, svg in figure.plots
    )
    caption = f"<figcaption>{prose(figure.caption)}</figcaption>"
    return f'<figure id="figure-{figure.name}">{caption}\n<div class="plots">{plots}</div></figure>'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col"{_class(table, i)}>{escape(name)}</th>' for i, name in enumerate(table.header))
    head = f"<thead><tr>{head}</tr></thead>" if any(table.header) else ""
    rows = "\n".join(f"<tr>{''.join(_cell(table, i, entry) for i, entry in enumerate(row))}</tr>" for row in table.rows)
    content = (
        f'<div class="scroll"><table aria-label="{escape(table.caption)}">{head}<tbody>\n{rows}\n</tbody></table></div>'
    )
    if table.detail:
        return f"<details><summary>{prose(table.caption)}</summary>{content}</details>"
    return f"<h3>{prose(table.caption)}</h3>\n{content}"


def _cell(table: Table, column: int, entry: TableEntry) -> str:
    text = f"<strong>{escape(entry.text)}</strong>" if entry.bold else escape(entry.text)
    mark = f'<span class="dagger" title="significant">{DAGGER}</span>' if entry.marked else ""
    if column == 0:
        return f'<th scope="row">{text}{mark}</th>'
    return f"<td{_class(table, column) or _long(entry)}>{text}{mark}</td>"


def _class(table: Table, column: int) -> str:
    return ' class="number"' if table.is_number(column) else ""


def _long(entry: TableEntry) -> str:
    return ' class="long"' if len(entry.text) > LONG else ""


def _key(looks: Looks) -> str:
    """Return the legend, with a checkbox for each condition that shows or hides it in all figures."""
    entries = "".join(
        f"<li><label>{_box(style)}{_sample(style)}{escape(condition)}</label></li>"
        for condition, style in looks.items()
    )
    return f'<aside class="key" aria-label="Conditions in the figures"><ul>{entries}</ul></aside>'


def _box(style: SeriesStyle) -> str:
    return f'<input type="checkbox" id="show-{style.number}" checked>'


def _sample(style: SeriesStyle) -> str:
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    line = f'<line x1="0" y1="8" x2="34" y2="8" stroke="currentColor" stroke-width="1.75"{dash}/>'
    size = f'class="h{style.hue}" width="34" height="16"'
    marker = style.marker((17, 8))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-hidden="true">{line}{marker}</svg>'
