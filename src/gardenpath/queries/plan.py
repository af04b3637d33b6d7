"""The order in which a search binds the nodes of a pattern, and the checks after each of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gardenpath.queries.pattern import Block, Check

# How candidates for a node are found, with an estimate of their number.
_COSTS = {"head": 1.0, "next": 1.0, "previous": 1.0, "child": 3.0}


@dataclass(slots=True)
class Step:
    """A step of a plan: the node that is bound, the way to its candidates from another node, and the checks."""

    node: int
    way: str
    other: int
    checks: list[Check] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """The steps for one block. `checks` concern nodes that are bound before the first step."""

    steps: list[Step]
    checks: list[Check]


def make_plan(block: Block, bound: Collection[int], candidates: Mapping[int, float]) -> Plan:
    """Plan the steps for the nodes of a block: the rarest node first, then along edges before all others.

    `bound` are the nodes that are bound already, `candidates` the number of candidates per sentence of each node.
    """
    known, waiting = set(bound), list(block.nodes)
    checks = list(block.checks)
    before = _ready(checks, known)
    steps = []
    while waiting:
        _, node, way, other = min(_next_step(node, known, block, candidates) for node in waiting)
        waiting.remove(node)
        known.add(node)
        steps.append(Step(node, way, other, _ready(checks, known)))
    return Plan(steps, before)


def _ready(checks: list[Check], known: Collection[int]) -> list[Check]:
    """Remove and return the checks whose nodes are all known."""
    ready = [check for check in checks if all(node in known for node in check.nodes)]
    checks[:] = [check for check in checks if check not in ready]
    return ready


def _next_step(
    node: int, known: Collection[int], block: Block, candidates: Mapping[int, float]
) -> tuple[float, int, str, int]:
    """Return the cheapest way to the candidates of a node: the cost, the node, the way and the other node."""
    ways = [(10 + candidates[node], node, "scan", -1)]
    for check in block.checks:
        if check.kind in ("edge", "next") and node in check.nodes:
            first, second = check.nodes
            other = second if node == first else first
            way = ("head" if node == first else "child") if check.kind == "edge" else (
                "previous" if node == first else "next"
            )
            if other in known and other != node:
                ways.append((min(_COSTS[way], candidates[node]), node, way, other))
    return min(ways)
