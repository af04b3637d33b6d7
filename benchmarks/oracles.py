"""How much training time does a better oracle cost? Train each system with its oracles in turns and compare CPU times.

For lr-spine, also count the candidates and the different contexts per scored step.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import islice
from statistics import mean

import common
import gardenpath as gp
from gardenpath.models.settings import Settings
from gardenpath.models.training import Step, training
from gardenpath.treebank import read_treebank

TRACED = 200           # sentences whose candidates are counted


def main() -> None:
    """Print one row per system and oracle."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    train = read_treebank(str(treebank.train))
    common.header(
        "The cost of oracles in training",
        f"{treebank.train.name}: {common.words_in(train):,} words",
        f"one core, {settings.epochs} epochs with each oracle, in turns; CPU time of learning only, without freezing "
        "and scoring",
    )
    rows, counts = [], {}
    for system in settings.system:
        common.say(f"training {system} ...")
        seconds, model = race(train, system, settings.epochs)
        rows += [
            [f"{system}, {kind}", f"{seconds[kind]:.1f}", f"{seconds[kind] / seconds['static']:.2f}"]
            for kind in seconds
        ]
        if gp.systems.get(system).has_depths:
            counts[system] = candidates(model, gp.read_conllu(treebank.dev))
    common.table(["system, oracle", "CPU s", "/ static"], rows)
    for system, (permitted, contexts) in counts.items():
        print(
            f"{system}: {permitted:.2f} candidates at a scored step, {contexts:.2f} different contexts (first "
            f"{TRACED} sentences of {treebank.dev.name})"
        )


def _settings() -> argparse.Namespace:
    parser = common.options(
        __doc__, models=False, systems=("arc-eager", "arc-standard", "lr-spine", "attardi", "covington", "covington-nm")
    )
    parser.add_argument("--epochs", type=int, default=5, help="number of epochs")
    return parser.parse_args()


def race(train: list[gp.Sentence], system: str, epochs: int) -> tuple[dict[str, float], gp.Model]:
    """Return the CPU seconds of learning with each oracle, and the last model of the dynamic one."""
    kinds = [kind for kind in gp.oracles.kinds(system) if kind not in ("exact", "lower-strict")]
    runs: dict[str, Iterator[Step]] = {
        kind: training(train, None, Settings.of(system=system, oracle=kind, epochs=epochs, tags="gold"))
        for kind in kinds
    }
    seconds = dict.fromkeys(kinds, 0.0)
    model = None
    while runs:
        for kind, run in list(runs.items()):
            begin = time.process_time()
            step = next(run, None)
            if step is None:
                del runs[kind]
            elif not step.ended:
                seconds[kind] += time.process_time() - begin
            elif kind == "dynamic":
                model = step.model
    return seconds, model


def candidates(model: gp.Model, sentences: Iterator[gp.Sentence]) -> tuple[float, float]:
    """Return the mean numbers of candidates and of different contexts per scored step."""
    scored = [step.scores for sentence in islice(sentences, TRACED) for step in model.trace(sentence) if step.scores]
    deep = [sum(not name.endswith(("shift", ":1")) for name in names) for names in scored]
    return mean(map(len, scored)), 1 + mean(deep)


if __name__ == "__main__":
    main()
