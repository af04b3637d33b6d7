"""Special cases of Unshift: words that return to the buffer; and unknown names."""

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError

ROOTLESS = pytest.mark.parametrize("name", ["arc-eager-tree", "arc-eager-unshift"])


def play(name, n, moves):
    system = gp.systems.get(name)
    c = system.initial(n)
    for move in moves.split():
        assert not system.is_final(c)
        system.apply(c, move)
    return system, c


@ROOTLESS
def test_a_word_that_came_back_counts_as_buffer(name):
    """With one word on the stack and an empty queue, the parse has not ended if a word has returned to the buffer."""
    system, c = play(name, 2, "shift shift unshift")
    assert (c.stack, c.buffer) == ([1], [2])
    assert not system.is_final(c)
    assert system.valid(c) == ["left-arc", "right-arc"]


@ROOTLESS
def test_an_empty_stack_lets_a_shifted_word_be_shifted_again(name):
    system, c = play(name, 2, "shift shift unshift left-arc")
    assert (c.stack, c.buffer, c.heads, system.valid(c)) == ([], [2], [2, -1], ["shift"])
    system.apply(c, "shift")
    assert (system.is_final(c), c.heads) == (True, [2, 0])


def test_several_words_come_back_in_their_order():
    system, c = play("arc-eager-unshift", 5, "shift shift shift unshift unshift")
    assert (c.stack, c.buffer) == ([1], [2, 3, 4, 5])
    assert system.valid(c) == ["left-arc", "right-arc"]
    for move in ("right-arc", "right-arc", "right-arc"):
        system.apply(c, move)
    assert (c.stack, c.buffer, c.heads) == ([1, 2, 3, 4], [5], [-1, 1, 2, 3, -1])


def test_only_shift_is_limited_by_having_been_shifted():
    _, c = play("arc-eager-unshift", 3, "shift shift unshift right-arc reduce right-arc")
    assert (c.stack, c.buffer, c.heads) == ([1, 3], [], [-1, 1, 1])


def test_a_word_that_came_back_keeps_its_children():
    _, c = play("arc-eager-unshift", 4, "shift left-arc shift shift right-arc reduce unshift")
    assert (c.stack, c.buffer, c.heads) == ([2], [3], [2, -1, -1, 3])
    assert (c.children(2), c.children(3)) == ([1], [4])


def test_the_flag_of_the_tree_system_is_set_by_right_arc_too_and_stays():
    system, c = play("arc-eager-tree", 3, "shift shift right-arc reduce unshift")
    assert (c.stack, c.buffer, c.heads) == ([1], [2], [-1, -1, 2])
    assert system.valid(c) == ["left-arc", "right-arc"]


def test_the_first_word_is_never_unshifted():
    for moves in ("shift", "shift shift unshift left-arc shift"):
        system, c = play("arc-eager-unshift", 3, moves)
        assert len(c.stack) == 1
        assert "unshift" not in system.valid(c)


def test_a_name_that_is_none():
    with pytest.raises(UsageError, match=r"no system is called 'nonsense'; there are arc-eager, .*arc-eager-unshift"):
        gp.systems.get("nonsense")
