"""The words in slots and the marks of classes, computed slowly with the public interface of systems and oracles."""

from __future__ import annotations

from twins import ROOT_LAST

INVALID, VALID, ACCEPTED = range(3)
LEFT, RIGHT = ("left-arc", "left-arc:2", "stay-left"), ("right-arc", "right-arc:2", "stay-right")
FROM_ROOT = ("left-arc", "right-arc", "right-arc:2", "stay-right")
LABELLED = (*LEFT, *RIGHT, "right-root", "root")


class SlowWalk:
    """Reads one configuration after the other."""

    def __init__(self, system, oracle, classes):
        self.system, self.oracle, self.classes = system, oracle, classes
        self.is_spine = system.name == "lr-spine"
        self.groups = self._groups()

    def _groups(self):
        """Return the number of the first class and the labels of each group: transitions in order, root arcs last."""
        left, right, root = (sorted(self.classes.inventories[kind]) for kind in ("left", "right", "root"))
        left, right = left or right or root, right or left or root
        if self.system.reorders:
            left = right = sorted({*left, *right})
        groups, first = {}, 0
        for group in (*(move.removesuffix(":k") for move in self.system.moves), "root"):
            labels = left if group in LEFT else right if group in RIGHT else root if group == "root" else [None]
            if group == "right-root":
                labels = self.classes.inventories["root"][:1]
            if group == "unshift":
                labels = []
            groups[group] = (first, labels)
            first += len(labels)
        assert first == self.classes.size
        return groups

    def group(self, c, move):
        kind = move.partition(":")[0] if self.is_spine else move
        if kind == "unshift":
            return self.groups["reduce"]
        arc = self.system.arc(c, move)
        return self.groups["root" if kind in FROM_ROOT and arc and arc[0] == 0 else kind]

    def is_forced(self, c):
        """Return whether no score is needed: one class is valid, or no pair that is left can get an arc."""
        valid = self.system.valid(c)
        if len(valid) == 1:
            return len(self.group(c, valid[0])[1]) == 1
        if self.system.name != "covington":
            return False
        after = c.copy()
        while "no-arc" in self.system.valid(after):
            if {"left-arc", "right-arc"} & {*self.system.valid(after)}:
                return False
            self.system.apply(after, "no-arc")
        return True

    def is_deep(self, move):
        return self.is_spine and move != "shift" and not move.endswith(":1")

    def rows(self, c, heads, labels):
        """Return the rows of a decision: words and labels by slot, and marks by class."""
        marks = {move: self.marks(c, move, heads, labels) for move in self.system.valid(c)}
        first = self.combined(marks[move] for move in marks if not self.is_deep(move))
        rows = [(*self.slots(c, None), first)]
        return rows + [(*self.slots(c, move), marks[move]) for move in marks if self.is_deep(move)]

    def combined(self, marks):
        return [max(each) for each in zip([INVALID] * self.classes.size, *marks, strict=True)]

    def marks(self, c, move, heads, labels):
        """Return the marks of the classes of a valid transition."""
        first, own = self.group(c, move)
        arc = self.system.arc(c, move)
        wanted = None
        if arc and (heads[arc[1] - 1] == arc[0] or labels[arc[1] - 1] in own):
            wanted = labels[arc[1] - 1]
        marks = [INVALID] * self.classes.size
        accepted = move in self.oracle.training(c, heads)
        for number, label in enumerate(own, first):
            marks[number] = ACCEPTED if accepted and (wanted is None or label in (None, wanted)) else VALID
        return marks

    def slots(self, c, move):
        """Return words (None: missing, 0: the root) and labels (None: no arc) by slot."""
        words = [self.word(c, move, address) for address in self.system.slots]
        return words, [c.labels[word - 1] if word and c.heads[word - 1] != -1 else None for word in words]

    def word(self, c, move, address):
        if address in ("CL", "CR"):
            return self.between(c, address)
        lists = self.bases(c, move)
        base = lists[address[0]]
        word = base[int(address[1])] if int(address[1]) < len(base) else None
        for step in address[2:]:
            word = self.step(c, word, step)
        return word

    def bases(self, c, move):
        """Return the words that the bases S, N and A count, for a deep transition or for all others."""
        stack, buffer, above = c.stack[::-1], c.buffer, []
        if move is not None:
            head, _ = self.system.arc(c, move)
            root = stack[0] if move.startswith("left") else stack[1]
            word = head
            while word != root:
                word = c.heads[word - 1]
                above.append(word)
            if move.startswith("left"):
                stack, buffer = [head, *stack[1:]], [*above, *buffer]
            else:
                stack = [stack[0], head, *above, *stack[2:]]
        return {"S": stack, "N": buffer, "A": above}

    def step(self, c, word, step):
        if word is None:
            return None
        if step == "h":
            head = c.heads[word - 1] if word else -1
            return None if head == -1 else head
        place = len(c) + 1 if word == 0 and self.system.name in ROOT_LAST else word
        children = [child for child in c.children(word) if (child < place) == (step == "l")]
        return (min if step == "l" else max)(children, default=None)

    def between(self, c, address):
        if not c.lambda1 or not c.buffer:
            return None
        i, j = c.lambda1[-1], c.buffer[0]
        outside = [word for word in range(i + 1, j) if not i <= c.heads[word - 1] <= j]
        return (outside[0] if address == "CL" else outside[-1]) if outside else None
