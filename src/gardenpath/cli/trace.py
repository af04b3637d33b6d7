"""`gardenpath trace`: show the derivation of a sentence step by step."""

from __future__ import annotations

import json
import shutil
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gardenpath import models
from gardenpath.cli.inputs import TEXT_KINDS, check_not_text, kind_of
from gardenpath.cli.options import MODEL_HELP, DropConflicts, KeepHeads, Reparse, head_option
from gardenpath.errors import InputError, UsageError
from gardenpath.formats import registry
from gardenpath.formats.conllu import source_name
from gardenpath.formats.document import Sentence
from gardenpath.formats.texts import read_texts
from gardenpath.parsing.derivation import Course, Derivation, derive
from gardenpath.parsing.given import PARTIAL, HeadPolicy
from gardenpath.parsing.guides import Named, read_move
from gardenpath.parsing.latex import to_latex
from gardenpath.parsing.reasons import Comparison
from gardenpath.parsing.trace import TraceStep

SHIPPED = "en"
MOST_WORDS = 1_000       # every step holds a whole configuration, so memory grows with the square of the length


def command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="CoNLL-U, or text if a model is used; - reads standard input.")
    ] = "-",
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="MODEL", help=MODEL_HELP,
            show_default="en, unless --system is given",
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(metavar="SYSTEM", help="Transition system whose oracle is followed instead of a model."),
    ] = None,
    oracle: Annotated[
        str, typer.Option(help="With --system: the oracle, `static` or another oracle of the system.")
    ] = "static",
    sentence: Annotated[
        str, typer.Option("--sentence", "-s", help="Number of the sentence in the file, from 1, or its sent_id.")
    ] = "1",
    gold: Annotated[
        bool, typer.Option("--gold", help="Use HEAD as the gold tree, and show losses and costs.")
    ] = False,
    what_if: Annotated[
        list[str] | None,
        typer.Option(
            "--what-if", metavar="STEP=TRANSITION",
            help="Apply another transition at a step, such as 9=reduce or '4=right-arc(obj)'; may be repeated.",
        ),
    ] = None,
    then_oracle: Annotated[
        bool, typer.Option("--then-oracle", help="Continue with the dynamic oracle after --what-if.")
    ] = False,
    reasons: Annotated[
        int, typer.Option(min=0, metavar="N", help="Show the N inputs that spoke most for or against each transition.")
    ] = 0,
    keep_heads: KeepHeads = False,
    reparse: Reparse = False,
    drop_conflicts: DropConflicts = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per transition.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")] = False,
) -> None:
    """Show the derivation of a sentence step by step.

    Each row shows stack, buffer, transition and score, and with --gold the costs of all valid transitions. `!` marks
    repairs, `?` marks transitions of --what-if.

    Examples: echo "The president admitted the plan will change." | gardenpath trace --model en-fast;
    gardenpath trace dev.conllu --sentence 12 --gold; gardenpath trace dev.conllu --what-if 9=reduce
    """
    followed = None if model is None and system is not None else models.load(model or SHIPPED)
    heads = HeadPolicy(head_option(keep_heads, reparse), drop_conflicts)
    if followed is None and heads != PARTIAL:
        raise UsageError("--keep-heads, --reparse and --drop-conflicts need a model; leave them out with --system")
    chosen = pick(_sentences(file, followed, by_tree=gold or then_oracle or heads != PARTIAL), sentence)
    if len(chosen) > MOST_WORDS:
        fault = f"{len(chosen):,} words, but a derivation is shown for at most {MOST_WORDS:,}"
        raise InputError(f"{chosen.where}: {fault}; choose another sentence with --sentence")
    changes = dict(sorted(map(_read_what_if, what_if or ())))
    course = Course(followed, system, oracle, heads=heads)
    derivation = follow(chosen, course, changes, gold=gold, then_oracle=then_oracle, reasons=reasons > 0)
    if as_json:
        for step in derivation.steps:
            print(json.dumps(as_dict(step, reasons), ensure_ascii=False))
    elif as_latex:
        print(to_latex(chosen, derivation.steps), end="")
    else:
        width = None if Console().is_terminal else max(200, shutil.get_terminal_size().columns)
        Console(width=width).print(table(chosen, derivation.steps, gold, changes, reasons))


def _sentences(file: str, model: models.Model | None, *, by_tree: bool) -> Iterator[Sentence]:
    """Read the sentences of a file. The model splits and tags text."""
    check_not_text(file, "trace")
    kind = kind_of(file)
    if kind not in TEXT_KINDS:
        return registry.read(file, kind)
    if model is None or by_tree:
        needs = "oracles, --gold and options for given heads need HEAD; give a CoNLL-U file"
        raise InputError(f"{source_name(file)} is not CoNLL-U; {needs}")
    return model.to_sentences(read_texts(file, kind))


def _read_what_if(text: str) -> tuple[int, Named]:
    step, _, move = text.partition("=")
    try:
        return int(step), read_move(move)
    except (ValueError, UsageError):
        example = "write for example 9=reduce, or with a label '4=right-arc(obj)'"
        raise UsageError(f"--what-if {text!r} does not have the form STEP=TRANSITION; {example}") from None


def pick(sentences: Iterator[Sentence], wanted: str) -> Sentence:
    """Return the sentence with this number or sent_id."""
    for number, sentence in enumerate(sentences, 1):
        if wanted in (str(number), sentence.sent_id):
            return sentence
    raise InputError(f"the file has no sentence {wanted!r}; give a sentence number, from 1, or a sent_id")


def follow(
    sentence: Sentence, course: Course, changes: Mapping[int, Named], *, gold: bool, then_oracle: bool, reasons: bool,
) -> Derivation:
    """Derive the sentence, and replace the transitions at the given steps one after the other."""
    derivation = derive(sentence, course, gold=gold, reasons=reasons)
    for number, named in changes.items():
        if not 1 <= number <= len(derivation.steps):
            steps = len(derivation.steps)
            raise UsageError(f"--what-if {number}=...: step {number} does not exist; the derivation has {steps} steps")
        before = [(step.move, step.label) for step in derivation.steps[: number - 1]]
        course = replace(course, given=[*before, named], by_oracle=then_oracle)
        derivation = derive(sentence, course, gold=gold, reasons=reasons)
    return derivation


def table(
    sentence: Sentence, steps: list[TraceStep], gold: bool, changes: Container[int], reasons: int = 0
) -> Table:
    """Return the steps as a table for the terminal, with this number of reasons against the best other transition."""
    forms = ["ROOT", *(word.form for word in sentence.words)]
    result = Table(title=Text(sentence.text), box=None, pad_edge=False, header_style="bold")
    columns = ["", "stack", "buffer", "transition", "arc", "score", *(("loss", "costs") if gold else ())]
    for name in [*columns, *(("reasons",) if reasons else ())]:
        result.add_column(name, justify="right" if name in ("", "score", "loss") else "left")
    for number, step in enumerate(steps, 1):
        stack, buffer = step.configuration.stack, step.configuration.buffer
        arc = f"{forms[step.arc[0]]} → {forms[step.arc[1]]}" if step.arc else ""
        mark = ("? " if number in changes else "") + ("! " if step.repair else "")
        cells = [
            str(number), _words(forms, stack[-4:], left=len(stack) > 4),
            _words(forms, buffer[:4], right=len(buffer) > 4), f"{mark}{step.text}", arc, _score(step.score),
        ]
        if gold:
            costs = sorted((step.costs or {}).items(), key=lambda item: (item[1], item[0]))
            cells += ["" if step.loss is None else str(step.loss), " ".join(f"{name}={cost}" for name, cost in costs)]
        if reasons:
            cells.append(_reasons(step, reasons))
        result.add_row(*map(Text, cells))
    return result


def as_dict(step: TraceStep, reasons: int = 0) -> dict[str, Any]:
    """Return a step as plain values for JSON, with this number of reasons against each other transition."""
    c = step.configuration
    return {
        "stack": c.stack, "buffer": c.buffer, "heads": c.heads, "move": step.move, "label": step.label, "arc": step.arc,
        "repair": step.repair, "score": step.score, "scores": step.scores, "loss": step.loss, "costs": step.costs,
        **({"reasons": [_comparison(each, reasons) for each in step.reasons]} if reasons else {}),
    }


def _comparison(comparison: Comparison, most: int) -> dict[str, Any]:
    return asdict(replace(comparison, reasons=comparison.reasons[:most]))


def _reasons(step: TraceStep, most: int) -> str:
    """Return the reasons against the best other transition as text."""
    if not step.reasons:
        return ""
    first = step.reasons[0]
    found = [f"{reason.input}={reason.value} {_signed(reason.contribution)}" for reason in first.reasons[:most]]
    return f"not {first.text}: " + "; ".join(found)


def _signed(contribution: float) -> str:
    return f"{contribution:+,}" if isinstance(contribution, int) else f"{contribution:+.2f}"


def _words(forms: list[str], numbers: list[int], *, left: bool = False, right: bool = False) -> str:
    return ("… " if left else "") + " ".join(forms[i] for i in numbers) + (" …" if right else "")


def _score(score: float | None) -> str:
    """Format a score: an integer of the perceptron, a log-probability of a network, or None if nothing was scored."""
    return "" if score is None else f"{score:,}" if isinstance(score, int) else f"{round(score, 3) + 0.0:.3f}"
