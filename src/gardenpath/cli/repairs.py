"""`gardenpath repairs`: what a non-monotonic parser makes of its second thoughts."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.analysis.repairs import LabelChange, Outcomes, RepairCounts, Repairs, analyse_repairs
from gardenpath.cli.options import ModelName
from gardenpath.cli.tables import Contents, Rows, number, show
from gardenpath.errors import InputError
from gardenpath.formats.conllu import read_conllu


def command(
    model: ModelName,
    file: Annotated[str, typer.Argument(help="Tagged CoNLL-U whose HEAD and DEPREL hold the gold trees; - is standard input.", metavar="GOLD")] = "-",
    no_punctuation: Annotated[bool, typer.Option("--no-punctuation", help="Leave out repairs of words that gold tags PUNCT.")] = False,
    labels: Annotated[int, typer.Option("--labels", min=0, help="How many changes of labels to show, the most frequent first.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, numbers in full.")] = False,
) -> None:
    """Count what a parser takes back, how often that was right, how often it should have done so and did not, and which labels are mended.

    Example: gardenpath repairs dev.conllu -m model.gp
    """
    result = analyse_repairs(models.load(model), read_conllu(file), punctuation=not no_punctuation)
    if not result.counts.sentences:
        raise InputError(f"{'<stdin>' if file == '-' else file}: no sentences; give CoNLL-U with at least one")
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
        return
    typer.echo(result.conditions)
    show(f"Moves of {model}", *_moves(result.counts))
    if result.kinds:
        show(f"Opportunities to repair; oracle: {result.oracle}", *_outcomes(result))
        show(f"Arcs built by repairs; words with the right head, gained less lost: {result.gain:,}", *_labels(result.labels[:labels]))


def _moves(counts: RepairCounts) -> Contents:
    return ("Moves", "Number", "Per cent", "Meaning"), [
        ("all", f"{counts.moves:,}", "", ""),
        ("repairs", f"{counts.repairs:,}", "", "a decision is taken back, with an arc or without"),
        ("arcs", f"{counts.arcs:,}", "", "an arc is built"),
        ("replacing", f"{counts.replacing:,}", number(counts.replacing_share), "of these, another arc goes"),
        ("gold", f"{counts.gold:,}", number(counts.gold_share), "of these, the new arc is right"),
        ("harmful", f"{counts.harmful:,}", number(counts.harmful_share), "of these, the new arc is wrong and one that went was right"),
    ]


def _outcomes(result: Repairs) -> Contents:
    names = tuple(Outcomes().to_dict())
    header = ("Repair", *(name.replace("_", " ").capitalize() for name in names), "Precision", "Recall")
    rows: Rows = [
        (kind, *(f"{getattr(outcomes, name):,}" for name in names), number(outcomes.precision), number(outcomes.recall))
        for kind, outcomes in (*result.kinds.items(), ("total", result.total))
    ]
    return header, rows


def _labels(changes: list[LabelChange]) -> Contents:
    return ("Labels", "Number", "Head right", "Head and label right"), [
        (f"{change.old or '(none)'} → {change.new}", f"{change.count:,}", f"{change.head_right:,}", f"{change.label_right:,}") for change in changes
    ]
