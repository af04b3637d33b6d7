"""The shape of trees, compared with the definitions on every small tree and on random larger ones."""

import random
from itertools import combinations, pairwise

import pytest

from brute import all_trees, projective_trees, random_projective_tree, random_tree
from gardenpath.treebank.shape import DominanceTree, shape_of


def yields_of(heads):
    """Return, by word and for the root, the words that it dominates, itself included."""
    found = {0: set(range(1, len(heads) + 1))} | {word: set() for word in range(1, len(heads) + 1)}
    for word in range(1, len(heads) + 1):
        above = word
        while above:
            found[above].add(word)
            above = heads[above - 1]
    return found


def slow_gap_degree(heads):
    return max(
        sum(right > left + 1 for left, right in pairwise(sorted(covered))) for covered in yields_of(heads).values()
    )


def slow_edge_degree(heads):
    """For every arc, count the components between its ends whose topmost word is not in the yield of its head."""
    found = 0
    for word, head in enumerate(heads, 1):
        between = set(range(min(word, head) + 1, max(word, head)))
        tops = [inner for inner in between if heads[inner - 1] not in between]
        found = max(found, sum(top not in yields_of(heads)[head] for top in tops))
    return found


def slow_is_well_nested(heads):
    found = [covered for word, covered in yields_of(heads).items() if word]
    disjoint = [(one, two) for one in found for two in found if not one & two]
    return not any(
        a < c < b < d
        for one, two in disjoint
        for a, b in combinations(sorted(one), 2)
        for c, d in combinations(sorted(two), 2)
    )


def slow_is_one_endpoint_crossing(heads):
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(heads, 1) if head]
    for a, b in arcs:
        crossing = [{c, d} for c, d in arcs if a < c < b < d or c < a < d < b]
        if crossing and not set.intersection(*crossing):
            return False
    return True


def slow_depth(heads):
    return max(sum(word in covered for covered in yields_of(heads).values()) - 1 for word in range(1, len(heads) + 1))


def check_shape(heads):
    shape = shape_of(heads)
    assert shape.gap_degree == slow_gap_degree(heads), heads
    assert shape.edge_degree == slow_edge_degree(heads), heads
    assert shape.is_well_nested == slow_is_well_nested(heads), heads
    assert shape.is_one_endpoint_crossing == slow_is_one_endpoint_crossing(heads), heads
    assert shape.depth == slow_depth(heads), heads
    return shape


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_every_small_tree(words):
    trees = all_trees(words)
    projective = set(projective_trees(words))
    shapes = [check_shape(heads) for heads in trees]
    for heads, shape in zip(trees, shapes, strict=True):
        assert (shape.gap_degree == 0) == (shape.edge_degree == 0) == (not shape.nonprojective) == (heads in projective)
    assert max(shape.gap_degree for shape in shapes) == (words - 1) // 2
    assert all(shape.is_well_nested for shape in shapes) == (words < 4)


@pytest.mark.long
def test_every_tree_of_six_words():
    for heads in all_trees(6):
        check_shape(heads)


def test_random_trees():
    rng = random.Random(7)
    shapes = [check_shape(random_tree(rng, rng.randint(6, 25))) for _ in range(150)]
    assert len({shape.gap_degree for shape in shapes}) > 3
    assert len({shape.is_well_nested for shape in shapes}) == 2
    for _ in range(50):
        shape = check_shape(random_projective_tree(rng, rng.randint(6, 25)))
        assert (shape.gap_degree, shape.edge_degree, shape.nonprojective) == (0, 0, [])


def test_nearly_projective_random_trees():
    """Trees like those of treebanks: one arc of a projective tree is moved elsewhere."""
    rng = random.Random(8)
    seen = set()
    for _ in range(300):
        heads = random_projective_tree(rng, rng.randint(5, 20))
        word = rng.randint(1, len(heads))
        below = yields_of(heads)[word]
        heads[word - 1] = rng.choice([other for other in range(1, len(heads) + 1) if other not in below] or [0])
        shape = check_shape(heads)
        seen.add((shape.gap_degree, shape.edge_degree, shape.is_well_nested))
    assert len(seen) > 3


def test_the_examples_of_the_documentation():
    """A hearing is scheduled on the issue today; and the smallest ill-nested tree."""
    hearing = shape_of([2, 4, 4, 0, 7, 7, 2, 4])
    assert (hearing.gap_degree, hearing.edge_degree, hearing.is_well_nested, hearing.nonprojective) == (
        1,
        1,
        True,
        [(2, 7)],
    )
    assert not shape_of([0, 1, 1, 2, 3]).is_well_nested


def test_gap_degrees_of_long_trees_are_fast():
    """A chain that zigzags. An algorithm that climbs from word to word would need a minute."""
    words = 20_000
    order = [
        place for pair in zip(range(1, words // 2 + 1), range(words, words // 2, -1), strict=True) for place in pair
    ]
    for chain, gap in ((order, 0), (order[::-1], 1)):
        heads = [0] * words
        for above, below in pairwise(chain):
            heads[below - 1] = above
        assert max(DominanceTree(heads).gap_degrees()) == gap
