"""How accurate is raw text to trees? Train a model on each treebank and score the raw text of its test set.

The tables include published scores of UDPipe 1.1, and UDPipe's models if they are available. With several seeds, each
gets a table; `--ensemble` adds one for the ensembles of the networks with these seeds. With `--tokens`, the same models
also parse the tokens and sentences of another program. Models are cached, so an interrupted run continues.
"""

import argparse
import json
from pathlib import Path
from statistics import mean

import common
import gardenpath as gp
from gardenpath.evaluation import Evaluation
from gardenpath.network.ensemble import ensemble
from gardenpath.parsing.parser import Parser
from gardenpath.segmentation.raw import raw_text
from peers import UDPIPE_PIPELINE, UdpipePipeline

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS", "MLAS")
# LAS of UDPipe 1.1 from raw text on UD 2.0 (Kohita, Noji and Matsumoto, IWPT 2017, table 4).
PUBLISHED = {
    "en_lines": 72.94,
    "fr_sequoia": 79.98,
    "el": 79.26,
    "hu": 64.30,
    "got": 59.81,
    "tr": 53.19,
    "lv": 59.95,
    "id": 74.61,
    "vi": 37.47,
    "en_partut": 73.64,
    "cs_cltt": 71.64,
    "sl_sst": 46.45,
}


def main() -> None:
    """Print one table for all treebanks."""
    settings = _settings()
    common.header(
        "From raw text to trees",
        f"{settings.part} sets of {', '.join(folder.name for folder in settings.treebanks)}",
        "paragraphs as the treebank marks them, single spaces between sentences",
        f"trained on the training set, epoch chosen on dev by LAS; {settings.epochs or 'default'} epochs, seeds "
        f"{', '.join(map(str, settings.seeds))}",
        f"settings: {settings.extra or 'defaults'}",
        "F1 of the CoNLL 2018 shared task: all words, label subtypes ignored; words aligned by characters",
        "published: LAS of UDPipe 1.1 on the same raw text (Kohita, Noji and Matsumoto 2017)",
        packages=("numpy", "ufal.udpipe"),
    )
    runs = [f"seed {seed}" for seed in settings.seeds] + (["ensemble"] if settings.ensemble else [])
    from_text: dict[str, dict[str, Evaluation]] = {run: {} for run in runs}
    from_tokens: dict[str, dict[str, Evaluation]] = {run: {} for run in runs}
    for folder in settings.treebanks:
        treebank = common.Treebank(folder)
        models = [_model(treebank, settings, seed) for seed in settings.seeds]
        gold = getattr(treebank, settings.part)
        for run, model in zip(runs, models + ([_joined(models)] if settings.ensemble else []), strict=True):
            from_text[run][folder.name] = gp.evaluate(gold, model(raw_text(gp.read_conllu(gold))))
            if settings.tokens:
                tokens = common.untouched(settings.tokens / f"{folder.name}.conllu")
                from_tokens[run][folder.name] = gp.evaluate(gold, model.parse(tokens, retag=True))
    peer = _peer(settings)
    for run in runs:
        print(f"\nRaw text, {run}:\n")
        _print(from_text[run], peer)
    for run in runs if settings.tokens else ():
        print(f"\nThe tokens and sentences in {settings.tokens.name}, with tags of the model, {run}:\n")
        _print(from_tokens[run])


def _settings() -> argparse.Namespace:
    root = common.EWT.parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--treebanks",
        nargs="+",
        type=Path,
        default=[common.EWT, *(root / "ud-2.0" / name for name in PUBLISHED)],
        help="folders of treebanks",
    )
    parser.add_argument("--cache", type=Path, default=common.CACHE, help="folder for trained models")
    parser.add_argument(
        "--peers", type=Path, default=common.PEERS, help="a folder with UDPipe's models for English-EWT"
    )
    parser.add_argument(
        "--part", choices=("dev", "test"), default="test", help="part to score; use dev to choose settings"
    )
    parser.add_argument(
        "--tokens", type=Path, help="a folder with TREEBANK.conllu, whose tokens and sentences are parsed as well"
    )
    parser.add_argument("--epochs", type=int, default=None, help="number of epochs, if not that of the scorer")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], help="random seeds")
    parser.add_argument("--ensemble", action="store_true", help="also join the networks of all seeds")
    parser.add_argument("--extra", type=json.loads, default={}, help="additional training settings, as JSON")
    return parser.parse_args()


def _joined(models: list[gp.Model]) -> gp.Model:
    """Return a model whose scores are the means of those of the networks of several models."""
    first, parser = models[0], models[0].parser
    network = ensemble([model.parser.scorer for model in models])
    joined = Parser(network, parser.single_root, parser.nonprojective, parser.width)
    return gp.Model(joined, first.about.with_parts(calibration=None), first.tokenizer, network.tagger(), first.steps)


def _model(treebank: common.Treebank, settings: argparse.Namespace, seed: int) -> gp.Model:
    """Return the model of a treebank, trained now or before."""
    extra = "".join(f"-{key}={Path(str(value)).name}" for key, value in sorted(settings.extra.items()))
    build = common.fingerprint(treebank, "")
    saved = settings.cache / "raw_text" / f"{treebank.folder.name}-{settings.epochs}{extra}-{seed}-{build}.gp"
    if not saved.exists():
        common.say(f"training on {treebank.folder.name} ...")
        saved.parent.mkdir(parents=True, exist_ok=True)
        gp.train(treebank.train, dev=treebank.dev, epochs=settings.epochs, seed=seed, **settings.extra).save(
            saved
        )
    return gp.load(saved)


def _peer(settings: argparse.Namespace) -> Evaluation | None:
    paths = [settings.peers / name for name in UDPIPE_PIPELINE]
    if common.EWT not in settings.treebanks or not all(path.exists() for path in paths):
        common.say(f"skipped UDPipe: English-EWT is not among the treebanks, or its models are not in {settings.peers}")
        return None
    gold = getattr(common.Treebank(common.EWT), settings.part)
    return gp.evaluate(gold, UdpipePipeline(paths).document(raw_text(gp.read_conllu(gold))))


def _print(scores: dict[str, Evaluation], peer: Evaluation | None = None) -> None:
    """Print a table of treebanks, and the mean LAS of those with a published score."""
    rows = [_row(name, evaluation, PUBLISHED.get(name)) for name, evaluation in scores.items()]
    if peer:
        rows.append(_row(f"{common.EWT.name}, UDPipe 1", peer, None))
    common.table(["treebank", *METRICS, "published", "ahead"], rows)
    known = [name for name in scores if name in PUBLISHED]
    if known:
        ours, theirs = mean(scores[name].las for name in known), mean(PUBLISHED[name] for name in known)
        print(
            f"Mean LAS of the {len(known)} treebanks with a published score: {ours:.2f}, UDPipe 1.1 {theirs:.2f} "
            f"({ours - theirs:+.2f})."
        )


def _row(name: str, scores: Evaluation, published: float | None) -> list[str]:
    figures = [f"{scores.scores[metric].f1:.2f}" for metric in METRICS]
    return [
        name,
        *figures,
        *(["", ""] if published is None else [f"{published:.2f}", f"{scores.las - published:+.2f}"]),
    ]


if __name__ == "__main__":
    main()
