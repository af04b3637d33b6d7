"""The six systems of the arc-eager family once more: plain lists, written from the papers' tables, without a line of the library."""

from __future__ import annotations

ROOT_LAST = ("arc-eager", "arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld")
SINGLE_ROOT = ("arc-eager-tree", "arc-eager-unshift")


class Twin:
    """A configuration that knows its system: `heads[w]` is missing while word w is free."""

    def __init__(self, name: str, n: int) -> None:
        self.name = name
        self.n = n
        self.stack: list[int] = []
        self.buffer = [*range(1, n + 1), *([0] if name in ROOT_LAST else [])]
        self.head: dict[int, int] = {}
        self.label: dict[int, str | None] = {}
        self.was_shifted: set[int] = set()      # the bits S of Unshift
        self.was_empty = False                  # the flag e of the tree-constrained system

    def copy(self) -> Twin:
        other = Twin(self.name, self.n)
        other.stack, other.buffer = self.stack[:], self.buffer[:]
        other.head, other.label = dict(self.head), dict(self.label)
        other.was_shifted, other.was_empty = set(self.was_shifted), self.was_empty
        return other

    def key(self) -> tuple:
        """All that decides what can still happen."""
        bits = {"arc-eager-unshift": tuple(sorted(self.was_shifted)), "arc-eager-tree": self.was_empty}
        return tuple(self.stack), tuple(self.buffer), tuple(self.heads()), bits.get(self.name)

    def heads(self) -> list[int]:
        return [self.head.get(word, -1) for word in range(1, self.n + 1)]

    def labels(self) -> list[str | None]:
        return [self.label.get(word) for word in range(1, self.n + 1)]

    def is_final(self) -> bool:
        return not self.buffer and (self.stack == [0] if self.name in ROOT_LAST else len(self.stack) == 1)

    def valid(self) -> list[str]:
        return [] if self.is_final() else sorted(move for move in ("shift", "right-arc", "left-arc", "reduce", "unshift") if self.permits(move))

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

    def apply(self, move: str, label: str | None = None) -> Twin:
        assert move in self.valid(), (move, self.key())
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
        return self

    def _attach(self, child: int, head: int, label: str | None) -> None:
        self.head[child], self.label[child] = head, label
