"""Reference implementations of the systems (twins): plain lists, written from the papers, without library code."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

ROOT_LAST = ("arc-eager", "arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld")
SINGLE_ROOT = ("arc-eager-tree", "arc-eager-unshift")
ROOT_FIRST = ("arc-standard", "lr-spine", "attardi")        # heads never change; single-root mode
REORDERING = ("swap", "stay-eager")                        # words change places; single-root mode
COVINGTON = ("covington", "covington-nm")                   # no root token, no single-root mode


@dataclass(frozen=True)
class Mode:
    """A system in one of its root modes, and what is known of it."""

    name: str
    single_root: bool = False       # the mode; systems without a choice are in SINGLE_ROOT

    def __str__(self) -> str:
        return self.name + "+single-root" * self.single_root

    @property
    def one_root(self) -> bool:
        return self.single_root or self.name in SINGLE_ROOT

    @property
    def projective(self) -> bool:
        return self.name not in ("attardi", *COVINGTON, *REORDERING)

    @property
    def exact(self) -> bool:
        """Return whether the costs of the dynamic oracle are exact.

        Those of covington-nm and of systems that reorder are bounds.
        """
        return self.name not in ("covington-nm", *REORDERING)

    def lengths(self, n: int) -> tuple[int, int]:
        """Return the least and the greatest number of transitions for n words."""
        if self.name in SINGLE_ROOT:
            return 2 * n - 1, 4 * n - 3
        if self.name in COVINGTON:
            return n, n + n * (n - 1) // 2
        if self.name in REORDERING:
            return (2 * n, n * n + n) if self.name == "swap" else (3 * n - 1, n * n + 4 * n)
        return (2 * n, 2 * n) if self.name == "attardi" else (2 * n + 1, 2 * n + 1)


MODES = [
    *map(Mode, ROOT_LAST + SINGLE_ROOT),
    *(Mode(name, one) for name in ROOT_FIRST for one in (False, True)),
    *map(Mode, COVINGTON),
]


class Twin:
    """A configuration with the rules of its system. `head[w]` is missing while word w is free."""

    stack: list[int]
    buffer: list[int]

    def __init__(self, mode: Mode, n: int) -> None:
        self.mode = mode
        self.name = mode.name
        self.n = n
        self.head: dict[int, int] = {}
        self.label: dict[int, str | None] = {}

    def after(self, move: str) -> Twin:
        """Return the configuration after a transition; this one does not change."""
        other = copy(self)
        vars(other).update(
            {name: copy(value) for name, value in vars(self).items() if isinstance(value, list | dict | set)}
        )
        return other.apply(move)

    def key(self) -> tuple:
        """Return all that decides which transitions can follow, and the heads."""
        return tuple(self.stack), tuple(self.buffer), tuple(self.heads())

    def rest(self) -> tuple:
        """Return all that decides which transitions can follow, in systems that never change heads."""
        return tuple(self.stack), tuple(self.buffer)

    def heads(self) -> list[int]:
        return [self.head.get(word, -1) for word in range(1, self.n + 1)]

    def labels(self) -> list[str | None]:
        return [self.label.get(word) for word in range(1, self.n + 1)]

    def is_final(self) -> bool:
        return not self.buffer and self.stack == [0]

    def valid(self) -> list[str]:
        return [] if self.is_final() else sorted(move for move in self.moves() if self.permits(move))

    def moves(self) -> list[str]:
        raise NotImplementedError

    def permits(self, move: str) -> bool:
        raise NotImplementedError

    def is_repair(self, move: str) -> bool:
        return False

    def apply(self, move: str, label: str | None = None) -> Twin:
        assert move in self.valid(), (move, self.key())
        self.make(move, label)
        return self

    def make(self, move: str, label: str | None) -> None:
        raise NotImplementedError

    def _attach(self, child: int, head: int, label: str | None) -> None:
        self.head[child], self.label[child] = head, label


class ArcEager(Twin):
    """The six systems of the arc-eager family."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.stack = []
        self.buffer = [*range(1, n + 1), *([0] if self.name in ROOT_LAST else [])]
        self.was_shifted: set[int] = set()      # the bits S of Unshift
        self.was_empty = False                  # the flag e of the tree-constrained system

    def key(self) -> tuple:
        bits = {"arc-eager-unshift": tuple(sorted(self.was_shifted)), "arc-eager-tree": self.was_empty}
        return *super().key(), bits.get(self.name)

    def is_final(self) -> bool:
        return super().is_final() if self.name in ROOT_LAST else not self.buffer and len(self.stack) == 1

    def moves(self) -> list[str]:
        return ["shift", "right-arc", "left-arc", "reduce", "unshift"]

    def permits(self, move: str) -> bool:
        s = self.stack[-1] if self.stack else None
        b = self.buffer[0] if self.buffer else None
        free = s is not None and s not in self.head
        if move == "shift":
            if b is None:
                return False
            if self.name == "arc-eager-tree":
                return not self.was_empty or s is None
            if self.name == "arc-eager-unshift":
                return b not in self.was_shifted or s is None
            return b != 0 or s is None
        if s is None:
            return False
        if move == "right-arc":
            return b is not None and b != 0
        if move == "left-arc":
            return b is not None and (free or self.name in ("arc-eager-nml", "arc-eager-nmld", "arc-eager-unshift"))
        if move == "reduce":
            return not free or (self.name in ("arc-eager-nmd", "arc-eager-nmld") and len(self.stack) >= 2)
        if self.name == "arc-eager-tree":
            return b is None and free and len(self.stack) >= 2
        return self.name == "arc-eager-unshift" and free and len(self.stack) >= 2

    def is_repair(self, move: str) -> bool:
        taken = bool(self.stack) and self.stack[-1] in self.head
        return move == "unshift" or (move == "left-arc" and taken) or (move == "reduce" and not taken)

    def make(self, move: str, label: str | None) -> None:
        if move == "shift":
            self.was_shifted.add(self.buffer[0])
            self.stack.append(self.buffer.pop(0))
        elif move == "right-arc":
            self._attach(self.buffer[0], self.stack[-1], label)
            self.stack.append(self.buffer.pop(0))
        elif move == "left-arc":
            self._attach(self.stack.pop(), self.buffer[0], label)
        elif move == "reduce":
            s = self.stack.pop()
            if s not in self.head:
                self._attach(s, self.stack[-1], label)
        else:
            self.buffer.insert(0, self.stack.pop())
        if move in ("shift", "right-arc") and not self.buffer:
            self.was_empty = True
        if self.name in SINGLE_ROOT and self.is_final():
            self._attach(self.stack[0], 0, None)


class ArcStandard(Twin):
    """Nivre 2004: sigma|i|j, and an arc between i and j."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.stack, self.buffer = [], [*range(n + 1)]

    def moves(self) -> list[str]:
        return ["shift", "left-arc", "right-arc"]

    def permits(self, move: str) -> bool:
        if move == "shift":
            return self.buffer != []
        if len(self.stack) < 2:
            return False
        i = self.stack[-2]
        if move == "left-arc":
            return i != 0
        return not (self.mode.single_root and i == 0 and self.buffer != [])

    def make(self, move: str, label: str | None) -> None:
        if move == "shift":
            self.stack.append(self.buffer.pop(0))
            return
        i, j = self.stack[-2:]
        if move == "left-arc":
            self._attach(i, j, label)
            self.stack.remove(i)
        else:
            self._attach(j, i, label)
            self.stack.remove(j)


class Attardi(ArcStandard):
    """Attardi 2006, restricted: arc-standard from [0], and sigma|i|j|k with an arc between i and k."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.stack, self.buffer = [0], [*range(1, n + 1)]

    def moves(self) -> list[str]:
        return [*super().moves(), "left-arc:2", "right-arc:2"]

    def permits(self, move: str) -> bool:
        if not move.endswith(":2"):
            return super().permits(move)
        if len(self.stack) < 3:
            return False
        i = self.stack[-3]
        return i != 0 or (move == "right-arc:2" and not self.mode.single_root)

    def make(self, move: str, label: str | None) -> None:
        if not move.endswith(":2"):
            super().make(move, label)
            return
        i, _, k = self.stack[-3:]
        if move == "left-arc:2":
            self._attach(i, k, label)
            self.stack.remove(i)
        else:
            self._attach(k, i, label)
            self.stack.remove(k)


class LRSpine(Twin):
    """Sartorio, Satta and Nivre 2013: a stack of trees, each with its left and its right spine from the root."""

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.spines: list[list[list[int]]] = []
        self.buffer = [*range(n + 1)]

    @property
    def stack(self) -> list[int]:
        return [left[0] for left, _ in self.spines]

    def rest(self) -> tuple:
        return tuple((tuple(left), tuple(right)) for left, right in self.spines), tuple(self.buffer)

    def moves(self) -> list[str]:
        if len(self.spines) < 2:
            return ["shift"]
        (_, right), (left, _) = self.spines[-2:]
        return [
            "shift",
            *(f"left-arc:{k}" for k in range(1, len(left) + 1)),
            *(f"right-arc:{k}" for k in range(1, len(right) + 1)),
        ]

    def permits(self, move: str) -> bool:
        if move == "shift":
            return self.buffer != []
        left, right = self.spines[-2]
        if move.startswith("left-arc"):
            return left[0] != 0
        k = int(move.split(":")[1])
        return not (self.mode.single_root and right[k - 1] == 0 and (self.buffer != [] or len(right) != 1))

    def make(self, move: str, label: str | None) -> None:
        if move == "shift":
            word = self.buffer.pop(0)
            self.spines.append([[word], [word]])
            return
        (left2, right2), (left1, right1) = self.spines[-2:]
        k = int(move.split(":")[1])
        if move.startswith("left-arc"):
            self._attach(left2[0], left1[k - 1], label)
            self.spines[-2:] = [[left1[:k] + left2, right1]]
        else:
            self._attach(left1[0], right2[k - 1], label)
            self.spines[-2:] = [[left2, right2[:k] + right1]]


def spines(root: int, head: dict[int, int]) -> list[list[int]]:
    """Return the spines of a tree: the root, its outermost dependent, that word's outermost dependent, and so on."""
    left, right = [root], [root]
    while before := [child for child in head if head[child] == left[-1] and child < left[-1]]:
        left.append(min(before))
    while behind := [child for child in head if head[child] == right[-1] and child > right[-1]]:
        right.append(max(behind))
    return [left, right]


class Covington(Twin):
    """Covington 2001 as in Nivre 2008: every pair of words i < j is visited once, or skipped.

    The state is i, j and heads.
    """

    def __init__(self, mode: Mode, n: int) -> None:
        super().__init__(mode, n)
        self.i, self.j = 0, 1

    @property
    def lambda1(self) -> list[int]:
        return [*range(1, self.i + 1)]

    @property
    def lambda2(self) -> list[int]:
        return [*range(self.i + 1, self.j)]

    @property
    def stack(self) -> list[int]:
        return self.lambda1

    @property
    def buffer(self) -> list[int]:
        return [*range(self.j, self.n + 1)]

    def is_final(self) -> bool:
        return self.j == self.n + 1

    def moves(self) -> list[str]:
        return ["shift", "no-arc", "left-arc", "right-arc"]

    def permits(self, move: str) -> bool:
        if move == "shift":
            return True
        if self.i == 0:
            return False
        if move == "no-arc" or self.name == "covington-nm":
            return True
        head, child = self.pair(move)
        return child not in self.head and child not in self.path(head)

    def pair(self, move: str) -> tuple[int, int]:
        """Return the head and the dependent of the arc that a transition builds."""
        return (self.j, self.i) if move == "left-arc" else (self.i, self.j)

    def path(self, word: int) -> list[int]:
        """Return the word and its ancestors."""
        return [word, *(self.path(self.head[word]) if word in self.head else [])]

    def is_repair(self, move: str) -> bool:
        """Return whether the monotonic system excludes it: the dependent has a head, or there would be a cycle."""
        if move not in ("left-arc", "right-arc"):
            return False
        head, child = self.pair(move)
        return child in self.head or child in self.path(head)

    def make(self, move: str, label: str | None) -> None:
        if move == "shift":
            self.i, self.j = self.j, self.j + 1
        else:
            if move != "no-arc":
                head, child = self.pair(move)
                if child in self.path(head):        # a cycle; the new head loses its own
                    del self.head[head], self.label[head]
                self._attach(child, head, label)
            self.i -= 1
        if self.is_final():
            for word in range(1, self.n + 1):
                self.head.setdefault(word, 0)


TWINS: dict[str, type[Twin]] = {
    "arc-standard": ArcStandard,
    "lr-spine": LRSpine,
    "attardi": Attardi,
    "covington": Covington,
    "covington-nm": Covington,
}


def twin_of(mode: Mode, n: int) -> Twin:
    """Return the twin's initial configuration over n words."""
    return TWINS.get(mode.name, ArcEager)(mode, n)
