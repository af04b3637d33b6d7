"""The oracles by system and kind."""

from gardenpath import systems
from gardenpath.errors import UsageError
from gardenpath.oracles.arc_eager import ArcEagerOracle, TreeOracle, UnshiftOracle
from gardenpath.oracles.base import PREFERENCES, Oracle
from gardenpath.oracles.exact import ExactOracle

__all__ = ["PREFERENCES", "Oracle", "get", "kinds"]

_ORACLES: dict[str, type[Oracle]] = {
    "arc-eager": ArcEagerOracle,
    "arc-eager-nml": ArcEagerOracle,
    "arc-eager-nmd": ArcEagerOracle,
    "arc-eager-nmld": ArcEagerOracle,
    "arc-eager-tree": TreeOracle,
    "arc-eager-unshift": UnshiftOracle,
}
_KINDS = ("static", "nondet", "dynamic", "exact")


def kinds(system: str) -> list[str]:
    """The kinds of oracles that a system has."""
    systems.get(system)
    return list(_KINDS)


def get(system: str, kind: str = "dynamic", *, prefer: str = "repair-last", single_root: bool = False) -> Oracle:
    """The oracle of that kind for that system.

    `prefer` says which of the optimal moves training accepts: `repair-last` (fewest errors, then fewest repairs), `any` of them, or `monotonic-only`.
    """
    definition = systems.get(system, single_root=single_root)
    if kind not in kinds(system):
        raise UsageError(f"{system} has no oracle called {kind!r}; it has {', '.join(kinds(system))}")
    oracle = ExactOracle if kind == "exact" else _ORACLES[system]
    return oracle(definition, kind, prefer)
