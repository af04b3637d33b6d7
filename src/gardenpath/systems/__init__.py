"""The transition systems by name."""

from gardenpath.errors import UsageError
from gardenpath.systems.arc_eager import ArcEager, ArcEagerNMD, ArcEagerNML, ArcEagerNMLD, ArcEagerTree, ArcEagerUnshift
from gardenpath.systems.base import Configuration, TransitionSystem

__all__ = ["Configuration", "TransitionSystem", "get", "names"]

_SYSTEMS: dict[str, type[TransitionSystem]] = {
    "arc-eager": ArcEager,
    "arc-eager-nml": ArcEagerNML,
    "arc-eager-nmd": ArcEagerNMD,
    "arc-eager-nmld": ArcEagerNMLD,
    "arc-eager-tree": ArcEagerTree,
    "arc-eager-unshift": ArcEagerUnshift,
}


def names() -> list[str]:
    """The names of all systems."""
    return list(_SYSTEMS)


def get(name: str, *, single_root: bool = False) -> TransitionSystem:
    """The system of that name; `single_root` asks for its validity mode with one root word, where it has one."""
    if name not in _SYSTEMS:
        raise UsageError(f"no system is called {name!r}; there are {', '.join(_SYSTEMS)}")
    system = _SYSTEMS[name]()
    if single_root and not system.single_root:
        raise UsageError(f"{name} has no single-root mode; its parses get one root by the parser's root policy")
    return system
