"""How accurate are the systems? Trains each on each treebank with several seeds, scores the test sets, and says which differences are real.

The pass is chosen on dev, the test set is looked at once. Parsed test sets are kept in the cache, so that a run that was stopped goes on where it was.
"""

import argparse
import json
from pathlib import Path
from statistics import mean

import common
import gardenpath as gp
from gardenpath.evaluation import Attachment, compare_runs

TREEBANKS = ("ud-2.16/en_ewt", "ud-2.0/en_lines", "ud-2.0/got", "ud-2.0/hu", "ud-2.0/el")


def main() -> None:
    """One table a treebank."""
    settings = _settings()
    for folder in settings.treebanks:
        treebank = common.Treebank(folder)
        common.header(
            f"Accuracy on {folder.name}",
            f"{treebank.test.name}, trained on {treebank.train.name}, pass chosen on {treebank.dev.name}",
            f"gold tokens and sentences; {settings.passes} passes at most; settings: {settings.extra or 'defaults'}",
            "trained on gold tags" + (", and parsed with them" if not settings.tagged else f"; tags of the test set from {settings.tagged}"),
            f"mean of seeds {', '.join(map(str, settings.seeds))}",
            "UAS, LAS: punctuation counted, label subtypes ignored (CoNLL 2018); exact: sentences with every head and label right",
            "crossing: LAS in the sentences whose gold tree is non-projective",
            f"p: paired approximate randomisation over sentences on the LAS of all seeds, against {settings.system[0]} with the same templates",
        )
        for features in settings.features:
            runs = {name: [_run(treebank, name, features, seed, settings) for seed in settings.seeds] for name in settings.system}
            rows = [_row(name, features, runs) for name in settings.system]
            common.table(["system, templates", "UAS", "LAS", "LAS by seed", "crossing", "exact", "against", "p"], rows)


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__, models=False, systems=gp.systems.names())
    root = common.EWT.parent.parent
    parser.epilog = (
        "A system may carry settings of its own: arc-standard,oracle=static or arc-eager-unshift,nonprojective=head; "
        "decode=8 parses with a beam that wide, whatever training did."
    )
    parser.add_argument("--treebanks", nargs="+", type=Path, default=[root / name for name in TREEBANKS], help="folders of treebanks")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="seeds to train with")
    parser.add_argument("--passes", type=int, default=10, help="passes over the treebank")
    parser.add_argument("--tagged", type=Path, help="a folder of test sets with predicted tags, NAME-test.conllu: these are parsed instead of the gold ones")
    parser.add_argument("--extra", type=json.loads, default={}, help="further settings of training, as JSON")
    return parser.parse_args()


def _run(treebank: common.Treebank, name: str, features: str, seed: int, settings: argparse.Namespace) -> tuple[Attachment, Attachment]:
    """The scores of one training run, on all sentences and on the non-projective ones."""
    system, *own = name.split(",")
    chosen = {"tags": "gold"} | settings.extra | {key: _value(text) for key, text in (setting.split("=") for setting in own)}
    beam = chosen.pop("decode", None)
    extra = "".join(f"-{key}={value}" for key, value in sorted(chosen.items()))
    build = common.fingerprint(treebank, features)
    saved = settings.cache / "accuracy" / f"{treebank.folder.name}-{system}-{Path(features).stem}-{settings.passes}{extra}-{seed}-{build}.gp"
    parsed = saved.with_name(f"{saved.stem}{f'-decode={beam}' if beam else ''}{f'-{settings.tagged.name}' if settings.tagged else ''}.conllu")
    if not saved.exists():
        common.say(f"training {name} with {features} on {treebank.folder.name}, seed {seed} ...")
        saved.parent.mkdir(parents=True, exist_ok=True)
        gp.train(treebank.train, dev=treebank.dev, system=system, features=features, passes=settings.passes, seed=seed, **chosen).save(saved)
    if not parsed.exists():
        text = settings.tagged / f"{treebank.folder.name}-test.conllu" if settings.tagged else treebank.test
        gp.write_conllu(gp.load(saved).parse(common.untouched(text), beam=beam), parsed.with_suffix(".part"))
        parsed.with_suffix(".part").rename(parsed)
    return gp.evaluate(treebank.test, parsed).attachment, gp.evaluate(treebank.test, parsed, nonprojective_only=True).attachment


def _value(text: str) -> object:
    """What a setting is written as: JSON, or plain text."""
    try:
        return json.loads(text.lower())
    except ValueError:
        return text


def _row(name: str, features: str, runs: dict[str, list[tuple[Attachment, Attachment]]]) -> list[str]:
    mine, first = ([run for run, _ in of] for of in (runs[name], next(iter(runs.values()))))
    scores = [f"{mean(run.uas for run in mine):.2f}", f"{mean(run.las for run in mine):.2f}", " ".join(f"{run.las:.2f}" for run in mine)]
    scores += [f"{mean(run.las for _, run in runs[name]):.2f}", f"{mean(run.exact_labelled for run in mine):.2f}"]
    if name == next(iter(runs)):
        return [f"{name}, {Path(features).stem}", *scores, "", ""]
    result = compare_runs(first, mine)
    return [f"{name}, {Path(features).stem}", *scores, f"{result.difference:+.2f}", f"{result.p:.4f}"]


if __name__ == "__main__":
    main()
