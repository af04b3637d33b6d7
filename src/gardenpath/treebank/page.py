"""Statistics of treebanks as one page with figures, several treebanks side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from gardenpath.report.axes import linear
from gardenpath.report.html import page
from gardenpath.report.line_figures import DISTANCE, by_kind
from gardenpath.report.palette import Figure, Looks, looks_of
from gardenpath.report.row_figures import row_plot
from gardenpath.report.tables import Numbers, Section, Table, bin_name, number
from gardenpath.treebank.statistics import Statistics, by_count
from gardenpath.treebank.tables import Contents, degrees, tables

Bins = tuple[int, ...]                         # the beginning of each bin; the last has no end

LENGTHS: Bins = (1, *range(6, 52, 5))
DISTANCES: Bins = (*range(1, 11), 11, 16, 21)
DEPTHS: Bins = tuple(range(1, 17))
MOST_LABELS = 40
WIDE = 520
CAPTION = """\
Arcs between words by length and direction, as shares of all arcs between words, and trees by depth. The last bins cover
several lengths, which raises the lines there. Lines are shifted slightly so that they do not overlap."""
OPENING = "docs/treebanks.md defines each measure. Shares are percentages of what the axis names."


def to_html(parts: Sequence[Statistics], title: str = "Treebanks") -> str:
    """Return the page. The names of the treebanks must be unique."""
    looks = looks_of([part.name for part in parts])
    found = tables(parts)
    sections = [
        _section("Sentences", "", found[:1], "lengths"),
        _section("Arcs", "", found[1:2], "arcs"),
        _section("Crossing arcs", "", found[2:3], "projectivity"),
        _section("Systems", "Trees that each system can derive, by its static oracle.", found[3:4], "systems"),
        _section("Tags", "", [found[4], found[7]], "tags", detail=True),
        _section("Labels", "", found[5:7], "labels", detail=True),
    ]
    drawn = [
        _lengths(parts, looks),
        _arcs(parts, looks),
        _projectivity(parts, looks),
        _systems(parts, looks),
        _tags(parts, looks),
        _labels(parts, looks),
    ]
    return page(
        title, [f"<p>{OPENING}</p>"], sections, {figure.name: figure for figure in drawn if figure.plots}, looks
    )


def _section(title: str, text: str, contents: Sequence[Contents], figure: str, *, detail: bool = False) -> Section:
    return Section(title, text, [_table(each, detail) for each in contents], figure)


def _table(contents: Contents, detail: bool) -> Table:
    table = Table(
        contents.title, contents.title, list(contents.header), numbers=len(contents.header) - 1, detail=detail
    )
    for row in contents.rows:
        table.add(*row)
    return table


def _lengths(parts: Sequence[Statistics], looks: Looks) -> Figure:
    plot = _lines(
        "Sentences by length",
        "Sentences, per cent",
        "Words in the sentence",
        {part.name: part.lengths for part in parts},
        LENGTHS,
        looks,
    )
    return Figure("lengths", "Sentences by their number of words.", [("", plot)])


def _arcs(parts: Sequence[Statistics], looks: Looks) -> Figure:
    """Draw arcs by length in each direction, and trees by depth; no plots if there are no trees."""
    parts = [part for part in parts if part.trees]
    if not parts:
        return Figure("arcs", CAPTION, [])
    totals = {part.name: part.arcs.total() for part in parts}
    plots = []
    for where, sign in (("before", -1), ("after", 1)):
        counts = {
            part.name: Counter({sign * place: count for place, count in part.arcs.items() if sign * place > 0})
            for part in parts
        }
        title = f"Dependents {where} their head"
        plots.append((title, _lines(title, "Arcs, per cent", DISTANCE, counts, DISTANCES, looks, totals)))
    depths = {part.name: part.depths for part in parts}
    below = "Arcs from the root to the deepest word"
    plots.append(("Depth of trees", _lines("Trees by depth", "Trees, per cent", below, depths, DEPTHS, looks)))
    return Figure("arcs", CAPTION, [(title, plot) for title, plot in plots if plot])


def _projectivity(parts: Sequence[Statistics], looks: Looks) -> Figure:
    measures: list[tuple[str, Callable[[Statistics], int]]] = [
        ("non-projective", lambda part: part.nonprojective_trees),
        *degrees(),
        ("ill-nested", lambda part: part.ill_nested_trees),
        ("not 1-endpoint-crossing", lambda part: part.trees - part.one_endpoint_crossing_trees),
    ]
    rows = {name: [_per_cent(count(part), part.trees) for part in parts] for name, count in measures}
    plots = _dots("Trees that are not projective", "Trees", rows, looks)
    return Figure("projectivity", "Shares of trees that are not projective, by several measures.", plots)


def _systems(parts: Sequence[Statistics], looks: Looks) -> Figure:
    names = dict.fromkeys(system for part in parts for system in part.derived)
    rows = {system: [_per_cent(part.derived[system], part.trees) for part in parts] for system in names}
    return Figure(
        "systems",
        "The axis does not begin at zero.",
        _dots("Trees that each system derives", "Trees", rows, looks, from_zero=False),
    )


def _tags(parts: Sequence[Statistics], looks: Looks) -> Figure:
    return Figure("tags", "Words by UPOS.", _shares("Words by UPOS", parts, [part.upos for part in parts], looks))


def _labels(parts: Sequence[Statistics], looks: Looks) -> Figure:
    caption = f"Words by label, without subtypes; at most the {MOST_LABELS} most frequent."
    return Figure("labels", caption, _shares("Words by label", parts, [part.universal_labels for part in parts], looks))


def _shares(
    title: str, parts: Sequence[Statistics], counted: Sequence[Counter[str]], looks: Looks
) -> list[tuple[str, str]]:
    total: Counter[str] = Counter()
    for counts in counted:
        total.update(counts)
    names = [name for name, _ in by_count(total)[:MOST_LABELS]]
    rows = {
        name: [_per_cent(counts[name], part.words) for counts, part in zip(counted, parts, strict=True)]
        for name in names
    }
    return _dots(title, "Words", rows, looks)


def _lines(
    title: str,
    unit: str,
    below: str,
    counts: dict[str, Counter[int]],
    bins: Bins,
    looks: Looks,
    totals: dict[str, int] | None = None,
) -> str:
    """Draw distributions as lines: shares of their own totals, or of `totals`. Return nothing if all are empty."""
    rows: dict[str, Numbers] = {}
    for name, values in counts.items():
        binned = Counter(dict.fromkeys(bins, 0))
        for value, count in values.items():
            binned[max(begin for begin in bins if begin <= value)] += count
        total = totals[name] if totals else values.total()
        if total:
            rows[name] = [_per_cent(binned[begin], total) for begin in bins]
    return "" if not rows else by_kind(title, unit, [bin_name(name) for name in _bin_names(bins)], rows, looks, below)


def _bin_names(bins: Bins) -> list[str]:
    return [
        *(str(begin) if after == begin + 1 else f"{begin}-{after - 1}" for begin, after in pairwise(bins)),
        f"{bins[-1]}-",
    ]


def _dots(
    title: str, unit: str, rows: dict[str, Numbers], looks: Looks, *, from_zero: bool = True
) -> list[tuple[str, str]]:
    """Draw a row for each name with a marker for each treebank; no plot if there are no values."""
    known = [value for row in rows.values() for value in row if value is not None]
    if not known:
        return []
    description = "; ".join(
        f"{name}: {', '.join(f'{treebank} {number(value)}' for treebank, value in zip(looks, row, strict=True))}"
        for name, row in rows.items()
    )
    plot = row_plot(
        title, description, linear([*known, *([0.0] if from_zero else [])]), f"{unit}, per cent", list(rows), WIDE
    )
    for column, (treebank, style) in enumerate(looks.items()):
        for place, (name, row) in zip(reversed(range(len(rows))), rows.items(), strict=True):
            value = row[column]
            if value is not None:
                plot.group(
                    style.classes, [style.marker(plot.at(value, place))], f"{treebank}: {name} {number(value)} %"
                )
    return [("", plot.svg())]


def _per_cent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
