"""The oracles by system and kind."""

from gardenpath import plugins, systems
from gardenpath.errors import UsageError
from gardenpath.oracles.arc_eager import ArcEagerOracle, TreeOracle, UnshiftOracle
from gardenpath.oracles.arc_standard import ArcStandardOracle
from gardenpath.oracles.attardi import AttardiOracle
from gardenpath.oracles.base import PREFERENCES, Oracle
from gardenpath.oracles.covington import BoundOracle, CovingtonOracle
from gardenpath.oracles.exact import ExactOracle
from gardenpath.oracles.lr_spine import LRSpineOracle
from gardenpath.oracles.python import PythonOracle
from gardenpath.oracles.search import SearchOracle
from gardenpath.oracles.stay_eager import StayEagerOracle
from gardenpath.oracles.swap import SwapOracle
from gardenpath.systems import TransitionSystem

__all__ = [
    "BOUNDED", "EXACT", "PREFERENCES", "Oracle", "PythonOracle", "bounds", "class_of", "explores", "get", "is_fixed",
    "kinds", "of", "option_defaults", "option_limits", "options", "register",
]

GROUP = "gardenpath.oracles"           # the group of entry points
EXACT = "exact"                        # the kind that searches exhaustively, for every system
BOUNDED = "covington-nm"               # the system whose loss is known only between bounds, or by search

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
_EXACT: dict[str, type[Oracle]] = {BOUNDED: SearchOracle}       # all others: ExactOracle


def register(system: str, oracle: type[Oracle]) -> None:
    """Register the oracle of a system of your own, in this process.

    The class serves all kinds in its attribute `kinds`; `exact`, the search, needs no class.
    """
    if not (isinstance(oracle, type) and issubclass(oracle, Oracle)):
        raise UsageError(f"{oracle!r} is not an oracle; give a class derived from Oracle")
    systems.get(system)
    if _ORACLES.get(system, oracle) is not oracle:
        raise UsageError(
            f"{system} already has an oracle, {_ORACLES[system].__name__}; "
            f"register your oracle for a system of another name"
        )
    _ORACLES[system] = oracle


def _definition(system: str) -> type[Oracle] | None:
    """Return the class that serves all kinds except `exact`, if there is one."""
    systems.get(system)
    if system not in _ORACLES:
        plugins.find(GROUP, system, register)
    return _ORACLES.get(system)


def kinds(system: str) -> list[str]:
    """Return the kinds of oracles that a system has."""
    definition = _definition(system)
    return [*(definition.kinds if definition else ()), "exact"]


def class_of(system: str, kind: str) -> type[Oracle]:
    """Return the class of the oracle of that kind for that system."""
    definition = _definition(system)
    if kind == "exact":
        return _EXACT.get(system, ExactOracle)
    if definition is None or kind not in definition.kinds:
        raise UsageError(f"{system} has no oracle called {kind!r}; it has {', '.join(kinds(system))}")
    return definition


def explores(kind: str) -> bool:
    """Return whether oracles of this kind can be asked after a wrong transition, so that training may explore."""
    return any(kind in oracle.exploring_kinds for oracle in _ORACLES.values())


def is_fixed(kind: str) -> bool:
    """Return whether oracles of this kind name one transition for each configuration, whatever the parser's scores."""
    return any(kind in oracle.fixed_kinds for oracle in _ORACLES.values())


def bounds(system: str) -> list[str]:
    """Return the kinds of oracles of a system whose costs come from a bound of the loss."""
    definition = _definition(system)
    return list(definition.bound_kinds) if definition else []


def options(system: str, kind: str) -> set[str]:
    """Return the names of the options that the oracle of that kind uses."""
    definition = _definition(system)
    if definition is None or kind not in definition.kinds:
        return set()
    return {name for name in definition.options if kind in definition.option_kinds.get(name, definition.kinds)}


def option_defaults() -> dict[str, float]:
    """Return the options of all oracles with their defaults."""
    return {name: default for oracle in _ORACLES.values() for name, default in oracle.options.items()}


def option_limits() -> dict[str, tuple[float, float]]:
    """Return the options of all oracles with their least and greatest values."""
    return {name: limits for oracle in _ORACLES.values() for name, limits in oracle.option_limits.items()}


def get(
    system: str, kind: str = "dynamic", *, prefer: str = "repair-last", single_root: bool = False, **options: float
) -> Oracle:
    """Return the oracle of that kind for that system.

    `prefer` names the optimal transitions that training accepts: `repair-last` (fewest errors, then fewest repairs),
    `any`, `monotonic-only`, `gold-first` (those of `repair-last` that build a gold arc, if there are such) or
    `shift-first` (for systems that go through pairs of words: Shift instead of No-Arc where both are optimal, once the
    right word of the pair has its gold head).

    `options` are settings of particular oracles: `lookahead`, the number of transitions that `pc-upper` looks ahead for
    a lower bound, and `postpone`, the probability that `non-static` postpones a transition.
    """
    return of(systems.get(system, single_root=single_root), kind, prefer=prefer, **options)


def of(system: TransitionSystem, kind: str = "dynamic", *, prefer: str = "repair-last", **options: float) -> Oracle:
    """Return the oracle of that kind for a system object, in the root mode of that object."""
    definition = class_of(system.name, kind)
    for name, value in options.items():
        takers = {other: oracle for other, oracle in _ORACLES.items() if name in oracle.options}
        if not takers:
            raise UsageError(f"no oracle has an option called {name!r}; there are {', '.join(option_limits())}")
        if name not in definition.options and value not in {oracle.options[name] for oracle in takers.values()}:
            raise UsageError(
                f"the {kind} oracle of {system.name} has no option {name}; only oracles of {', '.join(takers)} have it"
            )
    values = [options.get(name, default) for name, default in definition.options.items()]
    return definition(system, kind, prefer, *values)
