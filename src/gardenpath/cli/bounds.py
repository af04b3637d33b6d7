"""`gardenpath bounds`: how close bounds of the loss come to it, in the system that has such bounds."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath.cli.tables import Rows, number, show
from gardenpath.analysis.bounds import BUDGET, SYSTEM, measure_bounds
from gardenpath.models.settings import Settings
from gardenpath.treebank import read_treebank

DEFAULT = Settings(system=SYSTEM)


def command(
    treebank: Annotated[str, typer.Argument(help="A treebank to train on, in CoNLL-U; - is standard input.", metavar="TREEBANK")],
    configurations: Annotated[int, typer.Option("--configurations", "-n", help="How many configurations to look at, from the first one on.")] = 100_000,
    oracle: Annotated[str, typer.Option(help="The oracle to train with.")] = DEFAULT.oracle,
    features: Annotated[str, typer.Option(help="The template set to train with, or a file.")] = DEFAULT.features,
    seed: Annotated[int, typer.Option(help="Decides the order of sentences.")] = DEFAULT.seed,
    explore: Annotated[float, typer.Option(help="How likely a mistake is followed, from 0 to 1.")] = DEFAULT.explore,
    budget: Annotated[int, typer.Option(help="How many configurations the search for one exact loss may open before it gives up.")] = BUDGET,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Train the non-monotonic Covington parser and compare, in the first configurations that come up, the bounds that its oracles go by with the exact loss.

    Where the search for the exact loss gives up, the configuration is counted as unsettled and left out of the averages.

    Example: gardenpath bounds train.conllu --configurations 20000
    """
    settings = Settings(system=SYSTEM, oracle=oracle, features=features, seed=seed, explore=explore)
    report = measure_bounds(read_treebank(treebank), settings, configurations, budget)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
        return
    title = f"{report.configurations:,} configurations, {report.unsettled:,} unsettled"
    rows: Rows = [("loss", f"{report.average_loss:.5f}", "", "", "")]
    rows += [(name, f"{s.average:.5f}", number(s.relative), f"{s.below:,}", f"{s.above:,}") for name, s in report.bounds.items()]
    show(title, ("Bound", "Average", "Relative difference, per cent", "Below the loss", "Above it"), rows)
