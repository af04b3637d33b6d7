"""Make docs/systems/*.md, one page a system, from the definitions in the code and the texts in docs/systems_text.

    python docs/make_systems.py [FOLDER]

A line `{{name}}` in a text stands for the definition, the example, or the fragment `_name.md` beside it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gardenpath as gp

DOCS = Path(__file__).parent
TEXTS = DOCS / "systems_text"
NOTE = "<!-- Made by docs/make_systems.py from the code and docs/systems_text; change those and run it again. -->"


class Example(NamedTuple):
    """A sentence with its gold tree, and what to say of it."""

    source: str
    forms: list[str]      # word 0 is the root
    gold: list[int]
    labels: list[str]
    wrong: str            # the label of an arc that is not gold


FALL = Example(
    "The sentence is that of Honnibal, Goldberg and Johnson (2013)",
    ["ROOT", "I", "saw", "Jack", "and", "Jill", "fall"], [2, 0, 6, 3, 3, 2], ["nsubj", "root", "nsubj", "cc", "conj", "ccomp"], "obj",
)
EXACTLY = Example(
    "The sentence has crossing arcs, since *exactly* belongs to *What*",
    ["ROOT", "What", "happened", "here", "exactly", "?"], [2, 0, 2, 1, 2], ["nsubj", "root", "advmod", "advmod", "punct"], "advmod",
)
EXAMPLES = {"attardi": EXACTLY, "covington": EXACTLY, "swap": EXACTLY, "stay-eager": EXACTLY}      # by system, where it is not the common one

MOST_TREES = "projective, and most of the non-projective ones in treebanks"
PLAIN = ("shift", "no-arc")          # where arcs lie between pairs, these are made before an arc, if all are accepted

# By system: the mistakes of the second example, as number of the move and what is done instead, and what comes of them.
GARDEN_PATHS = {
    "arc-eager": ({4: "right-arc"}, "*Jack* is attached to *saw* too early. When *fall* comes there is no way back: the gold tree is lost at move 4."),
    "arc-eager-nml": ({4: "right-arc"}, "*Jack* is attached to *saw* too early. When *fall* comes, Left-Arc takes *Jack* away from *saw*."),
    "arc-eager-nmd": ({10: "shift"}, "*fall* is shifted instead of attached. Reduce attaches it to *saw*, the word below."),
    "arc-eager-nmld": (
        {4: "right-arc", 10: "shift"},
        "*Jack* is attached to *saw* too early, and *fall* is shifted instead of attached. Left-Arc repairs the one, Reduce the other.",
    ),
    "arc-eager-tree": ({10: "shift"}, "*fall* is shifted instead of attached. The buffer is empty, *fall* has no head: Unshift gives it a second chance."),
    "arc-eager-unshift": (
        {4: "right-arc", 10: "shift"},
        "*Jack* is attached to *saw* too early, and *fall* is shifted instead of attached. Left-Arc repairs the one, Unshift the other.",
    ),
    "arc-standard": (
        {6: "right-arc"},
        "*Jack* is attached to *saw* before it has its children, and leaves the stack. Its own gold head is lost, and so are those of *and* and *Jill*: three "
        "arcs.",
    ),
    "lr-spine": (
        {7: "right-arc:2"},
        "*Jack* is attached to *saw* too early. It stays on the right spine, where *and* and *Jill* still find it: one arc is lost, not three.",
    ),
    "attardi": (
        {3: "left-arc"},
        "*What* gets its gold head before *exactly* has come, and leaves the stack: *exactly* has lost its own. At move 7 it no longer matters what *exactly* "
        "hangs from, so right-arc and right-arc:2 both cost nothing.",
    ),
    "covington": (
        {7: "right-arc"},
        "*exactly* is attached to *happened*, one pair before *What* comes up. Heads are for good, so its gold arc is lost. At move 8 both words have a head, "
        "and a parser shifts unasked.",
    ),
    "covington-nm": (
        {4: "left-arc", 8: "right-arc"},
        "*saw* is attached to *Jack*, and *Jill* to *and*. One pair later *Jill* is taken back: *Jack* replaces *and*. *saw*, the root word, is set free "
        "when *fall* comes. *fall* takes *Jack*, and then *saw* takes *fall*: the arc closes a cycle, so *saw*, its head, loses its own. The loss is 0 "
        "throughout. The bound gives a root word up as soon as it has a head; it is 1 from the first mistake on and falls with the last repair, whence the "
        "training cost of -1.",
    ),
    "swap": (
        {5: "left-arc"},
        "*What* gets its gold head before *exactly* has come, and leaves the stack: *exactly* has lost its own. It no longer needs a swap, and may hang from "
        "anything.",
    ),
    "stay-eager": (
        {3: "shift"},
        "*happened* is shifted onto *What*, which it should have been swapped with. Nothing is lost: at move 7 it goes back behind *exactly*, *What* finds its "
        "dependent, and *happened*, which has got one of its own in the meantime, comes again.",
    ),
}


def main(folder: Path) -> None:
    """Write a page for every system."""
    folder.mkdir(exist_ok=True)
    for name in gp.systems.names():
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8", newline="\n")


def page(name: str) -> str:
    """The page of a system."""
    parts = {path.stem[1:]: path.read_text(encoding="utf-8").strip() for path in TEXTS.glob("_*.md")}
    parts |= {"definition": definition(name), "example": example(name)}
    text = (TEXTS / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^{{(\w+)}}$", lambda match: parts[match[1]], text)
    return f"{NOTE}\n\n# {name}\n\n{text}"


def definition(name: str) -> str:
    """The system as the code defines it."""
    system = gp.systems.get(name)
    title, _, moves = system.definition.partition("\n")
    rows = {
        "moves": ", ".join(f"`{move}`" for move in system.moves),
        "oracles": ", ".join(f"`{kind}`" for kind in gp.oracles.kinds(name)),
        "most moves for 10 and 20 words": f"{system.most_moves(10)} and {system.most_moves(20)}",
        "root words": "always one" if system.single_root else "one or more; always one in single-root mode" if system.has_root_mode else "one or more",
        "trees": "projective" if system.is_projective else "all" if system.has_pairs or system.reorders else MOST_TREES,
    }
    table = "\n".join(["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())])
    return f"{title}\n\n```text\n{moves.strip(chr(10))}\n```\n\n{table}"


def example(name: str) -> str:
    """Two traces of the same sentence: along the gold path, and after mistakes."""
    mistakes, story = GARDEN_PATHS[name]
    sentence = EXAMPLES.get(name, FALL)
    given = ", ".join(f"{i} {form}" for i, form in enumerate(sentence.forms[1:], 1))
    return "\n\n".join([
        f"{sentence.source}: {given}, with the gold heads {' '.join(map(str, sentence.gold))}. The moves are those of the "
        f"dynamic oracle; *accepted* are the moves that training learns from.{_how_to_read(name)}",
        trace(name, {}),
        f"**After a mistake.** {story}",
        trace(name, mistakes),
    ])


def _how_to_read(name: str) -> str:
    """What is particular about the tables of a system."""
    notes = []
    if gp.systems.get(name).has_depths:
        notes.append("Trees on the stack are shown with their spines: `I←saw→Jack` is the tree of *saw* with *I* on its left and *Jack* on its right spine.")
    if gp.systems.get(name).has_root_mode:
        notes.append("The system is in its mode with several roots.")
    if gp.systems.get(name).has_pairs:
        notes.append("Of these, Shift is made if it is among them, else No-Arc, else an arc.")
    if gp.systems.get(name).reorders:
        notes.append("Loss and costs are those of the bound.")
    if gp.oracles.bounds(name):
        notes.append("Loss and costs are exact; the training costs are those of the bound that training goes by.")
    return "".join(f" {note}" for note in notes)


def trace(name: str, mistakes: dict[int, str]) -> str:
    """The oracle's way to the end as a table, with the given mistakes on it."""
    lists = ("λ₁", "λ₂", "β") if gp.systems.get(name).has_pairs else ("stack", "buffer")
    columns = ("", *lists, "move", "arc", "loss", "costs", "training costs", "accepted")
    rows = list(_rows(name, EXAMPLES.get(name, FALL), mistakes))
    if all(row[-3] == row[-2] for row in rows):       # training goes by the exact costs, as in most systems
        columns, rows = (*columns[:-2], columns[-1]), [(*row[:-2], row[-1]) for row in rows]
    return "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *(f"| {' | '.join(row)} |" for row in rows)])


def _rows(name: str, sentence: Example, mistakes: dict[int, str]) -> Iterator[tuple[str, ...]]:
    oracle = gp.oracles.get(name)
    judge = gp.oracles.get(name, "exact") if gp.oracles.bounds(name) else oracle
    system, forms, gold = oracle.system, sentence.forms, sentence.gold
    c = system.initial(len(gold))
    number = 0
    while not system.is_final(c):
        number += 1
        accepted = oracle.training(c, gold)
        move = mistakes.get(number, next((move for move in PLAIN if move in accepted), accepted[0]) if system.has_pairs else accepted[0])
        arc = _arc(system, c, move)
        note = " (mistake)" if number in mistakes else " (repair)" if system.is_repair(c, move) else ""
        label = None if not arc else sentence.labels[arc[1] - 1] if gold[arc[1] - 1] == arc[0] else sentence.wrong
        yield (
            str(number), *_lists(system, c, forms), move.upper() + (f"({label})" if label else "") + note,
            f"{forms[arc[0]]} → {forms[arc[1]]}" if arc else "", str(judge.loss(c, gold)),
            _costs(judge.costs(c, gold)), _costs(oracle.training_costs(c, gold)), ", ".join(accepted),
        )
        system.apply(c, move, label)
    yield "", *_lists(system, c, forms), "", "", str(sum(built != right for built, right in zip(c.heads, gold, strict=True))), "", "", ""


def _arc(system: gp.systems.TransitionSystem, c: gp.systems.Configuration, move: str) -> tuple[int, int] | None:
    """Head and child of the arc that a move builds: the word whose head changes, but for the last words of a system without root token."""
    after = c.copy()
    system.apply(after, move)
    changed = [(new, word) for word, (old, new) in enumerate(zip(c.heads, after.heads, strict=True), 1) if new not in (old, -1)]
    return next(((head, word) for head, word in changed if head or not (system.single_root or system.has_pairs)), None)


def _costs(costs: dict[str, int]) -> str:
    return ", ".join(f"{move} {cost}" for move, cost in costs.items())


def _lists(system: gp.systems.TransitionSystem, c: gp.systems.Configuration, forms: list[str]) -> tuple[str, ...]:
    """Stack and buffer, or the lists of Covington's parser."""
    if system.has_pairs:
        return _words(c.lambda1, forms), _words(c.lambda2, forms), _words(c.buffer, forms)
    return _stack(system, c, forms), _words(c.buffer, forms)


def _stack(system: gp.systems.TransitionSystem, c: gp.systems.Configuration, forms: list[str]) -> str:
    """The words on the stack, or its trees with their spines where arcs reach down these."""
    if not system.has_depths:
        return _words(c.stack, forms)
    return " ".join("←".join(forms[word] for word in left[::-1]) + "".join(f"→{forms[word]}" for word in right[1:]) for left, right in c.spines)


def _words(numbers: list[int], forms: list[str]) -> str:
    return " ".join(forms[number] for number in numbers)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "systems")
