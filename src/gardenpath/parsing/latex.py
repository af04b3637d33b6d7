"""LaTeX tables of derivations."""

from __future__ import annotations

from collections.abc import Sequence

from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import plain_text, showable
from gardenpath.formats.tikz import escaped
from gardenpath.parsing.trace import TraceStep

LONG = 40        # a table with more steps is a longtable, which can extend over several pages
SHOWN = 4        # the number of words shown of the stack and of the buffer


def to_latex(sentence: Sentence, steps: Sequence[TraceStep]) -> str:
    r"""Return a table with the stack and the buffer before each transition, the transition and its arc.

    If the steps have costs, the table has loss and cost. It needs `\usepackage{booktabs}`.
    """
    with_costs = any(step.costs for step in steps)
    header = ["", "Stack", "Buffer", "Transition", "Arc", *(["Loss", "Cost"] if with_costs else [])]
    columns = "rrlll" + ("rr" if with_costs else "")
    environment = "longtable" if len(steps) > LONG else "tabular"
    packages = "booktabs,longtable" if len(steps) > LONG else "booktabs"
    lines = [
        f"% {showable(' '.join(plain_text(sentence).split()))}", rf"% \usepackage{{{packages}}}",
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
    top = " ".join(_form(sentence, word) for word in stack[-SHOWN:])
    front = " ".join(_form(sentence, word) for word in buffer[:SHOWN])
    cells = [
        str(number), (r"\dots{} " if len(stack) > SHOWN else "") + top,
        front + (r" \dots" if len(buffer) > SHOWN else ""), name, arc,
    ]
    if with_costs:
        cells += ["" if step.loss is None else str(step.loss), str((step.costs or {}).get(step.move, ""))]
    return cells


def _form(sentence: Sentence, word: int) -> str:
    return escaped(showable(sentence.words[word - 1].form)) if word else r"\textsc{root}"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
