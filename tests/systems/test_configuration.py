"""A configuration belongs to the system that made it."""

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError


def questions(name, **options):
    system, oracle = gp.systems.get(name, **options), gp.oracles.get(name, **options)
    exact = gp.oracles.get(name, "exact", **options)
    exact.loss(system.initial(3), [0, 1, 1])        # it caches results for this tree
    yield from (system.valid, system.is_final, lambda c: system.apply(c, "shift"))
    yield from (
        lambda c: oracle.costs(c, [0, 1, 1]),
        lambda c: oracle.loss(c, [0, 1, 1]),
        lambda c: exact.loss(c, [0, 1, 1]),
    )


def test_another_system_refuses_it():
    foreign = gp.systems.get("arc-eager").initial(3)
    for ask in questions("lr-spine"):
        with pytest.raises(UsageError, match="belongs to arc-eager, not to <system lr-spine>"):
            ask(foreign)


@pytest.mark.parametrize(
    "mine, other", [("covington", "covington-nm"), ("covington-nm", "covington"), ("arc-eager", "covington")]
)
def test_a_system_of_the_same_moves_refuses_it_too(mine, other):
    for ask in questions(other):
        with pytest.raises(UsageError, match=f"belongs to {mine}, not to <system {other}>"):
            ask(gp.systems.get(mine).initial(3))


@pytest.mark.parametrize("name", gp.systems.names())
def test_only_covingtons_have_two_lists(name):
    c = gp.systems.get(name).initial(3)
    for attribute in ("lambda1", "lambda2"):
        if name.startswith("covington"):
            assert getattr(c, attribute) == []
        else:
            with pytest.raises(AttributeError, match=f"a configuration of {name} has no {attribute}"):
                getattr(c, attribute)


def test_single_root_mode_refuses_one_that_may_have_several():
    for ask in questions("lr-spine", single_root=True):
        with pytest.raises(UsageError, match="belongs to lr-spine, not to <system lr-spine, single-root mode>"):
            ask(gp.systems.get("lr-spine").initial(3))


def test_the_other_way_round_is_no_harm():
    c = gp.systems.get("lr-spine", single_root=True).initial(3)
    assert gp.systems.get("lr-spine").valid(c.copy()) == ["shift"]


def test_the_length_is_looked_at_each_time():
    exact = gp.oracles.get("arc-standard", "exact")
    assert exact.loss(exact.system.initial(3), [2, 0, 2]) == 0
    with pytest.raises(UsageError, match="the gold tree has 3 words, the configuration 5"):
        exact.loss(exact.system.initial(5), [2, 0, 2])
