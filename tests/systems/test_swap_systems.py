"""The two systems that reorder words: equal to their twins, never stuck, always a tree; special cases."""

import random

import pytest

import gardenpath as gp
from brute import after, all_trees, reachable, system_of, twin_of, with_twins
from swap_twins import REORDERING, STAY, STAY_ONE, SWAP, SWAP_ONE, random_way

EACH = pytest.mark.parametrize("mode", REORDERING, ids=str)
STAYING = pytest.mark.parametrize("mode", [STAY, STAY_ONE], ids=str)
SWAPPING = pytest.mark.parametrize("mode", [SWAP, SWAP_ONE], ids=str)
WORDS = pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)])

# By number of words: reachable configurations, final ones included.
COUNTS = {
    SWAP: {1: 3, 2: 14, 3: 106, 4: 1_131},
    SWAP_ONE: {1: 3, 2: 9, 3: 56, 4: 545},
    STAY: {1: 5, 2: 106, 3: 2_266, 4: 77_683},
    STAY_ONE: {1: 5, 2: 90, 3: 1_847, 4: 62_535},
}
NAMES = {
    "swap": ["left-arc", "right-arc", "shift", "swap"],
    "stay-eager": ["reduce", "right-root", "shift", "stay-left", "stay-right", "swap", "unshift"],
}


def play(mode, n, text):
    """Return the system and the configuration over n words after these transitions; `shift*2` stands for two."""
    system = system_of(mode)
    c = system.initial(n)
    for name, _, times in (word.partition("*") for word in text.split()):
        for _ in range(int(times or 1)):
            system.apply(c, name)
    return system, c


def look(c):
    return c.stack, c.buffer, c.heads


def look_at_twin(twin):
    return twin.stack, twin.buffer, twin.heads()


@EACH
def test_the_start(mode):
    system, c = play(mode, 3, "")
    assert look(c) == ([0], [1, 2, 3], [-1, -1, -1])
    assert sorted(system.moves) == NAMES[mode.name]
    assert (system.name, system.single_root) == (mode.name, mode.single_root)
    assert system.valid(c) == (["shift"] if mode.name == "swap" else ["shift", "stay-right"])


@EACH
@WORDS
def test_every_move_is_the_twins(mode, n):
    """Validity and effect of every transition; configurations have the same key if and only if they are equal."""
    system, keys = system_of(mode), {}
    pairs = with_twins(mode, n)
    for c, twin in pairs:
        assert look(c) == look_at_twin(twin)
        assert (system.valid(c), system.is_final(c)) == (twin.valid(), twin.is_final()), c
        assert keys.setdefault(twin.key(), c.key()) == c.key()
        for move in twin.valid():
            following, there = after(system, c, move), twin.after(move)
            assert look(following) == look_at_twin(there), (c, move)
            assert (system.valid(following), following.key()) == (
                there.valid(),
                keys.setdefault(there.key(), following.key()),
            ), (c, move)
    assert len(set(keys.values())) == len(keys) == len(pairs) == COUNTS[mode][n]


@EACH
@WORDS
def test_configurations_that_can_be_reached(mode, n):
    assert len(reachable(mode, n)) == COUNTS[mode][n]


@EACH
@WORDS
def test_the_ends_are_all_the_trees(mode, n):
    """Final configurations are exactly the trees, and no derivation gets stuck."""
    system = system_of(mode)
    ends = [c for c in reachable(mode, n) if system.valid(c) == []]
    assert all(system.is_final(c) and (c.stack, c.buffer) == ([0], []) for c in ends)
    assert {tuple(c.heads) for c in ends} == set(all_trees(n, mode.single_root))


@EACH
@WORDS
def test_the_longest_derivation(mode, n):
    """The longest derivation is within the proved bound and within the system's own bound."""
    def longest(twin, found):
        if twin.key() not in found:
            found[twin.key()] = 1 + max((longest(twin.after(move), found) for move in twin.valid()), default=-1)
        return found[twin.key()]

    found, bound = longest(twin_of(mode, n), {}), system_of(mode).most_moves(n)
    if mode == SWAP:
        assert found == bound == n * n + n
    assert found <= bound <= (n * n + n if mode.name == "swap" else n * n + 4 * n)


@EACH
def test_the_length_counts_swaps_and_unshifts(mode):
    """Every word is shifted, attached and, in stay-eager, reduced; returned words are shifted again."""
    system, rng = system_of(mode), random.Random(f"length {mode}")
    seen = set()
    for _ in range(300):
        n = rng.randint(1, 12)
        c, moves = system.initial(n), []
        while not system.is_final(c):
            moves.append(rng.choice(system.valid(c)))
            system.apply(c, moves[-1])
        again = moves.count("swap") + moves.count("unshift")
        assert len(moves) == (2 if mode.name == "swap" else 3) * n + 2 * again - moves.count("right-root")
        assert moves.count("swap") <= n * (n - 1) // 2
        assert moves.count("unshift") <= n
        assert len(moves) <= system.most_moves(n)
        seen |= set(moves)
    assert sorted(seen) == NAMES[mode.name]


@EACH
@pytest.mark.parametrize("swaps", [1, 20])
def test_random_walks_end_in_a_tree(mode, swaps):
    """Random derivations of longer sentences equal the twin's; swaps have this weight; no pair is swapped twice."""
    system, rng = system_of(mode), random.Random(f"walk {mode} {swaps}")
    for n in [*range(1, 10)] * 12 + [15, 20, 30]:
        c, twin, swapped = system.initial(n), twin_of(mode, n), set()
        while not twin.is_final():
            assert (system.valid(c), system.is_final(c)) == (twin.valid(), False), c
            moves = twin.valid()
            move = rng.choices(moves, [swaps if name == "swap" else 1 for name in moves])[0]
            if move == "swap":
                pair = (c.stack[-2], c.stack[-1]) if mode.name == "swap" else (c.stack[-1], c.buffer[0])
                assert pair not in swapped
                assert 0 < pair[0] < pair[1]
                swapped.add(pair)
            system.apply(c, move)
            twin.apply(move)
            assert look(c) == look_at_twin(twin)
        assert (system.is_final(c), system.valid(c)) == (True, [])
        assert gp.trees.is_tree(c.heads, single_root=mode.single_root), c


@pytest.mark.long
@EACH
def test_many_random_walks_end_in_a_tree(mode):
    system, rng = system_of(mode), random.Random(f"many {mode}")
    for number in range(24_000):
        n = 3 + number % 6
        c, left = system.initial(n), system.most_moves(n)
        while not system.is_final(c):
            system.apply(c, rng.choice(system.valid(c)))
            left -= 1
        assert left >= 0
        assert gp.trees.is_tree(c.heads, single_root=mode.single_root), c


@EACH
def test_a_move_that_is_not_permitted_changes_nothing(mode):
    for c, twin in with_twins(mode, 3):
        for move in set(NAMES[mode.name]) - set(twin.valid()):
            with pytest.raises(gp.UsageError, match="is not valid"):
                system_of(mode).apply(c, move)
        assert look(c) == look_at_twin(twin)


@EACH
def test_copies_remember_all(mode):
    """A copy is independent and follows the same rules."""
    rng = random.Random(f"copies {mode}")
    for _ in range(40):
        system, way = system_of(mode), random_way(mode, rng.randint(2, 8), rng)
        c, twin = system.initial(way[0].n), way[0]
        while not twin.is_final():
            move = rng.choice(twin.valid())
            other = c.copy()
            system.apply(other, move)
            assert look(c) == look_at_twin(twin)
            c, twin = other, twin.after(move)
            assert (look(c), system.valid(c)) == (look_at_twin(twin), twin.valid())


# Arc-standard with swaps: special cases.


@SWAPPING
def test_a_swap_puts_the_second_word_back(mode):
    system, c = play(mode, 3, "shift*2")
    assert "swap" in system.valid(c)
    system.apply(c, "swap")
    assert look(c) == ([0, 2], [1, 3], [-1, -1, -1])
    system.apply(c, "shift")
    assert c.stack == [0, 2, 1]
    assert "swap" not in system.valid(c)


@SWAPPING
def test_the_root_is_neither_swapped_nor_a_dependent(mode):
    system, c = play(mode, 2, "shift")
    assert c.stack == [0, 1]
    assert system.valid(c) == (["shift"] if mode.single_root else ["right-arc", "shift"])


def test_one_root_only_at_the_end():
    """The right-arc from 0 is valid only when nothing else is left; an empty buffer is not enough."""
    system, c = play(SWAP_ONE, 2, "shift*2")
    assert (c.stack, c.buffer, system.valid(c)) == ([0, 1, 2], [], ["left-arc", "right-arc", "swap"])
    system.apply(c, "swap")
    assert (c.stack, c.buffer, system.valid(c)) == ([0, 2], [1], ["shift"])
    for move in ("shift", "left-arc"):
        system.apply(c, move)
    assert (look(c), system.valid(c)) == (([0, 1], [], [-1, 1]), ["right-arc"])
    system.apply(c, "right-arc")
    assert (look(c), system.is_final(c)) == (([0], [], [0, 1]), True)


@SWAPPING
def test_arcs_need_no_order_of_words(mode):
    """Once 2 is below 1, the left-arc makes 1 the head of 2."""
    system, c = play(mode, 3, "shift*2 swap shift")
    assert c.stack == [0, 2, 1]
    system.apply(c, "left-arc")
    assert look(c) == ([0, 1], [3], [-1, 1, -1])
    system, c = play(mode, 3, "shift*2 swap shift right-arc")
    assert look(c) == ([0, 2], [3], [2, -1, -1])


# Stay-eager: special cases.


@STAYING
def test_arcs_move_nothing(mode):
    """An arc moves neither of its words."""
    _, c = play(mode, 2, "shift stay-left")
    assert look(c) == ([0, 1], [2], [2, -1])
    system, c = play(mode, 2, "shift stay-right")
    assert look(c) == ([0, 1], [2], [-1, 1])
    assert system.valid(c) == ["shift", "swap"]


@STAYING
def test_a_swapped_word_goes_behind_the_front(mode):
    _, c = play(mode, 3, "shift swap")
    assert look(c) == ([0], [2, 1, 3], [-1, -1, -1])
    system, c = play(mode, 3, "shift swap shift")
    assert (c.stack, c.buffer) == ([0, 2], [1, 3])
    assert "swap" not in system.valid(c)


@STAYING
def test_ancestors_that_have_left_are_ancestors(mode):
    system, c = play(mode, 3, "shift stay-right shift stay-right reduce")
    assert look(c) == ([0, 1], [3], [-1, 1, 2])
    assert system.valid(c) == ["shift", "swap"]               # 3 -> 1 would close a cycle through 2, which is gone
    system, c = play(mode, 3, "shift stay-left shift stay-left reduce")
    assert look(c) == ([0, 1], [3], [2, 3, -1])
    assert system.valid(c) == ["reduce", "shift", "swap"]                   # so would 1 -> 3


@STAYING
def test_the_root_token_has_no_head_and_stays(mode):
    """With 0 on top of the stack, reduce, unshift, stay-left and swap are never valid."""
    for n in (1, 2, 3):
        for c, twin in with_twins(mode, n):
            if c.stack == [0] and c.buffer:
                assert set(system_of(mode).valid(c)) <= {"shift", "stay-right"}, c
                assert c.buffer[0] not in twin.head or system_of(mode).valid(c) == ["shift"], c
            assert 0 not in c.buffer
            assert c.stack[0] == 0


@STAYING
def test_an_empty_buffer_leaves_one_move_and_is_not_the_end(mode):
    system = system_of(mode)
    for n in (1, 2, 3):
        for c, twin in with_twins(mode, n):
            if not c.buffer and c.stack != [0]:
                top, rooted = c.stack[-1], 0 in c.heads
                expected = (
                    "reduce" if top in twin.head else "right-root" if len(c.stack) == 2 and not rooted else "unshift"
                )
                assert (system.valid(c), system.is_final(c)) == ([expected], False), c


@STAYING
def test_right_root_takes_the_last_word_if_there_is_no_root(mode):
    system, c = play(mode, 2, "shift stay-right shift reduce")
    assert (look(c), system.valid(c)) == (([0, 1], [], [-1, 1]), ["right-root"])
    system.apply(c, "right-root")
    assert (look(c), system.is_final(c)) == (([0], [], [0, 1]), True)


def test_right_root_needs_that_no_word_hangs_from_the_root():
    """With 0 -> 1, word 2 must be unshifted and gets its head from the buffer."""
    system, c = play(STAY, 2, "stay-right shift reduce shift")
    assert (look(c), system.valid(c)) == (([0, 2], [], [0, -1]), ["unshift"])
    system.apply(c, "unshift")
    assert (look(c), system.valid(c)) == (([0], [2], [0, -1]), ["stay-right"])
    for move in ("stay-right", "shift", "reduce"):
        system.apply(c, move)
    assert (look(c), system.is_final(c)) == (([0], [], [0, 0]), True)


def test_right_root_needs_the_root_below():
    system, c = play(STAY, 2, "shift*2")
    assert (look(c), system.valid(c)) == (([0, 1, 2], [], [-1, -1]), ["unshift"])


def test_behind_an_unshift_words_are_shifted_with_a_head_only():
    """Otherwise unshift and shift could alternate for ever. Words that come to the front by a swap are no exception."""
    system, c = play(STAY, 2, "shift*2 unshift")
    assert (look(c), system.valid(c)) == (([0, 1], [2], [-1, -1]), ["stay-left", "stay-right", "swap"])
    system.apply(c, "swap")
    assert (c.stack, c.buffer, system.valid(c)) == ([0], [2, 1], ["stay-right"])
    system.apply(c, "stay-right")
    assert system.valid(c) == ["shift"]
    system.apply(c, "shift")
    assert (c.stack, c.buffer, system.valid(c)) == ([0, 2], [1], ["reduce", "stay-right"])
    _, before = play(STAY, 2, "shift swap")
    assert "shift" in system.valid(before)


def test_a_configuration_remembers_the_unshift():
    """Same lists and heads, but one after an unshift: other valid transitions, other keys, in copies too."""
    system, early = play(STAY, 3, "shift*3")
    late = early.copy()
    system.apply(late, "unshift")
    _, early = play(STAY, 3, "shift*2")
    assert look(early) == look(late) == ([0, 1, 2], [3], [-1, -1, -1])
    assert early.key() != late.key() == late.copy().key()
    assert system.valid(early) == ["shift", "stay-left", "stay-right", "swap"]
    assert system.valid(late) == system.valid(late.copy()) == ["stay-left", "stay-right", "swap"]


@STAYING
def test_a_swapped_word_keeps_its_arcs(mode):
    """A word that returns keeps its arcs, is reduced after another shift, and not swapped with the same word."""
    system, c = play(mode, 3, "shift stay-left swap")
    assert (look(c), c.children(2)) == (([0], [2, 1, 3], [2, -1, -1]), [1])
    assert system.valid(c) == ["shift", "stay-right"]
    system.apply(c, "shift")
    assert (look(c), system.valid(c)) == (([0, 2], [1, 3], [2, -1, -1]), ["shift"])      # 2 is the head of 1
    system.apply(c, "shift")
    assert system.valid(c) == ["reduce", "shift", "stay-right", "swap"]
    system.apply(c, "reduce")
    assert look(c) == ([0, 2], [3], [2, -1, -1])
    _, c = play(mode, 3, "shift stay-right swap")
    assert (look(c), c.children(1)) == (([0], [2, 1, 3], [-1, 1, -1]), [2])


def test_a_second_root_word_hangs_from_the_first():
    """In single-root mode 0 -> 2 is not valid while anything else is, and in the end becomes 1 -> 2."""
    system, c = play(STAY_ONE, 2, "stay-right shift reduce")
    assert (look(c), system.valid(c)) == (([0], [2], [0, -1]), ["shift"])
    for move in ("shift", "unshift"):
        system.apply(c, move)
    assert (look(c), system.valid(c)) == (([0], [2], [0, -1]), ["stay-right"])
    system.apply(c, "stay-right", "x")
    assert (look(c), c.labels, c.children(0), c.children(1)) == (([0], [2], [0, 1]), [None, "x"], [1], [2])
    system, c = play(STAY, 2, "stay-right shift reduce")
    assert system.valid(c) == ["shift", "stay-right"]


def test_one_root_wherever_it_is():
    """No configuration has two root words; the mode excludes nothing else."""
    system, free = system_of(STAY_ONE), system_of(STAY)
    for c, twin in with_twins(STAY_ONE, 3):
        assert c.heads.count(0) <= 1
        roots = [word for word, head in enumerate(c.heads, 1) if head == 0]
        if roots and c.stack == [0] and c.buffer and c.buffer[0] not in twin.head:
            assert system.valid(c) == (["stay-right"] if twin.e else ["shift"])
    multi = {twin.key(): c for c, twin in with_twins(STAY, 3)}
    for c, twin in with_twins(STAY_ONE, 3):
        if 0 not in c.heads and twin.key() in multi:
            assert system.valid(c) == free.valid(multi[twin.key()])
