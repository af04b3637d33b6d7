"""The transition systems by name."""

from gardenpath import plugins
from gardenpath.errors import UsageError
from gardenpath.systems.arc_eager import ArcEager, ArcEagerNMD, ArcEagerNML, ArcEagerNMLD, ArcEagerTree, ArcEagerUnshift
from gardenpath.systems.arc_standard import ArcStandard
from gardenpath.systems.attardi import Attardi
from gardenpath.systems.base import Configuration, TransitionSystem
from gardenpath.systems.covington import Covington, CovingtonNM
from gardenpath.systems.lr_spine import LRSpine
from gardenpath.systems.python import PythonSystem
from gardenpath.systems.stay_eager import StayEager
from gardenpath.systems.swap import Swap

__all__ = [
    "DEFAULT", "Configuration", "PythonSystem", "TransitionSystem", "for_parsing", "get", "is_known", "names",
    "register",
]

DEFAULT = "arc-eager-unshift"
GROUP = "gardenpath.systems"           # the group of entry points

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
    """Return the names of all systems, those of plugins included."""
    plugins.find(GROUP, None, lambda _, definition: register(definition))
    return list(_SYSTEMS)


def is_known(name: str) -> bool:
    """Return whether there is a system of that name, in gardenpath or in a plugin."""
    if name not in _SYSTEMS:
        plugins.find(GROUP, name, lambda _, definition: register(definition))
    return name in _SYSTEMS


def register(definition: type[TransitionSystem]) -> None:
    """Register a system of your own under its name, in this process.

    Its oracle is registered by `oracles.register`. Other processes find both through a file given as `--code`, or
    through the entry points `gardenpath.systems` and `gardenpath.oracles` of an installed package.
    """
    if not (isinstance(definition, type) and issubclass(definition, TransitionSystem)):
        raise UsageError(f"{definition!r} is not a transition system; give a class derived from TransitionSystem")
    name = definition().name
    if not name:
        raise UsageError(f"{definition.__name__} has no name; set `name` in the class, or in its __cinit__")
    if _SYSTEMS.get(name, definition) is not definition:
        raise UsageError(
            f"there is already a system called {name}, {_SYSTEMS[name].__name__}; "
            f"give {definition.__name__} another name"
        )
    _SYSTEMS[name] = definition


def get(name: str, *, single_root: bool = False) -> TransitionSystem:
    """Return the system of that name; `single_root` asks for its single-root mode, if it has one."""
    definition = _definition(name)
    if definition.has_root_mode:
        return definition(single_root)
    system = definition()
    if single_root and not system.single_root:
        raise UsageError(f"{name} has no single-root mode; its parses get one root by the parser's root policy")
    return system


def for_parsing(name: str, *, single_root: bool) -> TransitionSystem:
    """Return the system for a parser. With `single_root` it is in its single-root mode, if it has one.

    If it has none, the parser applies its single-root policy.
    """
    return get(name, single_root=single_root and _definition(name).has_root_mode)


def _definition(name: str) -> type[TransitionSystem]:
    if not is_known(name):
        raise UsageError(f"no system is called {name!r}; there are {', '.join(_SYSTEMS)}")
    return _SYSTEMS[name]
