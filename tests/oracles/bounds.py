"""The bounds of Covington's parser by their definitions: unreachable gold arcs, cycles of the others, and the loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Arc = tuple[int, int]       # head, dependent


KINDS = ("lower-strict", "lower", "pc-upper", "upper")


class Place(NamedTuple):
    """What matters in a configuration: the pair, and the heads, -1 for none. Word 0 is in no list."""

    i: int
    j: int
    heads: tuple[int, ...]

    @property
    def arcs(self) -> set[Arc]:
        return {(head, word) for word, head in enumerate(self.heads, 1) if head > 0}

    @classmethod
    def of(cls, c) -> Place:
        """Return the place of a configuration or of its twin."""
        heads = c.heads() if callable(c.heads) else c.heads
        return cls(len(c.stack), c.buffer[0] if c.buffer else len(heads) + 1, tuple(heads))

    def has(self, head: int, word: int) -> bool:
        """Return whether the arc is there. A word without a head counts as attached to the root."""
        return max(self.heads[word - 1], 0) == head

    def too_late(self, x: int, y: int) -> bool:
        """Return whether the pair is in the past."""
        return self.j > max(x, y) or (self.j == max(x, y) and self.i < min(x, y))

    def never_in_focus(self, word: int) -> bool:
        """Return whether all pairs with this word are in the past."""
        n = len(self.heads)
        return self.j > n or (self.j == n and (self.i < word < n or (word == n and self.i == 0)))


def gold_arcs(gold) -> list[Arc]:
    return [(head, word) for word, head in enumerate(gold, 1)]


def connected(arcs, x: int, y: int) -> bool:
    """Return whether two words are connected, in whichever direction the arcs point."""
    piece, grown = {x}, True
    while grown:
        around = {word for arc in arcs if piece & set(arc) for word in arc}
        grown = not around <= piece
        piece |= around
    return y in piece


def elementary_cycles(arcs) -> Iterator[list[Arc]]:
    """Yield each elementary cycle once, starting at its first word."""
    following: dict[int, list[int]] = {}
    for x, y in sorted(arcs):
        following.setdefault(x, []).append(y)

    def extend(path: list[int]) -> Iterator[list[Arc]]:
        for word in following.get(path[-1], []):
            if word == path[0]:
                yield list(zip(path, [*path[1:], word], strict=True))
            elif word > path[0] and word not in path:
                yield from extend([*path, word])

    for first in following:
        yield from extend([first])


def within_reach(gold, lost: list[Arc]) -> set[Arc]:
    return {arc for arc in gold_arcs(gold) if arc not in lost and arc[0] > 0}


def monotonic_loss(place: Place, gold) -> int:
    def is_lost(x: int, y: int) -> bool:
        return x == 0 or place.heads[y - 1] != -1 or place.too_late(x, y) or connected(place.arcs, x, y)

    lost = [arc for arc in gold_arcs(gold) if not place.has(*arc) and is_lost(*arc)]
    return len(lost) + sum(1 for _ in elementary_cycles(place.arcs | within_reach(gold, lost)))


def out_of_reach(place: Place, gold, root: str = "at once") -> list[Arc]:
    """Return the gold arcs that the non-monotonic system can no longer build.

    The rules differ for root words with a head.
    """
    def is_lost(x: int, y: int) -> bool:
        if x > 0:
            return place.too_late(x, y)
        return {"at once": True, "printed": place.j > y, "strict": place.never_in_focus(y)}[root]

    return [arc for arc in gold_arcs(gold) if not place.has(*arc) and is_lost(*arc)]


def is_problematic(cycle: list[Arc], place: Place, gold) -> bool:
    """Return whether building the last arc of the cycle removes a gold arc: the one into its head."""
    x, _ = min((arc for arc in cycle if arc not in place.arcs), key=lambda arc: (-max(arc), min(arc)))
    return any(arc in gold_arcs(gold) for arc in cycle if arc[1] == x)


def bounds(place: Place, gold, root: str = "at once") -> dict[str, int]:
    """Return the bounds of the loss by kind. Only the strict one is certainly not above the loss."""
    lost = out_of_reach(place, gold, root)
    cycles = list(elementary_cycles(place.arcs | within_reach(gold, lost)))
    return {
        "lower": len(lost),
        "pc-upper": len(lost) + sum(is_problematic(cycle, place, gold) for cycle in cycles),
        "upper": len(lost) + len(cycles),
        "lower-strict": len(out_of_reach(place, gold, "strict")),
    }


def looking_ahead(twin, gold, steps: int) -> int:
    """Return the least upper bound that this number of transitions, or fewer to the end, can reach."""
    if steps == 0 or twin.is_final():
        return bounds(Place.of(twin), gold)["pc-upper"]
    return min(looking_ahead(twin.after(move), gold, steps - 1) for move in twin.valid())


def searched(twin, gold, found: dict) -> int:
    """Return the fewest wrong heads in any tree that can still be reached. Results are cached for the same tree."""
    if twin.key() not in found:
        if twin.is_final():
            found[twin.key()] = sum(a != b for a, b in zip(twin.heads(), gold, strict=True))
        else:
            found[twin.key()] = min(searched(twin.after(move), gold, found) for move in twin.valid())
    return found[twin.key()]
