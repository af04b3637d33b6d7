"""Trees as lists of heads: validation, projectivity and projectivisation.

`heads[0]` is the head of word 1. The head 0 is the root; None and -1 mean that a word has no head. An arc is projective
if its head dominates every word between its ends (Nivre and Nilsson, ACL 2005). The root dominates all words, so an arc
from 0 is always projective. It makes no difference whether the root is before the first word or after the last, even
with several roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from gardenpath.errors import UsageError

Heads = Sequence[int | None]
NAMED = 8


class Problem(NamedTuple):
    """A reason why heads are not a tree: the first word concerned (0: the whole sentence), the fault and a remedy."""

    word: int
    fault: str
    remedy: str


def problems(heads: Heads, *, single_root: bool = True) -> list[str]:
    """Return the reasons why the heads are not a tree; the list is empty for a tree."""
    return [problem.fault for problem in find_problems(heads, single_root=single_root)]


def is_tree(heads: Heads, *, single_root: bool = True) -> bool:
    """Return whether every word has a head, there is no cycle, and exactly one word is the root.

    With `single_root=False` there may be several roots.
    """
    return not find_problems(heads, single_root=single_root)


def find_problems(heads: Heads, *, single_root: bool = True, partial: bool = False) -> list[Problem]:
    """Return the reasons why the heads are not a tree, each with the word concerned and a remedy.

    With `partial`, some words may have no head yet: return the reasons why the other heads cannot be part of a tree.
    """
    missing = [] if partial else _missing_heads(heads)
    return [*missing, *_bad_heads(heads), *_cycles(heads), *_bad_roots(heads, single_root)]


def is_projective(heads: Heads) -> bool:
    """Return whether every arc of a tree is projective."""
    return not nonprojective_arcs(heads)


def nonprojective_arcs(heads: Heads) -> list[tuple[int, int]]:
    """Return the non-projective arcs of a tree as (head, dependent), ordered by dependent."""
    left, right = _stretches(heads)
    return [(head, word) for word, head in enumerate(heads, 1) if head and not left[head] <= word <= right[head]]


def projectivise(heads: Heads) -> list[int]:
    """Lift the shortest non-projective arc to the head of its head until none is left (Nivre and Nilsson, ACL 2005).

    Among arcs of the same length, the arc with the leftmost dependent is lifted first.
    """
    left, right = _stretches(heads)
    head = [0, *(h for h in heads if h is not None)]
    waiting = [(abs(h - word), word) for word, h in enumerate(head) if h and not left[h] <= word <= right[h]]
    if not waiting:
        return head[1:]
    heapify(waiting)
    children = [set(below) for below in children_of(heads)]
    while waiting:
        _, word = heappop(waiting)
        old = head[word]
        children[old].remove(word)
        # Only the old head dominates fewer words than before. Its stretch may shrink, so that more of its arcs become
        # non-projective.
        was = left[old], right[old]
        _shrink(children, word, old, left, right)
        for child in children[old] if (left[old], right[old]) != was else ():
            if was[0] <= child <= was[1] and not left[old] <= child <= right[old]:
                heappush(waiting, (abs(old - child), child))
        new = head[word] = head[old]
        children[new].add(word)
        if new and not left[new] <= word <= right[new]:
            heappush(waiting, (abs(new - word), word))
    return head[1:]


def children_of(heads: Heads) -> list[list[int]]:
    """Return the dependents of each of the nodes 0..n, from left to right."""
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        if head is None or not 0 <= head <= len(heads):
            raise _not_a_tree(heads)
        children[head].append(word)
    return children


def preorder(heads: Heads) -> list[int]:
    """Return the nodes 0..n of a tree in preorder: a node, then its subtrees one after the other."""
    children = children_of(heads)
    visited, stack = [], [0]
    while stack:
        node = stack.pop()
        visited.append(node)
        stack.extend(children[node])
    if len(visited) <= len(heads):
        raise _not_a_tree(heads)
    return visited


def depths(heads: Heads) -> list[int]:
    """Return the number of arcs from the root to each of the nodes 0..n of a tree."""
    found = [0] * (len(heads) + 1)
    for word in preorder(heads)[1:]:
        found[word] = found[heads[word - 1] or 0] + 1
    return found


def depth(heads: Heads) -> int:
    """Return the number of arcs from the root of a tree to its lowest word."""
    return max(depths(heads))


def _missing_heads(heads: Heads) -> list[Problem]:
    missing = [word for word, head in enumerate(heads, 1) if head is None or head == -1]
    if not missing:
        return []
    fault = f"{_words(missing)} {_have(missing)} no head"
    return [Problem(missing[0], fault, "give every word a HEAD, 0 for the root")]


def _bad_heads(heads: Heads) -> list[Problem]:
    last = len(heads)
    found = []
    for word, head in enumerate(heads, 1):
        if head == word:
            found.append(Problem(word, f"word {word} is its own head", "give it another HEAD"))
        elif head is not None and not -1 <= head <= last:
            fault = f"word {word} has head {head}, but the last word is {last}"
            found.append(Problem(word, fault, f"use a HEAD from 0 to {last}"))
    return found


def _cycles(heads: Heads) -> list[Problem]:
    """Follow the heads from each word towards the root; a path that meets itself is a cycle."""
    last = len(heads)
    trail = [0] * (last + 1)
    found = []
    for start in range(1, last + 1):
        word = start
        while 1 <= word <= last and not trail[word]:
            trail[word] = start
            word = heads[word - 1] or 0
        if 1 <= word <= last and trail[word] == start and heads[word - 1] != word:
            cycle = sorted(_around(heads, word))
            found.append(Problem(cycle[0], f"{_words(cycle)} form a cycle", "change the HEAD of one of them"))
    return found


def _around(heads: Heads, start: int) -> list[int]:
    cycle = [start]
    while (word := heads[cycle[-1] - 1] or 0) != start:
        cycle.append(word)
    return cycle


def _bad_roots(heads: Heads, single_root: bool) -> list[Problem]:
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    if not roots and not any(head is None or head == -1 for head in heads):
        return [Problem(0, "no root" if heads else "no words", "give one word the HEAD 0")]
    if len(roots) > 1 and single_root:
        return [Problem(roots[1], f"several roots: {_words(roots)}", "keep HEAD 0 for one of them only")]
    return []


def listed(words: Sequence[int]) -> str:
    """List words for a message: `3`, `3 and 5`, `3, 5 and 8`. Long lists are shortened."""
    names = [str(word) for word in words[:NAMED]]
    last = f"{len(words) - NAMED} more" if len(words) > NAMED else names.pop()
    return f"{', '.join(names)} and {last}" if names else last


def _words(words: list[int]) -> str:
    return f"word{'s' if len(words) > 1 else ''} {listed(words)}"


def _have(words: list[int]) -> str:
    return "has" if len(words) == 1 else "have"


def _not_a_tree(heads: Heads) -> UsageError:
    fault = problems(heads, single_root=False)[0]
    return UsageError(f"the heads are not a tree ({fault}), so projectivity is undefined; see trees.problems(heads)")


def _stretches(heads: Heads) -> tuple[list[int], list[int]]:
    """Return the left and right ends of the stretch of each of the nodes 0..n.

    The stretch of a node is the longest sequence of words that contains the node and that the node dominates. An arc is
    projective if its dependent is in the stretch of its head.
    """
    last = len(heads)
    visited = preorder(heads)
    order, size = [0] * (last + 1), [1] * (last + 1)
    for place, node in enumerate(visited):
        order[node] = place
    left, right = list(range(last + 1)), list(range(last + 1))
    for word in reversed(visited[1:]):
        size[heads[word - 1] or 0] += size[word]
        # In preorder a word is followed by the words that it dominates. The stretch of a dominated neighbour is added
        # as a whole.
        first, end = order[word], order[word] + size[word]
        while left[word] > 1 and first < order[left[word] - 1] < end:
            left[word] = left[left[word] - 1]
        while right[word] < last and first < order[right[word] + 1] < end:
            right[word] = right[right[word] + 1]
    left[0], right[0] = 0, last
    return left, right


def _shrink(children: list[set[int]], word: int, head: int, left: list[int], right: list[int]) -> None:
    """Remove the subtree of a word from the stretch of a head."""
    stack = [word] if left[head] < right[head] else []
    while stack:
        node = stack.pop()
        if left[head] <= node < head:
            left[head] = node + 1
        elif head < node <= right[head]:
            right[head] = node - 1
        stack.extend(children[node])
