"""Twins of the two systems that reorder words, with oracles and bounds: plain lists, without library code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np

from brute import all_trees, twin_of
from twins import TWINS, Mode, Twin

SWAP, SWAP_ONE, STAY, STAY_ONE = Mode("swap"), Mode("swap", True), Mode("stay-eager"), Mode("stay-eager", True)
REORDERING = (SWAP, SWAP_ONE, STAY, STAY_ONE)


class Swap(Twin):
    """Nivre 2009: arc-standard from [0], and swap returns i of sigma|i|j to the buffer."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.stack, self.buffer = [0], [*range(1, n + 1)]

    def moves(self) -> list[str]:
        return ["shift", "left-arc", "right-arc", "swap"]

    def permits(self, move: str) -> bool:
        if move == "shift":
            return self.buffer != []
        if len(self.stack) < 2:
            return False
        i, j = self.stack[-2:]
        if move == "left-arc":
            return i != 0
        if move == "right-arc":
            return not (self.mode.single_root and i == 0) or (self.stack == [0, j] and self.buffer == [])
        return 0 < i < j

    def make(self, move: str, label: str | None) -> None:
        if move == "shift":
            self.stack.append(self.buffer.pop(0))
            return
        i, j = self.stack[-2:]
        if move == "left-arc":
            self._attach(i, j, label)
            self.stack[-2:] = [j]
        elif move == "right-arc":
            self._attach(j, i, label)
            self.stack[-2:] = [i]
        else:
            self.stack[-2:] = [j]
            self.buffer.insert(0, i)


class StayEager(Twin):
    """Arc-eager in smaller steps: an arc moves no word, and swap puts the top behind the front of the buffer."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.stack, self.buffer = [0], [*range(1, n + 1)]
        self.e = False                          # whether something was unshifted

    def key(self) -> tuple:
        return *super().key(), self.e

    def moves(self) -> list[str]:
        return ["stay-left", "stay-right", "shift", "reduce", "swap", "unshift", "right-root"]

    def permits(self, move: str) -> bool:
        if move == "stay-right" and self._extra_root():
            return self._may(move) and not any(self._may(other) for other in self.moves() if other != "stay-right")
        return self._may(move)

    def is_repair(self, move: str) -> bool:
        return move == "unshift"

    def ancestors(self, word: int) -> list[int]:
        """Return the ancestors of the word, wherever they are."""
        above = []
        while word in self.head:
            word = self.head[word]
            above.append(word)
        return above

    def _extra_root(self) -> bool:
        """Return whether a transition would make a second root word in single-root mode."""
        return self.mode.single_root and self.stack == [0] and 0 in self.head.values()

    def _may(self, move: str) -> bool:
        i = self.stack[-1]
        if not self.buffer:
            rooted = self.stack == [0, i] and i not in self.head and 0 not in self.head.values()
            return i != 0 and {
                "reduce": i in self.head,
                "right-root": rooted,
                "unshift": i not in self.head and not rooted,
            }.get(move, False)
        j = self.buffer[0]
        if move == "stay-left":
            return i != 0 and i not in self.head and i not in self.ancestors(j)
        if move == "stay-right":
            return j not in self.head and j not in self.ancestors(i)
        if move == "shift":
            return not self.e or j in self.head
        if move == "reduce":
            return i != 0 and i in self.head
        return move == "swap" and 0 < i < j

    def make(self, move: str, label: str | None) -> None:
        i = self.stack[-1]
        if move == "stay-left":
            self._attach(i, self.buffer[0], label)
        elif move == "stay-right":
            head = next(word for word, above in self.head.items() if above == 0) if self._extra_root() else i
            self._attach(self.buffer[0], head, label)
        elif move == "shift":
            self.stack.append(self.buffer.pop(0))
        elif move == "reduce":
            self.stack.pop()
        elif move == "swap":
            self.buffer.insert(1, self.stack.pop())
        elif move == "unshift":
            self.buffer = [self.stack.pop()]
            self.e = True
        else:
            self._attach(self.stack.pop(), 0, label)


TWINS |= {"swap": Swap, "stay-eager": StayEager}


# Exhaustive losses.


def is_ascending(twin: Twin) -> bool:
    """Return whether the words that are left are in order."""
    words = twin.stack + twin.buffer
    return words == sorted(words)


@cache
def losses(mode: Mode, n: int) -> dict[tuple, np.ndarray]:
    """Return, by configuration and for every tree of the mode, the fewest wrong heads in any reachable tree."""
    gold, found = np.array(all_trees(n, mode.single_root), dtype=np.int8), {}
    add_losses(twin_of(mode, n), gold, found)
    return found


def add_losses(twin: Twin, gold: np.ndarray, found: dict[tuple, np.ndarray]) -> np.ndarray:
    """Return the losses of one configuration; compute those of all that follow."""
    key = twin.key()
    if key not in found:
        ends = [add_losses(twin.after(move), gold, found) for move in twin.valid()]
        found[key] = np.minimum.reduce(ends) if ends else (gold != np.array(twin.heads())).sum(axis=1).astype(np.int8)
    return found[key]


def random_way(mode: Mode, n: int, rng) -> list[Twin]:
    """Yield the configurations of a random derivation."""
    way = [twin_of(mode, n)]
    while not way[-1].is_final():
        way.append(way[-1].after(rng.choice(way[-1].valid())))
    return way


# Arc-standard with swaps and a gold tree.


def ranks(gold) -> dict[int, int]:
    """Return the rank of every word, and of 0, in projective order."""
    def walk(word: int) -> list[int]:
        below = [child for child, head in enumerate(gold, 1) if head == word]
        before = [node for child in below if child < word for node in walk(child)]
        return [*before, word, *(node for child in below if child > word for node in walk(child))]

    return {word: place for place, word in enumerate(walk(0))}


def gold_arc(twin: Twin, gold) -> str | None:
    """Rules 1 and 2: the gold arc between i and j if its dependent is complete."""
    if len(twin.stack) < 2:
        return None
    i, j = twin.stack[-2:]
    if i != 0 and gold[i - 1] == j and is_complete(twin, gold, i):
        return "left-arc"
    return "right-arc" if gold[j - 1] == i and is_complete(twin, gold, j) else None


def is_complete(twin: Twin, gold, word: int) -> bool:
    return all(twin.head.get(child) == word for child, head in enumerate(gold, 1) if head == word)


def components(gold) -> dict[int, int]:
    """Return the topmost word of every word's maximal projective component, which rules 1, 2 and 4 join."""
    twin = Swap(SWAP, len(gold))
    while move := gold_arc(twin, gold) or ("shift" if twin.buffer else None):
        twin.apply(move)

    def top(word: int) -> int:
        return top(twin.head[word]) if word in twin.head else word

    return {word: top(word) for word in range(1, len(gold) + 1)}


def is_to_swap(twin: Twin, gold, lazy: bool = True) -> bool:
    """Rule 3: j belongs before i; the lazy oracle waits while j and the next word are in one component."""
    if len(twin.stack) < 2 or twin.stack[-2] == 0:
        return False
    i, j = twin.stack[-2:]
    place = ranks(gold)
    if place[j] > place[i]:
        return False
    component = components(gold)
    return not lazy or not twin.buffer or component[j] != component[twin.buffer[0]]


def swap_static(twin: Twin, gold, lazy: bool = True) -> str:
    """The first rule that applies."""
    return gold_arc(twin, gold) or ("swap" if is_to_swap(twin, gold, lazy) else "shift")


def swap_lower(twin: Twin, gold) -> int:
    """Count wrong heads, and words that are left and whose gold head is gone."""
    left = {*twin.stack, *twin.buffer}
    return sum(head != gold[word - 1] for word, head in twin.head.items()) + sum(
        gold[word - 1] not in left for word in left if word
    )


def what_is_left(twin: Twin, gold) -> list[int]:
    """Return the tree to reach after mistakes: words that are gone keep their heads."""
    alive = {*twin.stack, *twin.buffer}
    tree = {word: twin.head.get(word, head if head in alive else None) for word, head in enumerate(gold, 1)}
    for word in sorted(word for word in tree if tree[word] is None):
        head = gold[word - 1]
        while head not in alive:
            head = twin.head[head]
        above = head
        while above not in (0, word, None):
            above = tree[above]
        tree[word] = 0 if above == word else head
    return [tree[word] for word in sorted(tree)]


def swap_reward(twin: Twin, gold) -> list[str]:
    """Return what training accepts: gold arcs without loss; else arcs without loss and rule 3; else the cheapest.

    Rule 3 is applied to what is left of the gold tree.
    """
    after = {move: twin.after(move) for move in twin.valid()}
    costs = {move: swap_lower(following, gold) - swap_lower(twin, gold) for move, following in after.items()}
    free = [move for move in ("left-arc", "right-arc") if costs.get(move) == 0]
    built = [
        move
        for move in free
        if any(gold[word - 1] == head for word, head in after[move].head.items() if word not in twin.head)
    ]
    if built:
        return built
    if "swap" in costs and is_to_swap(twin, what_is_left(twin, gold)):
        free.append("swap")
    elif "shift" in costs:
        free.append("shift")
    return sorted(free) or [move for move, cost in costs.items() if cost == min(costs.values())]


# Stay-eager and a gold tree.


def pending(twin: Twin, gold, a: int, b: int) -> bool:
    """Return whether there is a gold arc between two words, in either direction, that is not built yet."""
    return any(child and gold[child - 1] == head and twin.head.get(child) != head for child, head in ((a, b), (b, a)))


def stay_static(twin: Twin, gold) -> str:
    """The first rule that applies."""
    i = twin.stack[-1]
    done = i in twin.head and is_complete(twin, gold, i)
    if not twin.buffer:
        return "reduce" if done else "right-root"
    j = twin.buffer[0]
    if i != 0 and gold[i - 1] == j and i not in twin.head:
        return "stay-left"
    if gold[j - 1] == i and j not in twin.head:
        return "stay-right"
    if i != 0 and any(pending(twin, gold, i, b) for b in twin.buffer[1:]) and waits_below(twin, gold):
        return "swap"
    return "reduce" if done else "shift"


def waits_below(twin: Twin, gold) -> bool:
    """Return whether the front of the buffer has a pending arc with a word of the stack other than the top."""
    return any(pending(twin, gold, twin.buffer[0], s) for s in twin.stack[:-1])


def stay_choices(twin: Twin, gold) -> list[str]:
    """Return the static transition and the shift that may replace it: the partially non-static oracle."""
    move = stay_static(twin, gold)
    later = move == "reduce" and bool(twin.buffer) and not waits_below(twin, gold)
    root = move == "stay-right" and twin.stack[-1] == 0 and list(gold).count(0) == 1
    return sorted([move, "shift"]) if later or root else [move]


def reachable_arcs(twin: StayEager, gold) -> tuple[int, dict[int, int]]:
    """Return the gold arcs that are lost, and those that can each still be built (open), by dependent."""
    left, lost, open_arcs = {*twin.stack, *twin.buffer}, 0, {}
    for y, x in enumerate(gold, 1):
        if twin.head.get(y) == x:
            continue
        if y in twin.head or x not in left or y in twin.ancestors(x):
            lost += 1
        else:
            open_arcs[y] = x
    return lost, open_arcs


def open_cycles(twin: StayEager, open_arcs: dict[int, int]) -> list[list[int]]:
    """For each cycle of built and open arcs: the dependents of its open ones."""
    head = twin.head | open_arcs
    found: dict[frozenset[int], list[int]] = {}
    for word in head:
        path = [word]
        while path[-1] in head and head[path[-1]] not in path:
            path.append(head[path[-1]])
        if head.get(path[-1]) == word:
            found[frozenset(path)] = [node for node in path if node in open_arcs]
    return list(found.values())


def stay_lower(twin: StayEager, gold) -> int:
    lost, open_arcs = reachable_arcs(twin, gold)
    return lost + len(open_cycles(twin, open_arcs))


def agendas(twin: StayEager, gold) -> Iterator[dict[int, int]]:
    """R: the open arcs without one of every cycle.

    The definition leaves open which one, so all variants are returned.
    """
    _, open_arcs = reachable_arcs(twin, gold)
    for dropped in itertools.product(*open_cycles(twin, open_arcs)):
        yield {y: x for y, x in open_arcs.items() if y not in dropped}


def partners(agenda: dict[int, int], word: int) -> set[int]:
    return {x for y, x in agenda.items() if y == word} | {y for y, x in agenda.items() if x == word}


def stay_policy(twin: StayEager, agenda: dict[int, int]) -> str:
    """The first row that applies."""
    valid = twin.valid()
    if len(valid) == 1:
        return valid[0]
    i, j = twin.stack[-1], twin.buffer[0]
    below, behind = {*twin.stack[:-1]}, {*twin.buffer[1:]}
    mine, theirs = partners(agenda, i), partners(agenda, j)
    if agenda.get(i) == j and "stay-left" in valid:
        return "stay-left"
    if agenda.get(j) == i and "stay-right" in valid:
        return "stay-right"
    if "swap" in valid and mine & behind and theirs & below:
        return "swap"
    if "reduce" in valid and not mine:
        return "reduce"
    if "swap" in valid and (mine & below or any(y < j for y in mine & behind)):
        return "swap"
    first = ["swap", *["stay-left"] * (not mine), "reduce"] if theirs & below else []
    return next(move for move in [*first, "shift", "stay-right", "stay-left", "reduce", "swap"] if move in valid)


def stay_policies(twin: StayEager, gold) -> set[str]:
    """Return what the policy may choose; more than one transition only where a cycle must lose an arc."""
    return {stay_policy(twin, agenda) for agenda in agendas(twin, gold)}


def stay_reward(twin: StayEager, agenda: dict[int, int], gold) -> list[str]:
    """Return the set of accepted transitions."""
    valid = twin.valid()
    kept = {
        move
        for move in ("stay-left", "stay-right", "reduce")
        if move in valid and stay_lower(twin.after(move), gold) == stay_lower(twin, gold)
    }
    if "shift" in valid and not partners(agenda, twin.buffer[0]) & {*twin.stack}:
        kept.add("shift")
    return sorted(kept | {stay_policy(twin, agenda)})


def stay_rewards(twin: StayEager, gold) -> list[list[str]]:
    """Return all variants of it; more than one only where a cycle must lose an arc."""
    return [stay_reward(twin, agenda, gold) for agenda in agendas(twin, gold)]
