"""Make docs/systems/*.md, one page a system, from the definitions in the code and the texts in docs/systems_text.

    python docs/make_systems.py [FOLDER]

A line `{{name}}` in a text stands for the definition, the example, or the fragment `_name.md` beside it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import gardenpath as gp

DOCS = Path(__file__).parent
TEXTS = DOCS / "systems_text"
NOTE = "<!-- Made by docs/make_systems.py from the code and docs/systems_text; change those and run it again. -->"

FORMS = ["ROOT", "I", "saw", "Jack", "and", "Jill", "fall"]
GOLD = [2, 0, 6, 3, 3, 2]
LABELS = ["nsubj", "root", "nsubj", "cc", "conj", "ccomp"]
WRONG = "obj"      # the label of an arc that is not gold

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
        "root words": "always one" if system.single_root else "one or more",
        "trees": "projective",
    }
    table = "\n".join(["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())])
    return f"{title}\n\n```text\n{moves.strip(chr(10))}\n```\n\n{table}"


def example(name: str) -> str:
    """Two traces of the same sentence: along the gold path, and after mistakes."""
    mistakes, story = GARDEN_PATHS[name]
    given = ", ".join(f"{i} {form}" for i, form in enumerate(FORMS[1:], 1))
    return "\n\n".join([
        f"The sentence is that of Honnibal, Goldberg and Johnson (2013): {given}, with the gold heads {' '.join(map(str, GOLD))}. The moves are those of the "
        "dynamic oracle; *accepted* are the moves that training learns from.",
        trace(name, {}),
        f"**After a mistake.** {story}",
        trace(name, mistakes),
    ])


def trace(name: str, mistakes: dict[int, str]) -> str:
    """The oracle's way to the end as a table, with the given mistakes on it."""
    columns = ("", "stack", "buffer", "move", "arc", "loss", "costs", "training costs", "accepted")
    rows = list(_rows(name, mistakes))
    if all(row[-3] == row[-2] for row in rows):       # training goes by the exact costs, as in most systems
        columns, rows = (*columns[:-2], columns[-1]), [(*row[:-2], row[-1]) for row in rows]
    return "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *(f"| {' | '.join(row)} |" for row in rows)])


def _rows(name: str, mistakes: dict[int, str]) -> Iterator[tuple[str, ...]]:
    oracle = gp.oracles.get(name)
    system = oracle.system
    c = system.initial(len(GOLD))
    number = 0
    while not system.is_final(c):
        number += 1
        accepted = oracle.training(c, GOLD)
        move = mistakes.get(number, accepted[0])
        arc = _arc(system, c, move)
        note = " (mistake)" if number in mistakes else " (repair)" if system.is_repair(c, move) else ""
        label = None if not arc else LABELS[arc[1] - 1] if GOLD[arc[1] - 1] == arc[0] else WRONG
        yield (
            str(number), _words(c.stack), _words(c.buffer), move.upper() + (f"({label})" if label else "") + note,
            f"{FORMS[arc[0]]} → {FORMS[arc[1]]}" if arc else "", str(oracle.loss(c, GOLD)),
            _costs(oracle.costs(c, GOLD)), _costs(oracle.training_costs(c, GOLD)), ", ".join(accepted),
        )
        system.apply(c, move, label)
    yield "", _words(c.stack), "", "", "", str(sum(built != gold for built, gold in zip(c.heads, GOLD, strict=True))), "", "", ""


def _arc(system: gp.systems.TransitionSystem, c: gp.systems.Configuration, move: str) -> tuple[int, int] | None:
    """Head and child of the arc that a move builds: the word whose head changes, but for the last word of a system without root token."""
    after = c.copy()
    system.apply(after, move)
    changed = [(new, word) for word, (old, new) in enumerate(zip(c.heads, after.heads, strict=True), 1) if new not in (old, -1)]
    return next(((head, word) for head, word in changed if head or not system.single_root), None)


def _costs(costs: dict[str, int]) -> str:
    return ", ".join(f"{move} {cost}" for move, cost in costs.items())


def _words(numbers: list[int]) -> str:
    return " ".join(FORMS[number] for number in numbers)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "systems")
