"""Systems and oracles of one's own become known by name.

That one can be trained and loaded is tried by the page docs/adding-a-system.md.
"""

import pytest

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.core import storage
from gardenpath.oracles.arc_standard import ArcStandardOracle
from gardenpath.systems.arc_eager import ArcEager
from gardenpath.systems.arc_standard import ArcStandard


@pytest.fixture(autouse=True)
def without_arc_standard(monkeypatch):
    """Registries that know neither arc-standard nor its oracle, until the test ends."""
    monkeypatch.setattr(
        systems, "_SYSTEMS", {name: each for name, each in systems._SYSTEMS.items() if name != "arc-standard"}
    )
    monkeypatch.setattr(
        oracles, "_ORACLES", {name: each for name, each in oracles._ORACLES.items() if name != "arc-standard"}
    )


def test_a_registered_system_is_known_by_its_name():
    with pytest.raises(gp.UsageError, match="no system is called 'arc-standard'"):
        systems.get("arc-standard")
    systems.register(ArcStandard)
    assert systems.names()[-1] == "arc-standard"
    assert isinstance(systems.get("arc-standard", single_root=True), ArcStandard)


def test_without_an_oracle_there_is_the_search():
    systems.register(ArcStandard)
    assert oracles.kinds("arc-standard") == ["exact"]
    assert oracles.get("arc-standard", "exact").derives([2, 0])
    with pytest.raises(gp.UsageError, match="arc-standard has no oracle called 'dynamic'; it has exact"):
        oracles.get("arc-standard")


def test_a_registered_oracle_answers_as_all_kinds():
    systems.register(ArcStandard)
    oracles.register("arc-standard", ArcStandardOracle)
    assert oracles.kinds("arc-standard") == ["static", "nondet", "dynamic", "exact"]
    assert isinstance(oracles.get("arc-standard"), ArcStandardOracle)


def test_registering_again_changes_nothing():
    for _ in range(2):
        systems.register(ArcStandard)
        oracles.register("arc-standard", ArcStandardOracle)
    assert systems.names().count("arc-standard") == 1


def test_no_name_is_given_twice():
    class Another(ArcEager):
        """It has the name of its parent."""

    with pytest.raises(
        gp.UsageError, match="there is already a system called arc-eager, ArcEager; give Another another name"
    ):
        systems.register(Another)
    with pytest.raises(gp.UsageError, match="arc-eager already has an oracle, ArcEagerOracle"):
        oracles.register("arc-eager", ArcStandardOracle)


@pytest.mark.parametrize("wrong", ["arc-standard", ArcStandardOracle, ArcEager()])
def test_only_systems_are_registered_as_systems(wrong):
    with pytest.raises(gp.UsageError, match="is not a transition system; give a class derived from TransitionSystem"):
        systems.register(wrong)


def test_a_system_has_a_name():
    with pytest.raises(gp.UsageError, match="TransitionSystem has no name; set `name` in the class"):
        systems.register(systems.TransitionSystem)


def test_only_oracles_are_registered_as_oracles():
    with pytest.raises(gp.UsageError, match="is not an oracle; give a class derived from Oracle"):
        oracles.register("arc-eager", ArcStandard)
    with pytest.raises(gp.UsageError, match="no system is called 'arc-standard'"):
        oracles.register("arc-standard", ArcStandardOracle)


def test_a_model_of_an_unknown_system_says_what_to_do(tmp_path):
    arrays, description = storage.load(gp.models.lookup.path_of("en"))
    description["settings"]["system"] = "arc-hybrid"
    storage.save(tmp_path / "model.gp", arrays, description)
    with pytest.raises(gp.InputError, match=r"the system 'arc-hybrid' is not known here; register it .*COMMAND\)$"):
        gp.load(tmp_path / "model.gp")
