"""The constraints by system: which transitions agree with arcs that are given."""

from gardenpath.constraints.arc_standard import ArcStandardConstraint, AttardiConstraint, LRSpineConstraint
from gardenpath.constraints.base import Constraint
from gardenpath.constraints.covington import CovingtonConstraint, CovingtonNMConstraint
from gardenpath.constraints.losses import CostConstraint, LossConstraint
from gardenpath.constraints.stay_eager import StayEagerConstraint
from gardenpath.constraints.swap import SwapConstraint
from gardenpath.errors import UsageError
from gardenpath.systems import TransitionSystem

__all__ = ["Constraint", "of", "register"]

_CONSTRAINTS: dict[str, type[Constraint]] = {
    "arc-eager": CostConstraint,
    "arc-eager-nml": CostConstraint,
    "arc-eager-nmd": CostConstraint,
    "arc-eager-nmld": CostConstraint,
    "arc-eager-tree": LossConstraint,
    "arc-eager-unshift": CostConstraint,
    "arc-standard": ArcStandardConstraint,
    "lr-spine": LRSpineConstraint,
    "attardi": AttardiConstraint,
    "covington": CovingtonConstraint,
    "covington-nm": CovingtonNMConstraint,
    "swap": SwapConstraint,
    "stay-eager": StayEagerConstraint,
}


def of(system: TransitionSystem) -> Constraint:
    """Return a new constraint for a system object, in the root mode of that object."""
    if system.name not in _CONSTRAINTS:
        raise UsageError(
            f"the system {system.name} cannot keep given heads, because it has no constraint; parse without them "
            f"(`keep_heads=False`, `--reparse`)"
        )
    return _CONSTRAINTS[system.name](system)


def register(system: str, definition: type[Constraint]) -> None:
    """Register the constraint of a system of your own, in this process."""
    if not (isinstance(definition, type) and issubclass(definition, Constraint)):
        raise UsageError(f"{definition!r} is not a constraint; give a class derived from Constraint")
    _CONSTRAINTS[system] = definition
