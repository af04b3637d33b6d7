"""How accurate are the systems? Trains each on each treebank with several seeds, scores the test sets, and says which differences are real.

The pass is chosen on dev, the test set is looked at once. Parsed test sets are kept in the cache, so that a run that was stopped goes on where it was.
"""

import argparse
import json
from pathlib import Path
from statistics import mean

import common
import gardenpath as gp
from gardenpath.evaluation import Attachment, compare

TREEBANKS = ("ud-2.16/en_ewt", "ud-2.0/en_lines", "ud-2.0/got", "ud-2.0/hu", "ud-2.0/el")


def main() -> None:
    """One table a treebank."""
    settings = _settings()
    for folder in settings.treebanks:
        treebank = common.Treebank(folder)
        common.header(
            f"Accuracy on {folder.name}",
            f"{treebank.test.name}, trained on {treebank.train.name}, pass chosen on {treebank.dev.name}",
            f"gold tokens, sentences and tags; {settings.passes} passes at most; settings: {settings.extra or 'defaults'}",
            f"mean of seeds {', '.join(map(str, settings.seeds))}",
            "UAS, LAS: punctuation counted, label subtypes ignored (CoNLL 2018); exact: sentences with every head and label right",
            f"p: paired approximate randomisation over sentences on the LAS of all seeds, against {settings.system[0]} with the same templates",
        )
        for features in settings.features:
            runs = {system: [_run(treebank, system, features, seed, settings) for seed in settings.seeds] for system in settings.system}
            rows = [_row(system, features, runs) for system in settings.system]
            common.table(["system, templates", "UAS", "LAS", "LAS by seed", "exact", "against", "p"], rows)


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__, models=False, systems=gp.systems.names(), features=("rich",))
    root = common.EWT.parent.parent
    parser.add_argument("--treebanks", nargs="+", type=Path, default=[root / name for name in TREEBANKS], help="folders of treebanks")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="seeds to train with")
    parser.add_argument("--passes", type=int, default=10, help="passes over the treebank")
    parser.add_argument("--extra", type=json.loads, default={}, help="further settings of training, as JSON")
    return parser.parse_args()


def _run(treebank: common.Treebank, system: str, features: str, seed: int, settings: argparse.Namespace) -> Attachment:
    build = common.fingerprint(treebank, features)
    extra = "".join(f"-{name}={value}" for name, value in sorted(settings.extra.items()))
    parsed = settings.cache / "accuracy" / f"{treebank.folder.name}-{system}-{Path(features).stem}-{settings.passes}{extra}-{seed}-{build}.conllu"
    if not parsed.exists():
        common.say(f"training {system} with {features} on {treebank.folder.name}, seed {seed} ...")
        model = gp.train(treebank.train, dev=treebank.dev, system=system, features=features, passes=settings.passes, seed=seed, **settings.extra)
        parsed.parent.mkdir(parents=True, exist_ok=True)
        gp.write_conllu(model.parse(common.untouched(treebank.test)), parsed.with_suffix(".part"))
        parsed.with_suffix(".part").rename(parsed)
    return gp.evaluate(treebank.test, parsed).attachment


def _row(system: str, features: str, runs: dict[str, list[Attachment]]) -> list[str]:
    mine, first = runs[system], next(iter(runs.values()))
    scores = [f"{mean(run.uas for run in mine):.2f}", f"{mean(run.las for run in mine):.2f}", " ".join(f"{run.las:.2f}" for run in mine)]
    exact = f"{mean(run.exact_labelled for run in mine):.2f}"
    if mine is first:
        return [f"{system}, {Path(features).stem}", *scores, exact, "", ""]
    result = compare(first, mine)
    return [f"{system}, {Path(features).stem}", *scores, exact, f"{result.difference:+.2f}", f"{result.p:.4f}"]


if __name__ == "__main__":
    main()
