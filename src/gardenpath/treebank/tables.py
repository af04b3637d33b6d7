"""Statistics of treebanks as tables with one column per treebank, for the terminal and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from gardenpath.oracles.swaps import SWAPPING
from gardenpath.treebank.statistics import Statistics, by_count, lengths_of, mean, quantile

NOTHING = "–"

Measure = Callable[[Statistics], str]
Count = Callable[[Statistics], int]


class Contents(NamedTuple):
    """A table: its title, the names of its columns, its rows."""

    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]


def tables(parts: Sequence[Statistics], most: int | None = None) -> list[Contents]:
    """Return all tables of these treebanks, with the `most` frequent tags, features and labels (None: all)."""
    return [
        _measured("Size", parts, _sizes()),
        _measured("Arcs and trees", parts, _trees()),
        _measured("Projectivity", parts, _projectivity()),
        _measured("Trees that each system derives", parts, _coverage(parts)),
        _counted("UPOS", parts, lambda part: part.upos, most),
        _counted("Labels", parts, lambda part: part.universal_labels, most),
        _counted("Labels with their subtypes", parts, lambda part: part.labels, most),
        _counted("Features", parts, lambda part: part.features, most),
    ]


def _measured(title: str, parts: Sequence[Statistics], measures: Iterator[tuple[str, Measure]]) -> Contents:
    return Contents(
        title, ("", *(part.name for part in parts)), [(name, *map(measure, parts)) for name, measure in measures]
    )


def _counted(
    title: str, parts: Sequence[Statistics], counts_of: Callable[[Statistics], Counter[str]], most: int | None
) -> Contents:
    """Make a table of counts by name, with shares of the words."""
    counted = [counts_of(part) for part in parts]
    total: Counter[str] = Counter()
    for counts in counted:
        total.update(counts)
    names = [name for name, _ in by_count(total)]
    rows = [
        (name, *(share(counts[name], part.words) for counts, part in zip(counted, parts, strict=True)))
        for name in names[:most]
    ]
    shown = title if most is None or len(names) <= most else f"{title}, the {most} most frequent of {len(names)}"
    return Contents(shown, ("", *(part.name for part in parts)), rows)


def _sizes() -> Iterator[tuple[str, Measure]]:
    for name in ("sentences", "words", "tokens", "multiword tokens", "empty nodes"):
        yield name, _number(attrgetter(name.replace(" ", "_")))
    yield from _distribution("words per sentence", lambda part: part.lengths)
    for name, values in (
        ("UPOS", "upos"),
        ("features", "features"),
        ("labels", "universal_labels"),
        ("labels with subtypes", "labels"),
    ):
        yield f"different {name}", _number(_size(values))


def _trees() -> Iterator[tuple[str, Measure]]:
    yield "sentences that are trees", lambda part: share(part.trees, part.sentences)
    yield "... with several roots", _of_trees(lambda part: part.trees - part.roots[1])
    yield "arcs between words", _number(lambda part: part.arcs.total())
    yield (
        "... dependent before its head",
        lambda part: share(sum(count for place, count in part.arcs.items() if place < 0), part.arcs.total()),
    )
    yield from _distribution("length of arcs", lambda part: lengths_of(part.arcs))
    yield from _distribution("depth of trees", lambda part: part.depths)
    yield "words with dependents", lambda part: share(at_least(part.dependents, 1), part.dependents.total())
    yield from _distribution(
        "dependents per head",
        lambda part: Counter({number: count for number, count in part.dependents.items() if number}),
    )


def _projectivity() -> Iterator[tuple[str, Measure]]:
    yield "non-projective trees", _of_trees(lambda part: part.nonprojective_trees)
    yield "non-projective arcs", _of_arcs(lambda part: part.nonprojective_arcs)
    yield "arcs that lifting changes", _of_arcs(lambda part: part.lifted_arcs)
    yield from ((name, _of_trees(count)) for name, count in degrees())
    yield "ill-nested trees", _of_trees(lambda part: part.ill_nested_trees)
    yield "not 1-endpoint-crossing", _of_trees(lambda part: part.trees - part.one_endpoint_crossing_trees)
    for kind in SWAPPING:
        yield f"swaps of the {kind} oracle", _number(_entry("swaps", kind))


def degrees() -> Iterator[tuple[str, Count]]:
    """Yield the counts of trees by gap degree and edge degree above zero."""
    for measure in ("gap", "edge"):
        for degree in (1, 2):
            yield f"{measure} degree {degree}", _entry(f"{measure}_degrees", degree)
        yield f"{measure} degree 3 or more", _above(f"{measure}_degrees", 3)


def _coverage(parts: Sequence[Statistics]) -> Iterator[tuple[str, Measure]]:
    for system in dict.fromkeys(system for part in parts for system in part.derived):
        yield system, _of_trees(_entry("derived", system))


def at_least(counts: Counter[int], least: int) -> int:
    """Return the count of values in a distribution that are not below `least`."""
    return sum(count for value, count in counts.items() if value >= least)


def share(part: int, whole: int) -> str:
    """Format a count with its share of the whole."""
    return f"{part:,} ({100 * part / whole:.2f} %)" if whole else NOTHING


def _of_trees(count: Count) -> Measure:
    return lambda part: share(count(part), part.trees)


def _of_arcs(count: Count) -> Measure:
    return lambda part: share(count(part), part.tree_arcs)


def _number(count: Count) -> Measure:
    return lambda part: f"{count(part):,}"


def _entry(counts: str, key: int | str) -> Count:
    return lambda part: getattr(part, counts)[key]


def _above(counts: str, least: int) -> Count:
    return lambda part: at_least(getattr(part, counts), least)


def _size(values: str) -> Count:
    return lambda part: len(getattr(part, values))


def _distribution(name: str, counts_of: Callable[[Statistics], Counter[int]]) -> Iterator[tuple[str, Measure]]:
    yield f"{name}: mean", lambda part: _decimal(mean(counts_of(part)))
    yield "... quartiles", lambda part: _quartiles(counts_of(part))
    yield "... maximum", lambda part: _most(counts_of(part))


def _decimal(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _quartiles(counts: Counter[int]) -> str:
    return ", ".join(f"{quantile(counts, place):g}" for place in (0.25, 0.5, 0.75)) if counts else NOTHING


def _most(counts: Counter[int]) -> str:
    return f"{max(counts):,}" if counts else NOTHING
