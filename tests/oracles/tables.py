"""The tables of the papers, term by term, on plain lists: monotonic costs, non-monotonic additions, and preferences."""

from __future__ import annotations

from twins import COVINGTON, Mode, spines


class View:
    """A configuration with its gold tree, in the papers' terms: s, s1, b, free, taken, gold head g."""

    def __init__(self, c, gold) -> None:
        self.stack, self.buffer = c.stack, c.buffer
        self.head = {0: -1, **dict(enumerate(c.heads, 1))}
        self.gold = {0: None, **dict(enumerate(gold, 1))}
        self.s = self.stack[-1] if self.stack else None
        self.s1 = self.stack[-2] if len(self.stack) > 1 else None
        self.b = self.buffer[0] if self.buffer else None
        self.behind = self.buffer[1:]                                   # the buffer without b
        self.below = self.stack[:-1]                                    # the stack without s
        self.free = [word for word in self.stack if self.head[word] == -1]
        self.taken = [word for word in self.stack if self.head[word] != -1]

    def g(self, word):
        return self.gold.get(word)

    def dep(self, head, words) -> int:
        return sum(self.gold[word] == head for word in words)


def published_cost(view: View, move: str, nml: bool, nmd: bool) -> int:
    """Goldberg and Nivre 2012, Honnibal et al. 2013: monotonic costs and terms for repairs, one corrected."""
    v, s, b = view, view.s, view.b
    free = s in v.free
    if move == "shift":
        return 0 if b == 0 else sum((
            v.g(b) in v.stack, v.dep(b, v.free),
            nml and v.dep(b, v.taken),
            -(nmd and s is not None and v.g(b) == s),
        ))
    if move == "right-arc":
        return sum((
            v.g(b) in v.below, v.g(b) in v.behind, v.dep(b, v.free),
            nml and v.dep(b, v.taken) - (v.g(b) in v.behind),
        ))
    if move == "left-arc":
        return sum((
            free and v.g(s) in v.behind, v.dep(s, v.buffer),
            nml and not free and v.head[s] == v.g(s),
            nml and not free and v.head[s] != v.g(s) and v.g(s) in v.behind,
            nmd and free and v.s1 is not None and v.g(s) == v.s1,
        ))
    return sum((
        v.dep(s, v.buffer),
        nml and v.g(s) in v.buffer,
        nmd and not nml and free and v.g(s) in v.buffer,
    ))


def unshift_cost(view: View, move: str) -> int:
    """Honnibal and Johnson 2015, with the terms that the text leaves out."""
    v, s, b = view, view.s, view.b
    if move in ("shift", "unshift"):
        return 0
    if move == "right-arc":
        return (v.g(b) in v.below) + (v.g(b) == 0) + v.dep(b, v.stack)
    if move == "reduce":
        return (v.g(s) in v.buffer) + v.dep(s, v.buffer)
    lost = (v.g(s) in v.behind) + v.dep(s, v.buffer)
    if s in v.free:
        return lost + (v.g(s) in v.stack) + (v.g(s) == 0) + v.dep(s, v.stack)
    return lost + (v.head[s] == v.g(s))


def tree_cost(view: View, move: str) -> int:
    """The monotonic cost with a virtual root token at the end of the buffer."""
    if move == "unshift":
        return 0
    view.behind = [*view.behind, 0]
    cost = published_cost(view, move, nml=False, nmd=False)
    view.behind = view.behind[:-1]
    return cost


def repair_last(view: View, optimal: list[str]) -> list[str]:
    """The preference of NM-L, NM-D and NM-L+D."""
    v, s, b = view, view.s, view.b
    dropped = {
        "shift": s is not None and v.g(b) == s,
        "right-arc": v.g(b) in v.behind,
        "left-arc": s in v.taken and v.g(s) != b,
        "reduce": s in v.free and v.g(s) != v.s1,
    }
    return [move for move in optimal if not dropped[move]]


def unshift_preference(view: View, optimal: list[str]) -> list[str]:
    """The preference of Unshift; all optimal transitions if it leaves none."""
    v, s, b = view, view.s, view.b
    dropped = {
        "shift": b is not None and (v.g(b) in v.stack or any(v.g(x) == b for x in v.free)),
        "right-arc": v.g(b) in v.behind,
        "left-arc": s in v.taken and v.g(s) != b,
        "reduce": False,
        "unshift": v.g(s) not in v.stack and not any(v.g(x) == s for x in v.free),
    }
    return [move for move in optimal if not dropped[move]] or optimal


def arc_eager_static(view: View) -> str:
    """The first rule that applies."""
    v, s, b = view, view.s, view.b
    if b is None:
        return "reduce"
    if s in v.free and v.g(s) == b:
        return "left-arc"
    if s is not None and b != 0 and v.g(b) == s:
        return "right-arc"
    if s in v.taken and any(v.g(b) == k or v.g(k) == b for k in v.below):
        return "reduce"
    return "shift"


def arc_standard_static(view: View) -> str:
    """Arcs as soon as possible; i is s1, j is s. Word 0 has no gold head, so it is never i of a left-arc."""
    v, i, j = view, view.s1, view.s
    if i is not None and v.g(i) == j:
        return "left-arc"
    if i is not None and v.g(j) == i and v.dep(j, v.buffer) == 0:
        return "right-arc"
    return "shift"


def arc_standard_correct(view: View) -> list[str]:
    """Sartorio, Satta and Nivre 2013: the transitions after which the gold tree can still be reached."""
    first = arc_standard_static(view)
    return ["left-arc", "shift"] if first == "left-arc" and view.dep(view.s, view.buffer) > 0 else [first]


def lr_spine_gold_arcs(view: View, single_root: bool) -> list[str]:
    """The transitions that build a gold arc, from a node on an inner spine to the root of the other tree."""
    v = view
    if v.s1 is None:
        return []
    left, right = spines(v.s, v.head)[0], spines(v.s1, v.head)[1]
    arcs = [f"left-arc:{k}" for k, head in enumerate(left, 1) if v.g(v.s1) == head]
    return arcs + [
        f"right-arc:{k}"
        for k, head in enumerate(right, 1)
        if v.g(v.s) == head and not (single_root and head == 0 and v.buffer)
    ]


def lr_spine_correct(view: View, single_root: bool) -> list[str]:
    """Sartorio, Satta and Nivre 2013: gold arcs, and shift while the top has gold arcs to the buffer."""
    v = view
    waits = v.s1 is None or v.g(v.s) in v.buffer or any(v.dep(node, v.buffer) for node in spines(v.s, v.head)[1])
    return lr_spine_gold_arcs(view, single_root) + ["shift"] * bool(v.buffer and waits)


def attardi_static(view: View) -> str | None:
    """Arcs as soon as possible, the nearer ones first; None if the gold tree is unreachable."""
    v = view
    third, second, top = ([None] * 3 + v.stack)[-3:]
    for move, head, child in (
        ("left-arc", top, second),
        ("right-arc", second, top),
        ("left-arc:2", top, third),
        ("right-arc:2", third, top),
    ):
        if (
            child
            and head is not None
            and v.g(child) == head
            and all(v.head[word] == child for word, g in v.gold.items() if g == child)
        ):
            return move
    return "shift" if v.buffer else None


def covington_static(view: View) -> str:
    """For the pair i (last word of lambda1) and j (front): its gold arc, else no-arc while j has gold arcs before i."""
    v, i, j = view, view.s, view.b
    if i is not None and v.g(i) == j:
        return "left-arc"
    if i is not None and v.g(j) == i:
        return "right-arc"
    return "no-arc" if any(v.g(j) == k or v.g(k) == j for k in v.below) else "shift"


def correct_moves(mode: Mode, view: View) -> list[str] | None:
    """Return what the published partial oracle accepts on gold paths; None if none is published."""
    if mode.name == "lr-spine":
        return lr_spine_correct(view, mode.single_root)
    return arc_standard_correct(view) if mode.name == "arc-standard" else None


def static_move(mode: Mode, view: View) -> str | None:
    """Return the transition of the static oracle."""
    if mode.name == "lr-spine":
        return (lr_spine_gold_arcs(view, mode.single_root) or ["shift"])[0]
    if mode.name in COVINGTON:
        return covington_static(view)
    return {"arc-standard": arc_standard_static, "attardi": attardi_static}.get(mode.name, arc_eager_static)(view)
