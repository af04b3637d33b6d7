"""Every system follows its paper: equal to a twin, never stuck, always a tree, within the proved bound."""

import random
import re

import pytest

import gardenpath as gp
from brute import (
    MODES,
    REORDERING,
    ROOT_FIRST,
    ROOT_LAST,
    SINGLE_ROOT,
    Mode,
    after,
    derivable,
    final_trees,
    gold_trees,
    reachable,
    reachable_twins,
    system_of,
    twin_of,
)
from gardenpath.errors import UsageError
from twins import COVINGTON, spines

pytestmark = pytest.mark.parametrize("mode", MODES, ids=str)

# n = 4: configurations, pairs of a configuration and a tree, valid transitions over all pairs.
COUNTS = {
    Mode("arc-eager"): (300, 16_500, 16_995),
    Mode("arc-eager-nml"): (300, 16_500, 19_800),
    Mode("arc-eager-nmd"): (300, 16_500, 19_800),
    Mode("arc-eager-nmld"): (300, 16_500, 22_605),
    Mode("arc-eager-tree"): (199, 5_970, 8_010),
    Mode("arc-eager-unshift"): (796, 23_880, 30_660),
    Mode("arc-standard"): (184, 10_120, 10_560),
    Mode("arc-standard", True): (103, 3_090, 3_300),
    Mode("lr-spine"): (184, 10_120, 13_860),
    Mode("lr-spine", True): (103, 3_090, 3_840),
    Mode("attardi"): (422, 52_750, 66_625),
    Mode("attardi", True): (193, 12_352, 14_592),
    Mode("covington"): (413, 51_625, 69_375),
    Mode("covington-nm"): (413, 51_625, 89_625),
}


def walk(system, n, rng, repairs=1.0):
    """Yield the configurations of a random derivation and its transitions; repairs are chosen with this weight."""
    c = system.initial(n)
    yield c, None
    while not system.is_final(c):
        moves = system.valid(c)
        move = rng.choices(moves, [repairs if system.is_repair(c, move) else 1 for move in moves])[0]
        system.apply(c, move, label=rng.choice("abc") if "arc" in move else None)
        yield c, move


def test_every_system_has_a_twin(mode):
    assert {mode.name for mode in MODES} | {*REORDERING} == set(gp.systems.names())      # their twins are in swap_twins
    assert (system_of(mode).name, system_of(mode).single_root) == (mode.name, mode.one_root)


def test_counts_of_configurations_and_transitions(mode):
    system, configurations, trees = system_of(mode), reachable(mode, 4), len(gold_trees(mode, 4))
    moves = sum(len(system.valid(c)) for c in configurations)
    assert (len(configurations), len(configurations) * trees, moves * trees) == COUNTS[mode]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_twin_reaches_the_same_configurations(mode, n):
    def key(c):
        return tuple(c.stack), tuple(c.buffer), tuple(c.heads)

    assert sorted(map(key, reachable(mode, n))) == sorted(key[:3] for key in reachable_twins(mode, n))


@pytest.mark.parametrize("repairs", [1, 10])
def test_the_twin_walks_along(mode, repairs):
    system, rng = system_of(mode), random.Random(str(mode))
    for _ in range(150):
        n = rng.randint(1, 12)
        before, twin = None, twin_of(mode, n)
        for c, move in walk(system, n, rng, repairs):
            if move:
                assert system.is_repair(before, move) is twin.is_repair(move)
                twin.apply(move)
            assert (c.stack, c.buffer, c.heads) == (twin.stack, twin.buffer, twin.heads())
            assert mode.name != "lr-spine" or c.spines == twin.spines == [spines(root, twin.head) for root in c.stack]
            assert mode.name not in COVINGTON or (c.lambda1, c.lambda2) == (twin.lambda1, twin.lambda2)
            assert (system.valid(c), system.is_final(c)) == (twin.valid(), twin.is_final())
            before = c.copy()


def test_labels_are_those_of_the_last_arc(mode):
    """Every arc gets a different label; at the end each word has the label of its last arc."""
    system, rng = system_of(mode), random.Random(2)
    for _ in range(100):
        n = rng.randint(1, 12)
        c, twin, number = system.initial(n), twin_of(mode, n), 0
        while not system.is_final(c):
            move, number = rng.choice(system.valid(c)), number + 1
            system.apply(c, move, str(number))
            twin.apply(move, str(number))
            assert c.labels == twin.labels()


def test_invariants(mode):
    system = system_of(mode)
    for n in (1, 2, 3, 4):
        for c in reachable(mode, n) if mode.name not in COVINGTON else ():
            place = {0: -1 if mode.name in ROOT_FIRST else n + 1}
            words = c.stack + c.buffer
            head = dict(enumerate(c.heads, 1))
            assert all(head[word] == -1 for word in (words if mode.name in ROOT_FIRST else c.buffer) if word), c
            assert system.is_final(c) or not c.stack or c.stack[0] == 0 or head[c.stack[0]] == -1, c
            assert all(head[word] in (-1, below) for below, word in zip(c.stack, c.stack[1:], strict=False) if word), c
            assert [place.get(word, word) for word in words] == sorted({place.get(word, word) for word in words}), c
            assert all(head[word] != -1 for word in head if word not in words), c
            assert mode.name not in ROOT_FIRST or 0 in (c.stack or c.buffer)[:1], c


def test_invariants_of_lists(mode):
    """The three lists are the sentence; words after j have no arcs, and there is never a cycle."""
    system = system_of(mode)
    for n in (1, 2, 3, 4):
        for c in reachable(mode, n) if mode.name in COVINGTON else ():
            assert c.lambda1 + c.lambda2 + c.buffer == list(range(1, n + 1)), c
            assert c.stack == c.lambda1, c
            assert all(c.heads[word - 1] == -1 and c.children(word) == [] for word in c.buffer[1:]), c
            assert gp.trees.is_tree([max(head, 0) for head in c.heads], single_root=False), c
            assert (0 in c.heads, -1 in c.heads) == ((True, False) if system.is_final(c) else (False, True)), c


def test_words_out_of_sight_have_their_final_head(mode):
    system, rng = system_of(mode), random.Random(3)
    for _ in range(100 if mode.name not in COVINGTON else 0):
        gone = {}
        for c, _move in walk(system, 10, rng):
            gone |= {
                word: c.heads[word - 1] for word in range(1, 11) if word not in c.stack + c.buffer and word not in gone
            }
            assert all(c.heads[word - 1] == head for word, head in gone.items())


def test_never_stuck(mode):
    system = system_of(mode)
    for n in (1, 2, 3, 4):
        for c in reachable(mode, n):
            assert system.is_final(c) is (system.valid(c) == []), c


def test_length(mode):
    """The shortest and the longest derivation; the longest meets the bound."""
    system = system_of(mode)
    for n in (1, 2, 3, 4):
        shortest, longest = lengths(system, system.initial(n), {})
        assert (shortest, longest) == mode.lengths(n)
        assert system.most_moves(n) == longest


def lengths(system, c, found):
    if c.key() not in found:
        ends = [lengths(system, after(system, c, move), found) for move in system.valid(c)]
        found[c.key()] = (1 + min(a for a, _ in ends), 1 + max(b for _, b in ends)) if ends else (0, 0)
    return found[c.key()]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_reachable_trees(mode, n):
    """The final trees are those that can be built: all projective ones, or what the twin builds."""
    system = system_of(mode)
    found = {tuple(c.heads) for c in reachable(mode, n) if system.is_final(c)}
    assert found == derivable(mode, n) == final_trees(mode, n)[twin_of(mode, n).key()]


@pytest.mark.long
def test_the_reachable_trees_of_five_words(mode):
    test_the_reachable_trees(mode, 5)
    test_never_stuck(mode)
    assert len(reachable_twins(mode, 5)) == len(reachable(mode, 5))


def test_random_ends_are_trees(mode):
    system, rng = system_of(mode), random.Random(4)
    for n in [1, 2, 3, *range(10, 200, 10)]:
        steps = [(c, move) for c, move in walk(system, n, rng, repairs=rng.choice([0.1, 1, 10]))]
        heads = steps[-1][0].heads
        assert gp.trees.is_tree(heads, single_root=mode.one_root)
        assert gp.trees.is_projective(heads) or not mode.projective
        assert mode.lengths(n)[0] <= len(steps) - 1 <= mode.lengths(n)[1] == system.most_moves(n)


def test_children_are_the_words_with_that_head(mode):
    """The lists of dependents that features read agree with the heads after every repair."""
    system, rng = system_of(mode), random.Random(5)
    for _ in range(150):
        for c, _move in walk(system, rng.randint(1, 12), rng, repairs=5):
            for word in range(len(c) + 1):
                assert c.children(word) == [child for child, head in enumerate(c.heads, 1) if head == word], c


def test_copies_are_independent(mode):
    system, rng = system_of(mode), random.Random(6)
    for c, _move in walk(system, 8, rng):
        copy, was = c.copy(), repr(c)
        assert (repr(copy), copy.key(), copy.labels, len(copy)) == (was, c.key(), c.labels, 8)
        while not system.is_final(copy):
            system.apply(copy, rng.choice(system.valid(copy)), "other")
        assert repr(c) == was
        assert "other" not in c.labels
        assert [c.children(word) for word in range(9)] == [
            [w for w, head in enumerate(c.heads, 1) if head == word] for word in range(9)
        ]


def test_a_move_that_is_not_permitted(mode):
    """In every configuration an invalid transition raises an error that lists the valid ones, and changes nothing."""
    system = system_of(mode)
    names = {
        "shift",
        "reduce",
        "unshift",
        "swap",
        "SHIFT",
        "",
        "arc:1",
        "shift:1",
        "left-arc:01",
        "left-arc: 1",
        "left-arc:1.0",
    }
    names |= {
        f"{side}-arc{k}"
        for side in ("left", "right")
        for k in ("", ":", ":1", ":2", ":3", ":4", ":0", ":-1", ":4294967297", f":{10**30}")
    }
    for c in reachable(mode, 3):
        was = repr(c)
        permitted = ", ".join(system.valid(c)) or "nothing, it is final"
        for move in sorted(names - set(system.valid(c))):
            for ask in (system.apply, system.is_repair):
                with pytest.raises(UsageError) as refused:
                    ask(c, move)
                assert str(refused.value) == f"{mode.name}: {move!r} is not valid in {was}; valid here: {permitted}"
        assert repr(c) == was


def test_the_start(mode):
    c = system_of(mode).initial(3)
    stack, buffer = [], [*([0] if mode.name in ROOT_FIRST else []), 1, 2, 3, *([0] if mode.name in ROOT_LAST else [])]
    if mode.name == "attardi":
        stack, buffer = [0], [1, 2, 3]
    assert (c.stack, c.buffer, c.heads, c.labels, len(c)) == (stack, buffer, [-1] * 3, [None] * 3, 3)
    assert repr(c) == f"Configuration(stack={stack}, buffer={buffer}, heads=[-1, -1, -1])"


def test_words_that_are_not_there(mode):
    system = system_of(mode)
    for n in (0, -1):
        with pytest.raises(UsageError, match=f"at least one word, not {n}"):
            system.initial(n)
    c = system.initial(3)
    for word in (-1, 4, 10**9):
        with pytest.raises(UsageError, match=f"no word {word} in a configuration over words 1 to 3"):
            c.remember(word, "x")
        with pytest.raises(UsageError, match=f"no word {word}"):
            c.children(word)


def test_definitions_are_the_papers(mode):
    system = system_of(mode)
    lines = system.definition.splitlines()
    assert re.match(
        "Arc-eager|Tree-constrained arc-eager|Arc-standard|LR-spine|Attardi|(Fully |)([Nn]on-monotonic |)Covington",
        lines[0],
    )
    assert re.search(r"\b20\d\d\b", lines[0])
    listed = [re.split(r"[(\s]", line.strip())[0].lower() for line in lines if re.match(r" {4}[A-Z].*->", line)]
    assert list(dict.fromkeys(listed)) == system.moves
    assert "Starts with" in system.definition
    assert repr(system).startswith(f"<system {mode.name}" if mode.single_root else f"<system {mode.name}>")


def test_single_root_is_refused_where_there_is_no_such_mode(mode):
    if mode.name in ROOT_LAST + COVINGTON:
        with pytest.raises(UsageError, match=f"{mode.name} has no single-root mode"):
            gp.systems.get(mode.name, single_root=True)
        with pytest.raises(UsageError, match=f"{mode.name} has no single-root mode"):
            gp.oracles.get(mode.name, single_root=True)
    else:
        assert gp.systems.get(mode.name, single_root=True).single_root
        assert gp.oracles.get(mode.name, single_root=True).system.single_root
        assert gp.systems.get(mode.name).single_root is (mode.name in SINGLE_ROOT)


def test_nothing_is_no_configuration(mode):
    """`c = system.apply(c, move)` is an easy mistake: `apply` returns None."""
    system, oracle = system_of(mode), gp.oracles.get(mode.name, single_root=mode.single_root)
    for call in (
        lambda: system.valid(None),
        lambda: system.apply(None, "shift"),
        lambda: system.is_final(None),
        lambda: oracle.loss(None, [0]),
    ):
        with pytest.raises(TypeError):
            call()
