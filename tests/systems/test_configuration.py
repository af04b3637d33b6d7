"""A configuration belongs to the system that made it."""

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError


def test_the_configuration_of_another_system_is_refused():
    foreign = gp.systems.get("arc-eager").initial(3)
    system = gp.systems.get("lr-spine")
    oracle = gp.oracles.get("lr-spine")
    for ask in (system.valid, system.is_final, lambda c: system.apply(c, "shift"), lambda c: oracle.costs(c, [0, 1, 1]), lambda c: oracle.loss(c, [0, 1, 1])):
        with pytest.raises(UsageError, match="belongs to arc-eager, not to lr-spine"):
            ask(foreign)
    assert gp.systems.get("lr-spine", single_root=True).valid(system.initial(3)) == ["shift"]
