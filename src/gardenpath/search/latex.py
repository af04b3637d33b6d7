"""Derivations as tables for LaTeX, as papers print them."""

from __future__ import annotations

from collections.abc import Sequence

from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import plain_text, showable
from gardenpath.formats.tikz import escaped
from gardenpath.search.trace import TraceStep

LONG = 40        # steps; a table with more of them goes over several pages
SHOWN = 4        # words of the stack, of the buffer


def to_latex(sentence: Sentence, steps: Sequence[TraceStep]) -> str:
    r"""The steps as a table: stack and buffer before each move, the move and its arc; with loss and cost if they are known. Needs `\usepackage{booktabs}`."""
    with_costs = any(step.costs for step in steps)
    header = ["", "Stack", "Buffer", "Transition", "Arc", *(["Loss", "Cost"] if with_costs else [])]
    columns = "rrlll" + ("rr" if with_costs else "")
    environment = "longtable" if len(steps) > LONG else "tabular"
    lines = [
        f"% {showable(' '.join(plain_text(sentence).split()))}", rf"% \usepackage{{booktabs{',longtable' if len(steps) > LONG else ''}}}",
        rf"\begin{{{environment}}}{{{columns}}}", r"\toprule", _row(header), r"\midrule",
        *(_row(_cells(sentence, number, step, with_costs)) for number, step in enumerate(steps, 1)),
        r"\bottomrule", rf"\end{{{environment}}}", "",
    ]
    return "\n".join(lines)


def _cells(sentence: Sentence, number: int, step: TraceStep, with_costs: bool) -> list[str]:
    stack, buffer = step.configuration.stack, step.configuration.buffer
    arc = rf"{_form(sentence, step.arc[0])} $\rightarrow$ {_form(sentence, step.arc[1])}" if step.arc else ""
    label = f" ({escaped(step.label)})" if step.label else ""
    name = rf"\textsc{{{escaped(step.move)}}}{label}{'*' if step.repair else ''}"
    cells = [
        str(number), (r"\dots{} " if len(stack) > SHOWN else "") + " ".join(_form(sentence, word) for word in stack[-SHOWN:]),
        " ".join(_form(sentence, word) for word in buffer[:SHOWN]) + (r" \dots" if len(buffer) > SHOWN else ""), name, arc,
    ]
    if with_costs:
        cells += ["" if step.loss is None else str(step.loss), str((step.costs or {}).get(step.move, ""))]
    return cells


def _form(sentence: Sentence, word: int) -> str:
    return escaped(showable(sentence.words[word - 1].form)) if word else r"\textsc{root}"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
