"""How long does training take, for each system and template set, on one core?"""

import argparse
import tempfile
import time
from pathlib import Path

import common
import gardenpath as gp
from gardenpath.models.training import train_steps


def main() -> None:
    """Train the models one after the other."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    common.header(
        "Training a parser",
        f"{treebank.train.name}: {common.words_in(gp.read_conllu(treebank.train)):,} words; {treebank.dev.name}",
        f"one core, {settings.epochs} epochs, {settings.oracle} oracle, seed 1; whole: with reading, freezing and "
        "scoring on dev",
        "decisions/s: learning only; dev scores of the best epoch: gold tokens and tags, punctuation counted, label "
        "subtypes ignored",
    )
    rows = [_row(treebank, system, features, settings) for system in settings.system for features in settings.features]
    common.table(
        ["system, templates", "whole s", "learning s", "decisions/s", "epoch", "dev UAS", "dev LAS", "features", "MB"],
        rows,
    )


def _settings() -> argparse.Namespace:
    parser = common.options(
        __doc__, models=False, systems=("arc-eager", "arc-eager-unshift"), features=("zhang-nivre-ud", "rich")
    )
    parser.add_argument("--epochs", type=int, default=10, help="number of epochs")
    parser.add_argument("--oracle", default="dynamic", help="static, nondet or dynamic")
    return parser.parse_args()


def _row(treebank: common.Treebank, system: str, features: str, settings: argparse.Namespace) -> list[str]:
    common.say(f"training {system} with {features} ...")
    best, learning, decisions, whole = train(
        treebank, system=system, features=features, epochs=settings.epochs, oracle=settings.oracle
    )
    weights, record = best.parser.scorer.weights, best.description
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.gp"
        best.save(path)
        size = path.stat().st_size / 1e6
    kept = int((weights.slots_array != 0).sum())
    return [
        f"{system}, {Path(features).stem}",
        f"{whole:.1f}",
        f"{learning:.1f}",
        f"{decisions / learning:,.0f}",
        str(record["pass"]),
        f"{record['dev_uas']:.2f}",
        f"{record['dev_las']:.2f}",
        f"{kept:,}",
        f"{size:.1f}",
    ]


def train(treebank: common.Treebank, **settings: object) -> tuple[gp.Model, float, int, float]:
    """Return the best model, the seconds of learning, the number of decisions, and the seconds of the whole run."""
    begin = time.perf_counter()
    best, learning, decisions = None, 0.0, 0
    for step in train_steps(treebank.train, dev=treebank.dev, tags="gold", **settings):
        if step.ended:
            learning += step.model.description["words"] / step.words_per_second
            decisions = step.model.description["decisions"]
            best = step.model if step.is_best else best
    return best, learning, decisions, time.perf_counter() - begin


if __name__ == "__main__":
    main()
