"""Trees as lists of heads: what is wrong with them, whether their arcs cross, and how to uncross them.

`heads[0]` is the head of word 1; 0 is the root, None or -1 no head. Projectivity is defined over 0..n by dominance (Nivre and Nilsson, ACL 2005): an
arc is projective when its head dominates every word between its ends. The root dominates all words, so an arc from 0 is always projective, and it
does not matter whether the root is put before the first word or after the last, even with several roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from gardenpath.errors import UsageError

Heads = Sequence[int | None]
NAMED = 8


class Problem(NamedTuple):
    """What keeps heads from being a tree: the first word at fault (0: the sentence as a whole), the fault and its remedy."""

    word: int
    fault: str
    remedy: str


def problems(heads: Heads, *, single_root: bool = True) -> list[str]:
    """Say what keeps the heads from being a tree; nothing for a tree."""
    return [problem.fault for problem in find_problems(heads, single_root=single_root)]


def is_tree(heads: Heads, *, single_root: bool = True) -> bool:
    """Tell whether every word has a head, no words form a cycle, and one word (or with `single_root=False` one or more) is the root."""
    return not find_problems(heads, single_root=single_root)


def find_problems(heads: Heads, *, single_root: bool = True) -> list[Problem]:
    """Find what keeps the heads from being a tree, each with the word at fault and a remedy."""
    return [*_bad_heads(heads), *_cycles(heads), *_bad_roots(heads, single_root)]


def is_projective(heads: Heads) -> bool:
    """Tell whether every arc of a tree is projective."""
    return not nonprojective_arcs(heads)


def nonprojective_arcs(heads: Heads) -> list[tuple[int, int]]:
    """The non-projective arcs of a tree as (head, dependent), in the order of the dependents."""
    left, right = _stretches(heads)
    return [(head, word) for word, head in enumerate(heads, 1) if head and not left[head] <= word <= right[head]]


def projectivise(heads: Heads) -> list[int]:
    """Lift the shortest non-projective arc to the head of its head until none is left (Nivre and Nilsson, ACL 2005).

    Of arcs of the same length the one with the leftmost dependent is lifted first.
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
        # Only the old head dominates fewer words than before: what it dominates around itself may shrink, and leave more of its arcs non-projective.
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
    """The dependents of each of 0..n, from left to right."""
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        if head is None or not 0 <= head <= len(heads):
            raise _not_a_tree(heads)
        children[head].append(word)
    return children


def preorder(heads: Heads) -> list[int]:
    """The nodes 0..n of a tree from the top, every subtree in one piece."""
    children = children_of(heads)
    visited, stack = [], [0]
    while stack:
        node = stack.pop()
        visited.append(node)
        stack.extend(children[node])
    if len(visited) <= len(heads):
        raise _not_a_tree(heads)
    return visited


def _bad_heads(heads: Heads) -> list[Problem]:
    last = len(heads)
    found = []
    missing = [word for word, head in enumerate(heads, 1) if head is None or head == -1]
    if missing:
        found.append(Problem(missing[0], f"{_words(missing)} {_have(missing)} no head", "give every word a HEAD, 0 for the root"))
    for word, head in enumerate(heads, 1):
        if head == word:
            found.append(Problem(word, f"word {word} is its own head", "give it another HEAD"))
        elif head is not None and not -1 <= head <= last:
            found.append(Problem(word, f"word {word} has head {head}, but the words end at {last}", f"use a HEAD from 0 to {last}"))
    return found


def _cycles(heads: Heads) -> list[Problem]:
    """Climb from each word towards the root; whoever meets his own trail has found a cycle."""
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
        return [Problem(roots[1], f"several roots: {_words(roots)}", "leave HEAD 0 to one of them")]
    return []


def _words(words: list[int]) -> str:
    """Name words in a sentence: `word 3`, `words 3 and 5`, `words 3, 5 and 8`, with a long list cut."""
    if len(words) == 1:
        return f"word {words[0]}"
    listed = [str(word) for word in words[:NAMED]]
    last = f"{len(words) - NAMED} more" if len(words) > NAMED else listed.pop()
    return f"words {', '.join(listed)} and {last}"


def _have(words: list[int]) -> str:
    return "has" if len(words) == 1 else "have"


def _not_a_tree(heads: Heads) -> UsageError:
    what = problems(heads, single_root=False)
    return UsageError(f"heads that are no tree ({what[0]}) cannot be asked about projectivity; look at trees.problems(heads) first")


def _stretches(heads: Heads) -> tuple[list[int], list[int]]:
    """For each of 0..n the unbroken stretch of dominated words around it: an arc is projective when it stays within its head's stretch."""
    last = len(heads)
    visited = preorder(heads)
    order, size = [0] * (last + 1), [1] * (last + 1)
    for place, node in enumerate(visited):
        order[node] = place
    left, right = list(range(last + 1)), list(range(last + 1))
    for word in reversed(visited[1:]):
        size[heads[word - 1] or 0] += size[word]
        # A word dominates what follows it in the order, as far as its size; whoever it dominates brings his whole stretch along.
        first, end = order[word], order[word] + size[word]
        while left[word] > 1 and first < order[left[word] - 1] < end:
            left[word] = left[left[word] - 1]
        while right[word] < last and first < order[right[word] + 1] < end:
            right[word] = right[right[word] + 1]
    left[0], right[0] = 0, last
    return left, right


def _shrink(children: list[set[int]], word: int, head: int, left: list[int], right: list[int]) -> None:
    """Take the subtree of a word out of the stretch around a head."""
    stack = [word]
    while stack:
        node = stack.pop()
        if left[head] <= node < head:
            left[head] = node + 1
        elif head < node <= right[head]:
            right[head] = node - 1
        stack.extend(children[node])
