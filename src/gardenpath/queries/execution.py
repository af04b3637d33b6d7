"""Run a pattern on an index: evaluate its conditions, plan each block, and call the native search."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from gardenpath.queries.index import Index
from gardenpath.queries.matching import Matcher
from gardenpath.queries.pattern import Block, Check, Pattern
from gardenpath.queries.plan import make_plan
from gardenpath.queries.regex import Watch
from gardenpath.queries.syntax import StructureTest
from gardenpath.queries.tables import Tables

PORTION = 4_096          # matches that are found at once
_BITS = {"projective": 1, "cyclic": 2, "tree": 4}


def run(index: Index, pattern: Pattern, tables: Tables, watch: Watch | None) -> Iterator[array[int]]:
    """Yield the matches in an index in portions: for each the number of its sentence, then the ids of its nodes."""
    matcher = _matcher(index, pattern, tables, watch)
    while numbers := matcher.find(PORTION):
        yield numbers


def _matcher(index: Index, pattern: Pattern, tables: Tables, watch: Watch | None) -> Matcher:
    injective = [not name.endswith("$") for name in pattern.names]
    matcher = Matcher(index.trees, _allowed(index, pattern, watch), injective, len(pattern.nodes), watch)
    _add(matcher, pattern.block, (), True, index, tables)
    for wanted, block in pattern.filters:
        _add(matcher, block, range(len(pattern.nodes)), wanted, index, tables)
    return matcher


def _add(matcher: Matcher, block: Block, bound: Any, wanted: bool, index: Index, tables: Tables) -> None:
    """Plan a block, whose nodes `bound` are known already, and add it to the search."""
    masks = {node: tables.mask(index, block.tests.get(node, [])) for node in {*block.nodes, *block.tests}}
    plan = make_plan(block, bound, {node: masks[node].count(1) / len(index) for node in block.nodes})
    members = [("member", (node,), 0, "", masks[node], ()) for node in block.tests if node not in block.nodes]

    def checks(given: list[Check]) -> list[Any]:
        return [_check(check, index, tables) for check in given]

    steps = [(step.node, step.way, step.other, masks[step.node], checks(step.checks)) for step in plan.steps]
    matcher.add_block(steps, [*members, *checks(plan.checks)], wanted)


def _check(check: Check, index: Index, tables: Tables) -> tuple[Any, ...]:
    kind, _, comparison = check.kind.partition(" ")
    readings = [
        [(index.column(column), values) for column, values in tables.readings(index, sources)]
        for sources in check.sources
    ]
    return kind, check.nodes, check.number, comparison, None, readings


def _allowed(index: Index, pattern: Pattern, watch: Watch | None) -> bytes:
    """Return 1 or 0 for each sentence: whether it satisfies the `global` items."""
    structure, metadata = pattern.request.structure, pattern.request.metadata
    if not structure and not metadata:
        return b"\1" * len(index)
    flags = index.structures if structure else bytes(len(index))
    return bytes(
        all(_has(bits, test) for test in structure)
        and all(test.test.holds(index.comment(i, test.feature), watch) for test in metadata)
        for i, bits in enumerate(flags)
    )


def _has(bits: int, test: StructureTest) -> bool:
    found = not bits & _BITS["cyclic"] if test.name == "forest" else bool(bits & _BITS[test.name])
    return found is not test.negated
