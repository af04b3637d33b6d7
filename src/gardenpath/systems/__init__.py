"""The transition systems by name."""

from gardenpath.errors import UsageError
from gardenpath.systems.arc_eager import ArcEager, ArcEagerNMD, ArcEagerNML, ArcEagerNMLD, ArcEagerTree, ArcEagerUnshift
from gardenpath.systems.arc_standard import ArcStandard
from gardenpath.systems.attardi import Attardi
from gardenpath.systems.base import Configuration, TransitionSystem
from gardenpath.systems.covington import Covington, CovingtonNM
from gardenpath.systems.lr_spine import LRSpine
from gardenpath.systems.stay_eager import StayEager
from gardenpath.systems.swap import Swap

__all__ = ["Configuration", "TransitionSystem", "for_parsing", "get", "names", "register"]

_SYSTEMS: dict[str, type[TransitionSystem]] = {
    "arc-eager": ArcEager,
    "arc-eager-nml": ArcEagerNML,
    "arc-eager-nmd": ArcEagerNMD,
    "arc-eager-nmld": ArcEagerNMLD,
    "arc-eager-tree": ArcEagerTree,
    "arc-eager-unshift": ArcEagerUnshift,
    "arc-standard": ArcStandard,
    "lr-spine": LRSpine,
    "attardi": Attardi,
    "covington": Covington,
    "covington-nm": CovingtonNM,
    "swap": Swap,
    "stay-eager": StayEager,
}


def names() -> list[str]:
    """The names of all systems."""
    return list(_SYSTEMS)


def register(definition: type[TransitionSystem]) -> None:
    """Make a system of your own known by its name, in this process, for training, parsing and everything that asks for systems by name.

    Its oracle is made known by `oracles.register`. A model must be loaded where its system is known.
    """
    if not (isinstance(definition, type) and issubclass(definition, TransitionSystem)):
        raise UsageError(f"{definition!r} is no transition system; give a class derived from TransitionSystem")
    name = definition().name
    if not name:
        raise UsageError(f"{definition.__name__} has no name; set it in its __cinit__")
    if _SYSTEMS.get(name, definition) is not definition:
        raise UsageError(f"there is a system called {name} already, {_SYSTEMS[name].__name__}; give {definition.__name__} another name")
    _SYSTEMS[name] = definition


def get(name: str, *, single_root: bool = False) -> TransitionSystem:
    """The system of that name; `single_root` asks for its validity mode with one root word, where it has one."""
    definition = _definition(name)
    if definition.has_root_mode:
        return definition(single_root)
    system = definition()
    if single_root and not system.single_root:
        raise UsageError(f"{name} has no single-root mode; its parses get one root by the parser's root policy")
    return system


def for_parsing(name: str, *, single_root: bool) -> TransitionSystem:
    """The system as a parser uses it: to get one root word it is put into its single-root mode, if it has one; if not, the parser has its root policy."""
    return get(name, single_root=single_root and _definition(name).has_root_mode)


def _definition(name: str) -> type[TransitionSystem]:
    if name not in _SYSTEMS:
        raise UsageError(f"no system is called {name!r}; there are {', '.join(_SYSTEMS)}")
    return _SYSTEMS[name]
