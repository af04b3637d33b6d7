"""Every system is what its paper says: equal to a twin move by move, never stuck, always a tree within the proved number of moves."""

import random

import pytest

import gardenpath as gp
from brute import ROOT_LAST, SINGLE_ROOT, Twin, after, final_trees, gold_trees, projective_trees, reachable, reachable_twins
from gardenpath.errors import UsageError

pytestmark = pytest.mark.parametrize("name", gp.systems.names())

# n = 4: configurations, pairs with a projective tree, permitted moves over all pairs.
COUNTS = {
    "arc-eager": (300, 16_500, 16_995),
    "arc-eager-nml": (300, 16_500, 19_800),
    "arc-eager-nmd": (300, 16_500, 19_800),
    "arc-eager-nmld": (300, 16_500, 22_605),
    "arc-eager-tree": (199, 5_970, 8_010),
    "arc-eager-unshift": (796, 23_880, 30_660),
}


def walk(system, n, rng, repairs=1.0):
    """Configurations on a random way to the end, the moves made between them; repairs are taken with this weight."""
    c = system.initial(n)
    yield c, None
    while not system.is_final(c):
        moves = system.valid(c)
        move = rng.choices(moves, [repairs if system.is_repair(c, move) else 1 for move in moves])[0]
        system.apply(c, move, label=rng.choice("abc") if move.endswith("arc") else None)
        yield c, move


def test_counts_of_configurations_and_transitions(name):
    system, configurations, trees = gp.systems.get(name), reachable(name, 4), len(gold_trees(name, 4))
    moves = sum(len(system.valid(c)) for c in configurations)
    assert (len(configurations), len(configurations) * trees, moves * trees) == COUNTS[name]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_twin_reaches_the_same_configurations(name, n):
    def key(c):
        return tuple(c.stack), tuple(c.buffer), tuple(c.heads)

    assert sorted(map(key, reachable(name, n))) == sorted(key[:3] for key in reachable_twins(name, n))


@pytest.mark.parametrize("repairs", [1, 10])
def test_the_twin_walks_along(name, repairs):
    system, rng = gp.systems.get(name), random.Random(name)
    for _ in range(150):
        n = rng.randint(1, 12)
        before, twin = None, Twin(name, n)
        for c, move in walk(system, n, rng, repairs):
            if move:
                assert system.is_repair(before, move) is twin.is_repair(move)
                twin.apply(move)
            assert (c.stack, c.buffer, c.heads) == (twin.stack, twin.buffer, twin.heads())
            assert (system.valid(c), system.is_final(c)) == (twin.valid(), twin.is_final())
            before = c.copy()


def test_labels_are_those_of_the_last_arc(name):
    """Every arc gets a label of its own; what is left at the end is the label each word was given last."""
    system, rng = gp.systems.get(name), random.Random(2)
    for _ in range(100):
        n = rng.randint(1, 12)
        c, twin, number = system.initial(n), Twin(name, n), 0
        while not system.is_final(c):
            move, number = rng.choice(system.valid(c)), number + 1
            system.apply(c, move, str(number))
            twin.apply(move, str(number))
            assert c.labels == twin.labels()


def test_invariants(name):
    for n in (1, 2, 3, 4):
        for c in reachable(name, n):
            place = {word: word or n + 1 for word in range(n + 1)}
            words = c.stack + c.buffer
            head = dict(enumerate(c.heads, 1))
            is_final = gp.systems.get(name).is_final(c)
            assert all(head[word] == -1 for word in c.buffer if word), c
            assert is_final or not c.stack or c.stack[0] == 0 or head[c.stack[0]] == -1, c
            assert all(head[word] in (-1, below) for below, word in zip(c.stack, c.stack[1:], strict=False) if word), c
            assert [place[word] for word in words] == sorted({place[word] for word in words}), c
            assert all(head[word] != -1 for word in head if word not in words), c


def test_words_out_of_sight_have_their_final_head(name):
    system, rng = gp.systems.get(name), random.Random(3)
    for _ in range(100):
        gone = {}
        for c, _move in walk(system, 10, rng):
            gone |= {word: c.heads[word - 1] for word in range(1, 11) if word not in c.stack + c.buffer and word not in gone}
            assert all(c.heads[word - 1] == head for word, head in gone.items())


def test_never_stuck(name):
    system = gp.systems.get(name)
    for n in (1, 2, 3, 4):
        for c in reachable(name, n):
            assert system.is_final(c) is (system.valid(c) == []), c


def test_length(name):
    """The longest and the shortest derivation from every configuration: 2n + 1 exactly, or from 2n - 1 to 4n - 3, and that bound is met."""
    system = gp.systems.get(name)
    for n in (1, 2, 3, 4):
        shortest, longest = lengths(system, system.initial(n), {})
        assert (shortest, longest) == ((2 * n + 1, 2 * n + 1) if name in ROOT_LAST else (2 * n - 1, 4 * n - 3))
        assert system.most_moves(n) == longest


def lengths(system, c, found):
    if c.key() not in found:
        ends = [lengths(system, after(system, c, move), found) for move in system.valid(c)]
        found[c.key()] = (1 + min(a for a, _ in ends), 1 + max(b for _, b in ends)) if ends else (0, 0)
    return found[c.key()]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_reachable_trees_are_the_projective_trees(name, n):
    system = gp.systems.get(name)
    found = {tuple(c.heads) for c in reachable(name, n) if system.is_final(c)}
    assert found == set(projective_trees(n, single_root=name in SINGLE_ROOT))
    assert system.single_root is (name in SINGLE_ROOT)
    assert found == final_trees(name, n)[Twin(name, n).key()]


@pytest.mark.long
def test_the_reachable_trees_of_five_words(name):
    test_the_reachable_trees_are_the_projective_trees(name, 5)
    test_never_stuck(name)
    assert len(reachable_twins(name, 5)) == len(reachable(name, 5))


def test_random_ends_are_projective_trees(name):
    system, rng = gp.systems.get(name), random.Random(4)
    for n in [1, 2, 3, *range(10, 200, 10)]:
        steps = [(c, move) for c, move in walk(system, n, rng, repairs=rng.choice([0.1, 1, 10]))]
        heads = steps[-1][0].heads
        assert gp.trees.is_tree(heads, single_root=name in SINGLE_ROOT)
        assert gp.trees.is_projective(heads)
        assert len(steps) - 1 <= system.most_moves(n)


def test_children_are_the_words_with_that_head(name):
    """The lists behind features: after every repair they say what the heads say."""
    system, rng = gp.systems.get(name), random.Random(5)
    for _ in range(150):
        for c, _move in walk(system, rng.randint(1, 12), rng, repairs=5):
            for word in range(len(c) + 1):
                assert c.children(word) == [child for child, head in enumerate(c.heads, 1) if head == word], c


def test_copies_are_independent(name):
    system, rng = gp.systems.get(name), random.Random(6)
    for c, _move in walk(system, 8, rng):
        copy, was = c.copy(), repr(c)
        assert (repr(copy), copy.key(), copy.labels, len(copy)) == (was, c.key(), c.labels, 8)
        while not system.is_final(copy):
            system.apply(copy, rng.choice(system.valid(copy)), "other")
        assert repr(c) == was
        assert "other" not in c.labels
        assert [c.children(word) for word in range(9)] == [[w for w, head in enumerate(c.heads, 1) if head == word] for word in range(9)]


def test_a_move_that_is_not_permitted(name):
    system = gp.systems.get(name)
    c = system.initial(2)
    for move in ("left-arc", "right-arc", "reduce", "unshift", "swap", "SHIFT", ""):
        for ask in (system.apply, system.is_repair):
            with pytest.raises(UsageError, match=rf"{name}: '{move}' is not permitted in .*buffer=\[1, 2.*permitted here: shift$"):
                ask(c, move)
    assert (c.stack, c.heads) == ([], [-1, -1])
    while not system.is_final(c):
        system.apply(c, system.valid(c)[0])
    with pytest.raises(UsageError, match="permitted here: nothing, it is final"):
        system.apply(c, "shift")


def test_the_start(name):
    c = gp.systems.get(name).initial(3)
    assert (c.stack, c.buffer, c.heads, c.labels, len(c)) == ([], [1, 2, 3, 0] if name in ROOT_LAST else [1, 2, 3], [-1] * 3, [None] * 3, 3)
    assert repr(c) == f"Configuration(stack=[], buffer={c.buffer}, heads=[-1, -1, -1])"


def test_words_that_are_not_there(name):
    system = gp.systems.get(name)
    for n in (0, -1):
        with pytest.raises(UsageError, match=f"at least one word, not {n}"):
            system.initial(n)
    c = system.initial(3)
    for word in (-1, 4, 10**9):
        with pytest.raises(UsageError, match=f"no word {word} in a configuration over words 1 to 3"):
            c.remember(word, "x")
        with pytest.raises(UsageError, match=f"no word {word}"):
            c.children(word)


def test_definitions_are_the_papers(name):
    system = gp.systems.get(name)
    lines = system.definition.splitlines()
    assert lines[0].startswith(("Arc-eager", "Tree-constrained arc-eager"))
    assert any(year in lines[0] for year in ("2003", "2013", "2014", "2015"))
    listed = [line.split("(")[0].strip().lower() for line in lines if "->" in line]
    assert list(dict.fromkeys(listed)) == system.moves
    assert "Starts with" in system.definition
    assert repr(system) == f"<system {name}>"


def test_single_root_is_refused_where_there_is_no_such_mode(name):
    if name in SINGLE_ROOT:
        assert gp.systems.get(name, single_root=True).single_root
    else:
        with pytest.raises(UsageError, match=f"{name} has no single-root mode"):
            gp.systems.get(name, single_root=True)


def test_nothing_is_no_configuration(name):
    """`c = system.apply(c, move)` is an easy mistake: `apply` gives nothing back."""
    system, oracle = gp.systems.get(name), gp.oracles.get(name)
    for call in (lambda: system.valid(None), lambda: system.apply(None, "shift"), lambda: system.is_final(None), lambda: oracle.loss(None, [0])):
        with pytest.raises(TypeError):
            call()
