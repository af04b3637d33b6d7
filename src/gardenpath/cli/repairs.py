"""`gardenpath repairs`: what a non-monotonic parser makes of its second thoughts."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.cli.options import ModelName
from gardenpath.cli.tables import number, show
from gardenpath.evaluation.repairs import count_repairs
from gardenpath.formats.conllu import read_conllu


def command(
    model: ModelName,
    file: Annotated[str, typer.Argument(help="Tagged CoNLL-U whose HEAD holds the gold trees; - is standard input.", metavar="GOLD")] = "-",
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Count how often a parser replaces an arc it has built, how often the new one is right, and how often a right one went.

    Example: gardenpath repairs dev.conllu -m model.gp
    """
    counts = count_repairs(models.load(model), read_conllu(file))
    if as_json:
        typer.echo(json.dumps(counts.to_dict(), indent=2))
        return
    show(f"{model}, {counts.sentences:,} sentences", ("Moves", "Number", "Per cent", "Meaning"), [
        ("all", f"{counts.moves:,}", "", ""),
        ("repairs", f"{counts.repairs:,}", "", "a decision is taken back, with an arc or without"),
        ("arcs", f"{counts.arcs:,}", "", "an arc is built"),
        ("replacing", f"{counts.replacing:,}", number(counts.replacing_share), "of these, another arc goes"),
        ("gold", f"{counts.gold:,}", number(counts.gold_share), "of these, the new arc is right"),
        ("harmful", f"{counts.harmful:,}", number(counts.harmful_share), "of these, the new arc is wrong and one that went was right"),
    ])
