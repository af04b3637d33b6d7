"""`gardenpath trace`: a sentence step by step."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gardenpath import models, oracles, systems
from gardenpath.document import Sentence
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import read_conllu
from gardenpath.search.trace import TraceStep, trace_oracle, with_costs
from gardenpath.trees import find_problems, projectivise


def command(
    file: Annotated[str, typer.Argument(help="CoNLL-U; - is standard input.", metavar="FILE")] = "-",
    model: Annotated[str | None, typer.Option("--model", "-m", help="Follow this model: a shipped one by its name, or a file.", metavar="MODEL")] = None,
    system: Annotated[str | None, typer.Option(help="Without a model: follow the oracle of this system.", metavar="SYSTEM")] = None,
    oracle: Annotated[str, typer.Option(help="Without a model: which oracle to follow, `static` or another that the system has.")] = "static",
    sentence: Annotated[str, typer.Option("--sentence", "-s", help="Which sentence: its number in the file, from 1, or its sent_id.")] = "1",
    gold: Annotated[bool, typer.Option("--gold", help="HEAD holds the gold tree: show the loss and what every move would cost.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per move.")] = False,
) -> None:
    """Watch a sentence being parsed: stack, buffer, move, score; with --gold the cost of every move. Repairs are marked with `!`.

    Example: gardenpath trace dev.conllu -m en.gp --sentence 12 --gold
    """
    chosen = pick(read_conllu(file), sentence)
    steps = follow(chosen, model, system, oracle, gold)
    if as_json:
        for step in steps:
            print(json.dumps(as_dict(step), ensure_ascii=False))
        return
    width = None if Console().is_terminal else max(200, shutil.get_terminal_size().columns)
    Console(width=width).print(table(chosen, list(steps), gold))


def pick(sentences: Iterator[Sentence], wanted: str) -> Sentence:
    """The sentence of that number or sent_id."""
    for number, sentence in enumerate(sentences, 1):
        if wanted in (str(number), sentence.sent_id):
            return sentence
    raise InputError(f"no sentence {wanted!r} in the file; give its number, from 1, or its sent_id")


def follow(sentence: Sentence, model: str | None, system: str | None, kind: str, gold: bool) -> Iterator[TraceStep]:
    """The steps of the model, or of the oracle if there is none, with costs if gold heads are known."""
    if model is None and system is None:
        raise UsageError("give a model (--model) or a system (--system) to follow")
    loaded = models.load(model) if model is not None else None
    definition = loaded.parser.system if loaded else systems.for_parsing(str(system), single_root=True)
    judge = oracles.of(definition, "dynamic")
    heads = gold_heads(sentence, judge, single_root=loaded is None or loaded.parser.single_root) if gold or loaded is None else []
    labels = [word.deprel for word in sentence.words]
    steps = loaded.trace(sentence) if loaded else trace_oracle(oracles.of(definition, kind), heads, labels)
    return with_costs(steps, judge, heads) if gold else steps


def gold_heads(sentence: Sentence, oracle: oracles.Oracle, *, single_root: bool) -> list[int]:
    """The tree in HEAD; if the system cannot build it, with its crossing arcs lifted as in training."""
    for problem in find_problems(sentence.heads, single_root=single_root):
        raise InputError(f"{sentence.where}: {problem.fault}; {problem.remedy}")
    heads = [word.head or 0 for word in sentence.words]
    return heads if oracle.derives(heads) else projectivise(heads)


def table(sentence: Sentence, steps: list[TraceStep], gold: bool) -> Table:
    """The steps as people read them."""
    forms = ["ROOT", *(word.form for word in sentence.words)]
    result = Table(title=Text(sentence.text or " ".join(forms[1:])), box=None, pad_edge=False, header_style="bold")
    for name in ("", "stack", "buffer", "move", "arc", "score", *(("loss", "costs") if gold else ())):
        result.add_column(name, justify="right" if name in ("", "score", "loss") else "left")
    for number, step in enumerate(steps, 1):
        stack, buffer = step.configuration.stack, step.configuration.buffer
        arc = f"{forms[step.arc[0]]} → {forms[step.arc[1]]}" if step.arc else ""
        cells = [str(number), _words(forms, stack[-4:], left=len(stack) > 4), _words(forms, buffer[:4], right=len(buffer) > 4)]
        cells += [f"{'! ' if step.repair else ''}{step.text}", arc, _score(step.score)]
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
