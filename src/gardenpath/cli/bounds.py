"""`gardenpath bounds`: compare the bounds of oracles with the exact loss."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath.analysis.bounds import BUDGET, SYSTEM, measure_bounds
from gardenpath.cli.tables import Rows, number, show
from gardenpath.models.settings import Settings
from gardenpath.perceptron.settings import PerceptronSettings
from gardenpath.treebank import read_treebank

DEFAULT = Settings.of(system=SYSTEM)
PERCEPTRON = PerceptronSettings()


def command(
    treebank: Annotated[
        str, typer.Argument(metavar="TREEBANK", help="The training treebank in CoNLL-U; - reads standard input.")
    ],
    configurations: Annotated[
        int, typer.Option("--configurations", "-n", help="Number of configurations to compare.")
    ] = 100_000,
    oracle: Annotated[str, typer.Option(help="Oracle for training.")] = DEFAULT.parser.oracle,
    features: Annotated[str, typer.Option(help="Template set, or a file with templates.")] = PERCEPTRON.features,
    seed: Annotated[int, typer.Option(help="Random seed for the order of sentences.")] = DEFAULT.seed,
    explore: Annotated[
        float, typer.Option(help="Probability of following a wrong transition, from 0 to 1.")
    ] = PERCEPTRON.explore,
    after: Annotated[
        bool, typer.Option("--after", help="Compare the configurations after each valid transition instead.")
    ] = False,
    epoch: Annotated[int, typer.Option(help="Epoch with the first configuration to compare.")] = 1,
    budget: Annotated[
        int, typer.Option(help="Maximum number of configurations that the search for one exact loss expands.")
    ] = BUDGET,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Train the system whose oracles use bounds, and compare these with the exact loss.

    The bounds are compared in the first configurations of the training. A configuration is counted as unsettled if the
    search for its exact loss exceeds the budget. Unsettled configurations are left out of the averages. With
    `--oracle static --after`, the configurations are those after each valid transition on the path to the gold tree.

    Example: gardenpath bounds train.conllu --configurations 20000
    """
    exploration = {} if explore == PERCEPTRON.explore else {"explore": explore}      # not all oracles explore
    settings = Settings.of(system=SYSTEM, oracle=oracle, features=features, seed=seed, **exploration)
    train = read_treebank(treebank, allow_multiple_roots=True)
    report = measure_bounds(train, settings, configurations, budget, after=after, epoch=epoch)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
        return
    title = f"{report.configurations:,} configurations, {report.unsettled:,} unsettled"
    rows: Rows = [
        ("loss", f"{report.average_loss:.5f}", "", "", ""),
        ("loss per word", f"{report.loss_per_word:.5f}", "", "", ""),
    ]
    rows += [
        (name, f"{score.average:.5f}", number(score.relative), f"{score.below:,}", f"{score.above:,}")
        for name, score in report.bounds.items()
    ]
    show(title, ("Bound", "Average", "Relative difference, per cent", "Below the loss", "Above it"), rows)
