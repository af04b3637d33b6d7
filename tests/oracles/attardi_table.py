"""The table of Attardi's oracle as published, without any shortcut (Gómez-Rodríguez, Sartorio and Satta 2014).

Every arc is allowed and no word is left out, which is exact for every tree.
"""

from __future__ import annotations

from collections import defaultdict
from math import inf

BELOW = -1       # what is below the root


def loss(c, gold, *, single_root: bool) -> int:
    """Return the least number of wrong heads in any tree that can be reached from a configuration."""
    words = [*c.stack, *c.buffer]
    wrong = sum(head not in (-1, right) for head, right in zip(c.heads, gold, strict=True))
    return wrong + _table(words, len(c.stack), gold, single_root)[0, len(words)][BELOW, BELOW, 0]


def _table(words, stack_size, gold, single_root):
    size = len(words)
    cells = defaultdict(dict)
    cells[0, 1] = {(BELOW, BELOW, 0): 0}
    for i in range(1, size):
        tops = words[i - 1 : i] if i < stack_size else words[:i]
        cells[i, i + 1] = {(top, top, words[i]): 0 for top in tops}
    for width in range(2, size + 1):
        for i in range(max(0, stack_size - width), size - width + 1):
            j = i + width
            may_use_root = not single_root or width == size
            for k in [i + 1, *range(max(i + 2, stack_size), j)]:
                _join(cells[i, k], cells[k, j], cells[i, j], gold, may_use_root)
    return cells


def _join(one, other, joined, gold, may_use_root):
    following = defaultdict(list)
    for (h3, h4, h5), value in other.items():
        following[h3].append((h4, h5, value))
    for (h1, h2, h3), value in one.items():
        for h4, h5, more in following[h3]:
            for head, dependent, left in (
                (h5, h4, (h2, h5)), (h4, h5, (h2, h4)), (h5, h2, (h4, h5)), (h2, h5, (h2, h4)),
            ):
                if dependent > 0 and head != BELOW and (head > 0 or may_use_root):
                    total = value + more + (gold[dependent - 1] != head)
                    joined[h1, *left] = min(joined.get((h1, *left), inf), total)
