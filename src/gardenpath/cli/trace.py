"""`gardenpath trace`: a sentence step by step."""

from __future__ import annotations

import json
import shutil
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gardenpath import models
from gardenpath.cli.inputs import CONLLU, kind_of
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import read_conllu, source_name
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import read_pieces
from gardenpath.search.derivation import Course, Derivation, derive
from gardenpath.search.guides import Named, read_move
from gardenpath.search.latex import to_latex
from gardenpath.search.trace import TraceStep

SHIPPED = "en"


def command(
    file: Annotated[str, typer.Argument(help="CoNLL-U, or text for a model; - is standard input.", metavar="FILE")] = "-",
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="MODEL", help="Follow this model: a shipped one by its name, or a file.", show_default="en, without --system"),
    ] = None,
    system: Annotated[str | None, typer.Option(help="Without a model: follow the oracle of this system.", metavar="SYSTEM")] = None,
    oracle: Annotated[str, typer.Option(help="Without a model: which oracle to follow, `static` or another that the system has.")] = "static",
    sentence: Annotated[str, typer.Option("--sentence", "-s", help="Which sentence: its number in the file, from 1, or its sent_id.")] = "1",
    gold: Annotated[bool, typer.Option("--gold", help="HEAD holds the gold tree: show the loss and what every move would cost.")] = False,
    what_if: Annotated[
        list[str] | None,
        typer.Option("--what-if", metavar="STEP=MOVE", help="Make another move at a step, as in 9=reduce or '4=right-arc(obj)', and go on; may be repeated."),
    ] = None,
    then_oracle: Annotated[bool, typer.Option("--then-oracle", help="After --what-if the dynamic oracle goes on, towards the tree in HEAD.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per move.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="A table for LaTeX.")] = False,
) -> None:
    """Watch a sentence being parsed: stack, buffer, move, score; with --gold the cost of every move. Repairs are marked with `!`, moves of --what-if with `?`.

    Examples: echo "The old man the boat." | gardenpath trace; gardenpath trace dev.conllu --sentence 12 --gold; gardenpath trace dev.conllu --what-if 9=reduce
    """
    followed = None if model is None and system is not None else models.load(model or SHIPPED)
    chosen = pick(_sentences(file, followed, by_tree=gold or then_oracle), sentence)
    changes = dict(sorted(map(_read_what_if, what_if or ())))
    derivation = follow(chosen, Course(followed, system, oracle), gold, changes, then_oracle)
    if as_json:
        for step in derivation.steps:
            print(json.dumps(as_dict(step), ensure_ascii=False))
    elif as_latex:
        print(to_latex(chosen, derivation.steps), end="")
    else:
        width = None if Console().is_terminal else max(200, shutil.get_terminal_size().columns)
        Console(width=width).print(table(chosen, derivation.steps, gold, changes))


def _sentences(file: str, model: models.Model | None, *, by_tree: bool) -> Iterator[Sentence]:
    """The sentences of a file; text is divided and tagged by the model."""
    if kind_of([file]) == CONLLU:
        return read_conllu(file)
    if model is None or by_tree:
        raise InputError(f"{source_name(file)} is no CoNLL-U: oracles and --gold go by the tree in HEAD, which text has not")
    return model.to_sentences(read_pieces(file))


def _read_what_if(text: str) -> tuple[int, Named]:
    step, _, move = text.partition("=")
    try:
        return int(step), read_move(move)
    except (ValueError, UsageError):
        raise UsageError(f"--what-if {text!r} is not a step and a move; write 9=reduce, or '4=right-arc(obj)' with a label") from None


def pick(sentences: Iterator[Sentence], wanted: str) -> Sentence:
    """The sentence of that number or sent_id."""
    for number, sentence in enumerate(sentences, 1):
        if wanted in (str(number), sentence.sent_id):
            return sentence
    raise InputError(f"no sentence {wanted!r} in the file; give its number, from 1, or its sent_id")


def follow(sentence: Sentence, course: Course, gold: bool, changes: Mapping[int, Named], then_oracle: bool) -> Derivation:
    """The derivation, with other moves at the steps that are to be changed, one after the other."""
    derivation = derive(sentence, course, gold=gold)
    for number, named in changes.items():
        if not 1 <= number <= len(derivation.steps):
            raise UsageError(f"--what-if {number}=...: the derivation has {len(derivation.steps)} steps")
        before = [(step.move, step.label) for step in derivation.steps[: number - 1]]
        course = replace(course, given=[*before, named], by_oracle=then_oracle)
        derivation = derive(sentence, course, gold=gold)
    return derivation


def table(sentence: Sentence, steps: list[TraceStep], gold: bool, changes: Container[int]) -> Table:
    """The steps as people read them."""
    forms = ["ROOT", *(word.form for word in sentence.words)]
    result = Table(title=Text(sentence.text or " ".join(forms[1:])), box=None, pad_edge=False, header_style="bold")
    for name in ("", "stack", "buffer", "move", "arc", "score", *(("loss", "costs") if gold else ())):
        result.add_column(name, justify="right" if name in ("", "score", "loss") else "left")
    for number, step in enumerate(steps, 1):
        stack, buffer = step.configuration.stack, step.configuration.buffer
        arc = f"{forms[step.arc[0]]} → {forms[step.arc[1]]}" if step.arc else ""
        cells = [str(number), _words(forms, stack[-4:], left=len(stack) > 4), _words(forms, buffer[:4], right=len(buffer) > 4)]
        cells += [f"{'? ' if number in changes else ''}{'! ' if step.repair else ''}{step.text}", arc, _score(step.score)]
        if gold:
            costs = sorted((step.costs or {}).items(), key=lambda item: (item[1], item[0]))
            cells += ["" if step.loss is None else str(step.loss), " ".join(f"{name}={cost}" for name, cost in costs)]
        result.add_row(*map(Text, cells))
    return result


def as_dict(step: TraceStep) -> dict[str, Any]:
    """A step as plain values."""
    c = step.configuration
    return {
        "stack": c.stack, "buffer": c.buffer, "heads": c.heads, "move": step.move, "label": step.label, "arc": step.arc, "repair": step.repair,
        "score": step.score, "scores": step.scores, "loss": step.loss, "costs": step.costs,
    }


def _words(forms: list[str], numbers: list[int], *, left: bool = False, right: bool = False) -> str:
    return ("… " if left else "") + " ".join(forms[i] for i in numbers) + (" …" if right else "")


def _score(score: float | None) -> str:
    """Nothing where nothing was scored; the perceptron's scores are whole, log-probabilities are not."""
    return "" if score is None else f"{score:,}" if isinstance(score, int) else f"{score:.3f}"
