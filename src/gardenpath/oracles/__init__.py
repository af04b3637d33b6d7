"""The oracles by system and kind."""

from gardenpath import systems
from gardenpath.errors import UsageError
from gardenpath.oracles.arc_eager import ArcEagerOracle, TreeOracle, UnshiftOracle
from gardenpath.oracles.arc_standard import ArcStandardOracle
from gardenpath.oracles.attardi import AttardiOracle
from gardenpath.oracles.base import PREFERENCES, Oracle
from gardenpath.oracles.exact import ExactOracle
from gardenpath.oracles.lr_spine import LRSpineOracle
from gardenpath.systems import TransitionSystem

__all__ = ["PREFERENCES", "Oracle", "get", "kinds", "of"]

_ORACLES: dict[str, type[Oracle]] = {
    "arc-eager": ArcEagerOracle,
    "arc-eager-nml": ArcEagerOracle,
    "arc-eager-nmd": ArcEagerOracle,
    "arc-eager-nmld": ArcEagerOracle,
    "arc-eager-tree": TreeOracle,
    "arc-eager-unshift": UnshiftOracle,
    "arc-standard": ArcStandardOracle,
    "lr-spine": LRSpineOracle,
    "attardi": AttardiOracle,
}
_KINDS = ("static", "nondet", "dynamic", "exact")


def kinds(system: str) -> list[str]:
    """The kinds of oracles that a system has."""
    systems.get(system)
    return list(_KINDS)


def get(system: str, kind: str = "dynamic", *, prefer: str = "repair-last", single_root: bool = False) -> Oracle:
    """The oracle of that kind for that system.

    `prefer` says which of the optimal moves training accepts: `repair-last` (fewest errors, then fewest repairs), `any` of them,
    `monotonic-only`, or `gold-first` (those of `repair-last` that build a gold arc, if there are such).
    """
    return of(systems.get(system, single_root=single_root), kind, prefer=prefer)


def of(system: TransitionSystem, kind: str = "dynamic", *, prefer: str = "repair-last") -> Oracle:
    """The oracle of that kind for this very system, in its root mode."""
    if kind not in kinds(system.name):
        raise UsageError(f"{system.name} has no oracle called {kind!r}; it has {', '.join(kinds(system.name))}")
    oracle = ExactOracle if kind == "exact" else _ORACLES[system.name]
    return oracle(system, kind, prefer)
