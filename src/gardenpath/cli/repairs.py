"""`gardenpath repairs`: analyse the repairs of a non-monotonic parser."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.analysis.repairs import LabelChange, Outcomes, RepairCounts, Repairs, analyse_repairs
from gardenpath.cli.options import FullJson, ModelName
from gardenpath.cli.tables import Contents, Rows, number, show
from gardenpath.errors import InputError
from gardenpath.formats.conllu import read_conllu


def command(
    model: ModelName,
    file: Annotated[
        str, typer.Argument(metavar="GOLD", help="Tagged CoNLL-U with the gold trees; - reads standard input.")
    ] = "-",
    no_punctuation: Annotated[
        bool, typer.Option("--no-punctuation", help="Ignore repairs of words whose gold UPOS is PUNCT.")
    ] = False,
    labels: Annotated[
        int, typer.Option("--labels", min=0, help="Number of label changes to show, the most frequent first.")
    ] = 10,
    as_json: FullJson = False,
) -> None:
    """Analyse the repairs of a parser, that is, the transitions that undo an earlier decision.

    Shows how many repairs were correct, how many were missed, and which labels they changed.

    Example: gardenpath repairs dev.conllu -m model.gp
    """
    result = analyse_repairs(models.load(model), read_conllu(file), punctuation=not no_punctuation)
    if not result.counts.sentences:
        name = "<stdin>" if file == "-" else file
        raise InputError(f"{name}: no sentences; give CoNLL-U with at least one sentence")
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
        return
    typer.echo(result.conditions)
    show(f"Transitions of {model}", *_transitions(result.counts))
    if result.kinds:
        show(f"Opportunities to repair; oracle: {result.oracle}", *_outcomes(result))
        title = f"Arcs built by repairs; net gain in words with the right head: {result.gain:,}"
        show(title, *_labels(result.labels[:labels]))


def _transitions(counts: RepairCounts) -> Contents:
    return ("Transitions", "Number", "Per cent", "Meaning"), [
        ("all", f"{counts.moves:,}", "", ""),
        ("repairs", f"{counts.repairs:,}", "", "undo an earlier decision"),
        ("arcs", f"{counts.arcs:,}", "", "build an arc"),
        ("replacing", f"{counts.replacing:,}", number(counts.replacing_share), "of arcs: also remove an arc"),
        ("gold", f"{counts.gold:,}", number(counts.gold_share), "of replacing: the new arc is gold"),
        ("harmful", f"{counts.harmful:,}", number(counts.harmful_share),
         "of replacing: the new arc is wrong, a removed arc was gold"),
    ]


def _outcomes(result: Repairs) -> Contents:
    names = tuple(Outcomes().to_dict())
    header = ("Repair", *(name.replace("_", " ").capitalize() for name in names), "Precision", "Recall")
    rows: Rows = [
        (kind, *(f"{getattr(outcomes, name):,}" for name in names), number(outcomes.precision),
         number(outcomes.recall))
        for kind, outcomes in (*result.kinds.items(), ("total", result.total))
    ]
    return header, rows


def _labels(changes: list[LabelChange]) -> Contents:
    return ("Labels", "Number", "Head right", "Head and label right"), [
        (f"{change.old or '(none)'} → {change.new}", f"{change.count:,}", f"{change.head_right:,}",
         f"{change.label_right:,}")
        for change in changes
    ]
