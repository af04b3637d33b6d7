"""What a system is stands in its class: no other package asks for a name."""

import re
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.features import templates
from gardenpath.systems.arc_eager import ArcEager

SOURCE = Path(gp.__file__).parent
SUFFIXES = (".py", ".pyx", ".pxd", ".pyi", ".js", ".html", ".css")
HOMES = ("systems", "oracles", "constraints")
EXAMPLES = ("web/page/examples.js",)               # sentences for the page, each about a particular system
# `swap` is also an English word and the name of a transition, so only a quoted name counts, except among the
# transitions.
NAMES = [re.escape(name) for name in sorted(gp.systems.names(), key=len, reverse=True) if name != "swap"]
PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(NAMES)})(?![\w-])|(?:\"|'|system:)swap(?:\"|')")


def named():
    """The lines outside systems/, oracles/ and constraints/ that name a system."""
    for path in sorted(path for path in SOURCE.rglob("*") if path.suffix in SUFFIXES):
        where = path.relative_to(SOURCE)
        if where.parts[0] in HOMES or where.as_posix() in (*EXAMPLES, "core/moves.pyx"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if PATTERN.search(line):
                yield f"{where}:{number}: {line.strip()}"


def test_nothing_outside_names_a_system():
    assert list(named()) == []


@pytest.mark.parametrize(
    "text, found",
    [
        ('system == "arc-eager"', True),
        ("covington-nm has", True),
        ("`arc-eager-unshift`", True),
        ('"swap"', True),
        ("system:swap'", True),
        ("swap two words", False),
        ("Covington's parser", False),
        ("arc-eager-like", False),
    ],
)
def test_what_counts_as_a_name(text, found):
    assert bool(PATTERN.search(text)) is found


def systems_with(trait):
    """The systems whose trait is not the default, with its value."""
    default = getattr(gp.systems.TransitionSystem, trait)
    return {name: value for name in gp.systems.names() if (value := getattr(gp.systems.get(name), trait)) != default}


@pytest.mark.parametrize("trait, values", [
    ("dependents_leave", {"arc-standard": True, "attardi": True, "swap": True}),
    ("automatic", {"stay-eager": ("unshift",)}),
    ("attaching_reduce", {"arc-eager-nmd": True, "arc-eager-nmld": True}),
    ("separable_unshift", {"arc-eager-unshift": True}),
    ("preference", {"attardi": "gold-first"}),
    ("default_oracle", {}),
    ("fixed_oracle", {"stay-eager": "non-static"}),
])
def test_the_traits_of_all_systems(trait, values):
    assert systems_with(trait) == values


@pytest.mark.parametrize("name", gp.systems.names())
def test_traits_agree_with_the_rest_of_the_system(name):
    system = gp.systems.get(name)
    assert set(system.automatic) <= set(system.moves)
    assert set(system.repairing) <= set(system.moves)
    assert system.template_set is None or system.template_set in templates.names()
    assert system.default_oracle in gp.oracles.kinds(name)
    assert gp.oracles.is_fixed(system.fixed_oracle)
    assert system.preference in gp.oracles.PREFERENCES
    assert set(system.pair) < set(system.slots)
    assert len(set(system.slots)) == len(system.slots)
    assert all(system.max_transitions(n) == system.most_moves(n) > 0 for n in (1, 2, 10, 1000))


def test_dependents_that_leave_are_out_of_sight():
    """After the transition that attaches them they are neither on the stack nor in the buffer; elsewhere some stay."""
    for name in gp.systems.names():
        system, stays = gp.systems.get(name), False
        waiting = [system.initial(3)]
        while waiting and not stays:
            c = waiting.pop()
            for move in system.valid(c):
                after, arc = c.copy(), system.arc(c, move)
                system.apply(after, move)
                stays = stays or (arc is not None and arc[1] in after.stack + after.buffer)
                waiting.append(after)
        assert stays is not (system.dependents_leave or system.has_depths), name       # on spines they stay in sight


def test_traits_are_read_only():
    for owner in (ArcEager, ArcEager()):
        with pytest.raises((AttributeError, TypeError)):
            owner.dependents_leave = True


def test_kinds_as_bits():
    system = gp.systems.get("stay-eager")
    assert system.kinds_of(system.automatic) == 1 << 4
    assert system.kinds_of(["reduce", "shift", "nonsense"]) == 0b11
    assert system.kinds_of([]) == 0


def test_options_of_oracles():
    assert {
        name: list(oracle.options)
        for name in gp.systems.names()
        if (oracle := gp.oracles.class_of(name, "dynamic")).options
    } == {
        "covington-nm": ["lookahead"],
        "stay-eager": ["postpone"],
    }
    assert gp.oracles.option_limits() == {"lookahead": (0, 8), "postpone": (0, 1)}
    with pytest.raises(gp.UsageError, match="no oracle has an option called 'nonsense'; there are lookahead, postpone"):
        gp.oracles.get("arc-eager", nonsense=1)
    with pytest.raises(
        gp.UsageError,
        match="the dynamic oracle of arc-eager has no option postpone; only oracles of stay-eager have it",
    ):
        gp.oracles.get("arc-eager", postpone=0.5)
    assert gp.oracles.get("arc-eager", postpone=0.33, lookahead=0).kind == "dynamic"      # the defaults


@pytest.mark.parametrize(
    "kind, fixed, explores",
    [
        ("static", True, False),
        ("eager", True, False),
        ("non-static", True, False),
        ("nondet", False, False),
        ("dynamic", False, True),
        ("pc-upper", False, True),
        ("exact", False, False),
        ("nonsense", False, False),
    ],
)
def test_kinds_of_oracles(kind, fixed, explores):
    assert (gp.oracles.is_fixed(kind), gp.oracles.explores(kind)) == (fixed, explores)
