"""How accurate are models of very small treebanks? Cut training sets to 8,000 words and train each scorer and UDPipe.

UDPipe's tagger and parser are trained on the same sentences, with the settings of the peers and the number of
iterations that is best on the dev set. Models are cached, so an interrupted run continues.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import common
import gardenpath as gp
from gardenpath.evaluation import Evaluation
from peers import train_udpipe

METRICS = ("UPOS", "UFeats", "Lemmas", "UAS", "LAS")
SCORERS = ("network", "perceptron")
ITERATIONS = (10, 20, 30)


def main() -> None:
    """Print one table for all treebanks."""
    settings = _settings()
    common.header(
        "Very small treebanks",
        f"test sets of {', '.join(folder.name for folder in settings.treebanks)}",
        f"trained on the first sentences of the training set, {settings.words:,} words; epoch chosen on dev by LAS",
        f"gold tokens, all tags predicted; official F1; mean of seeds {', '.join(map(str, settings.seeds))}",
        f"UDPipe 1: tagger with defaults; parser with {', '.join(map(str, ITERATIONS))} iterations, the best on dev",
        packages=("numpy", "ufal.udpipe"),
    )
    rows = []
    for folder in settings.treebanks:
        treebank = _cut(folder, settings)
        for scorer in SCORERS:
            scores = [_own_scores(treebank, scorer, seed, settings) for seed in settings.seeds]
            rows.append([folder.name, f"gardenpath, {scorer}", *_means(scores)])
        rows.append([folder.name, "UDPipe 1", *_means([_udpipe_scores(treebank, settings)])])
    common.table(["treebank", "model", *METRICS], rows)


def _settings() -> argparse.Namespace:
    root = common.EWT.parent.parent / "ud-2.0"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--treebanks", nargs="+", type=Path, default=[root / "hu", root / "el"], help="folders of treebanks"
    )
    parser.add_argument("--words", type=int, default=8000, help="number of words of the training sets")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="random seeds")
    parser.add_argument("--cache", type=Path, default=common.CACHE, help="folder for trained models")
    return parser.parse_args()


def _cut(folder: Path, settings: argparse.Namespace) -> common.Treebank:
    """Return the treebank with only the first sentences of its training set."""
    whole = common.Treebank(folder)
    target = settings.cache / "small" / f"{folder.name}-{settings.words}"
    target.mkdir(parents=True, exist_ok=True)
    gp.write_conllu(_first(gp.read_conllu(whole.train), settings.words), target / whole.train.name)
    for path in (whole.dev, whole.test):
        (target / path.name).write_bytes(path.read_bytes())
    return common.Treebank(target)


def _first(sentences: Iterator[gp.Sentence], words: int) -> Iterator[gp.Sentence]:
    for sentence in sentences:
        if words <= 0:
            return
        words -= len(sentence)
        yield sentence


def _own_scores(treebank: common.Treebank, scorer: str, seed: int, settings: argparse.Namespace) -> Evaluation:
    saved = treebank.folder / f"{scorer}-{seed}-{common.fingerprint(treebank, '')}.gp"
    if not saved.exists():
        common.say(f"training the {scorer} on {treebank.folder.name}, seed {seed} ...")
        gp.train(treebank.train, dev=treebank.dev, scorer=scorer, seed=seed).save(saved)
    sentences = _without_annotation(treebank.test)
    gp.load(saved).parse(sentences)
    return gp.evaluate(treebank.test, sentences)


def _udpipe_scores(treebank: common.Treebank, settings: argparse.Namespace) -> Evaluation:
    paths = []
    for iterations in ITERATIONS:
        paths.append(treebank.folder / f"udpipe-{iterations}.model")
        if not paths[-1].exists():
            common.say(f"training UDPipe on {treebank.folder.name}, {iterations} iterations ...")
            train_udpipe(treebank, paths[-1], iterations, tagger="")
    best = max(paths, key=lambda path: gp.evaluate(treebank.dev, _udpipe_parsed(path, treebank.dev)).las)
    return gp.evaluate(treebank.test, _udpipe_parsed(best, treebank.test))


def _udpipe_parsed(model: Path, path: Path) -> list[gp.Sentence]:
    """Return the sentences of a file with the tags and trees of a UDPipe model."""
    from ufal import udpipe

    loaded, default = udpipe.Model.load(str(model)), udpipe.Pipeline.DEFAULT
    sentences = _without_annotation(path)
    for sentence in sentences:
        other = udpipe.Sentence()
        for word in sentence.words:
            other.addWord(word.form)
        loaded.tag(other, default)
        loaded.parse(other, default)
        for word, found in zip(sentence.words, list(other.words)[1:], strict=True):
            word.upos, word.xpos, word.feats = found.upostag or "_", found.xpostag or "_", found.feats or "_"
            word.lemma, word.head, word.deprel = found.lemma or "_", found.head, found.deprel
    return sentences


def _without_annotation(path: Path) -> list[gp.Sentence]:
    sentences = common.untouched(path)
    for sentence in sentences:
        for word in sentence.words:
            word.lemma = word.upos = word.xpos = word.feats = "_"
    return sentences


def _means(scores: list[Evaluation]) -> list[str]:
    return [f"{mean(score.scores[metric].f1 for score in scores):.2f}" for metric in METRICS]


if __name__ == "__main__":
    main()
