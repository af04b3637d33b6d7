"""The oracles by system and kind."""

from gardenpath import systems
from gardenpath.errors import UsageError
from gardenpath.oracles.arc_eager import ArcEagerOracle, TreeOracle, UnshiftOracle
from gardenpath.oracles.arc_standard import ArcStandardOracle
from gardenpath.oracles.attardi import AttardiOracle
from gardenpath.oracles.base import PREFERENCES, Oracle
from gardenpath.oracles.covington import BOUNDS, BoundOracle, CovingtonOracle
from gardenpath.oracles.exact import ExactOracle
from gardenpath.oracles.lr_spine import LRSpineOracle
from gardenpath.oracles.search import SearchOracle
from gardenpath.oracles.stay_eager import POSTPONE, StayEagerOracle
from gardenpath.oracles.swap import SwapOracle
from gardenpath.systems import TransitionSystem

__all__ = ["PREFERENCES", "Oracle", "bounds", "explores", "get", "is_fixed", "kinds", "of", "register"]

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
    "covington": CovingtonOracle,
    "covington-nm": BoundOracle,
    "swap": SwapOracle,
    "stay-eager": StayEagerOracle,
}
_BOUNDS: dict[str, tuple[str, ...]] = {"covington-nm": BOUNDS}
_STATIC: dict[str, tuple[str, ...]] = {"swap": ("lazy", "eager"), "stay-eager": ("non-static",)}


def register(system: str, oracle: type[Oracle]) -> None:
    """Make the oracle of a system of your own known: its class answers as `static`, `nondet` and `dynamic`; `exact`, the search, needs none."""
    if not (isinstance(oracle, type) and issubclass(oracle, Oracle)):
        raise UsageError(f"{oracle!r} is no oracle; give a class derived from Oracle")
    systems.get(system)
    if _ORACLES.get(system, oracle) is not oracle:
        raise UsageError(f"{system} has an oracle already, {_ORACLES[system].__name__}; register a system under another name with yours")
    _ORACLES[system] = oracle


def kinds(system: str) -> list[str]:
    """The kinds of oracles that a system has."""
    systems.get(system)
    if system not in _ORACLES:
        return ["exact"]
    return ["static", *_STATIC.get(system, ()), "nondet", "dynamic", *_BOUNDS.get(system, ()), "exact"]


def explores(kind: str) -> bool:
    """Is it an oracle to train with that can answer after a wrong move, so that mistakes may be followed?"""
    return kind == "dynamic" or any(kind in kinds for kinds in _BOUNDS.values())


def is_fixed(kind: str) -> bool:
    """Does the oracle name one move for each configuration, whatever the parser thinks of it?"""
    return kind == "static" or any(kind in kinds for kinds in _STATIC.values())


def bounds(system: str) -> list[str]:
    """Those of them that go by a bound of the loss."""
    return [kind for kind in kinds(system) if kind in _BOUNDS.get(system, ())]


def get(
    system: str, kind: str = "dynamic", *, prefer: str = "repair-last", single_root: bool = False, lookahead: int = 0, postpone: float = POSTPONE,
) -> Oracle:
    """The oracle of that kind for that system.

    `prefer` says which of the optimal moves training accepts: `repair-last` (fewest errors, then fewest repairs), `any` of them,
    `monotonic-only`, `gold-first` (those of `repair-last` that build a gold arc, if there are such) or, for Covington's parser, whose page names no
    repairs to put last, `shift-first` (no No-Arc where Shift will do, once the right focus word has its gold head). `lookahead` is for the bound `pc-upper` of
    covington-nm: how many moves it looks ahead for a lower one. `postpone` is for the non-static oracle of stay-eager: how likely it puts a move off.
    """
    return of(systems.get(system, single_root=single_root), kind, prefer=prefer, lookahead=lookahead, postpone=postpone)


def of(system: TransitionSystem, kind: str = "dynamic", *, prefer: str = "repair-last", lookahead: int = 0, postpone: float = POSTPONE) -> Oracle:
    """The oracle of that kind for this very system, in its root mode."""
    if kind not in kinds(system.name):
        raise UsageError(f"{system.name} has no oracle called {kind!r}; it has {', '.join(kinds(system.name))}")
    oracle = _ORACLES[system.name] if kind != "exact" else SearchOracle if system.name in _BOUNDS else ExactOracle
    if issubclass(oracle, BoundOracle):
        return oracle(system, kind, prefer, lookahead)
    if lookahead:
        raise UsageError(f"the {kind} oracle of {system.name} does not look ahead; pc-upper of covington-nm can")
    if issubclass(oracle, StayEagerOracle):
        return oracle(system, kind, prefer, postpone)
    return oracle(system, kind, prefer)
