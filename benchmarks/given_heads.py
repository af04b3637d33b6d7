"""What do given heads do for the other words, and what do they cost?

A perceptron is trained on the first sentences of a treebank, with gold tags, or a model is loaded. Then the dev set is
parsed without given heads, and with the gold heads (not the labels) of some words, drawn at random. The scores are
those of the other words. In a system that cannot build the gold tree, given heads that cross others are dropped. Times
are CPU times of one thread, the best of several runs; the runs with and without given heads alternate.

    python benchmarks/given_heads.py --sentences 3000 --epochs 3
    python benchmarks/given_heads.py --sentences 1000 --beam 4
    python benchmarks/given_heads.py --model en --beam 4
"""

import random
import time
import warnings
from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

import common
import gardenpath as gp

SHARES = (0.1, 0.3, 0.5)


class Scores(NamedTuple):
    """Scores in percent."""

    uas: float
    las: float


def main() -> None:
    """Train a model for each system, and print scores and times."""
    parser = common.options(__doc__, models=False, systems=gp.systems.names())
    parser.add_argument("--sentences", type=int, default=3000, help="number of training sentences")
    parser.add_argument("--epochs", type=int, default=3, help="number of epochs")
    parser.add_argument("--beam", type=int, default=1, help="beam width of training and parsing")
    parser.add_argument("--model", help="a model to measure instead of trained ones")
    parser.add_argument("--runs", type=int, default=5, help="number of runs to measure the time")
    parser.add_argument("--seed", type=int, default=1, help="random seed of training and of the given heads")
    settings = parser.parse_args()
    treebank = common.Treebank(settings.data)
    train = list(gp.read_conllu(treebank.train))[: settings.sentences]
    gold = list(gp.read_conllu(treebank.dev))
    trained = f"perceptron, first {len(train)} sentences, {settings.epochs} epochs, gold tags"
    common.header(
        "Given heads", treebank.dev.name, f"{common.words_in(gold)} words",
        f"{settings.model or trained}, beam {settings.beam}, seed {settings.seed}",
    )
    rows = []
    for name in [settings.model] if settings.model else settings.system:
        model = gp.load(name) if settings.model else gp.train(
            train, system=name, epochs=settings.epochs, beam=settings.beam, tags="gold", seed=settings.seed,
        )
        for share in SHARES:
            rows.append([name, f"{100 * share:.0f} %", *measured(model, gold, share, settings)])
            print(*rows[-1], flush=True)
    common.table(("system or model", "given", "UAS without", "UAS with", "LAS without", "LAS with", "time"), rows)


def measured(model: gp.Model, gold: Sequence[gp.Sentence], share: float, settings) -> list[str]:
    """Return the scores of the words without a given head, without and with the given heads, and the ratio of times."""
    rng = random.Random(settings.seed)
    free = [[rng.random() >= share for _ in sentence] for sentence in gold]
    all_free = [[True] * len(sentence) for sentence in gold]
    parsed = deepcopy(gold)
    times: dict[bool, list[float]] = {False: [], True: []}
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(settings.runs):
            for is_given in (False, True):
                _strip(parsed, gold, free if is_given else all_free)
                start = time.process_time()
                model.parse(parsed, beam=settings.beam, drop_conflicts=True)
                times[is_given].append(time.process_time() - start)
                found[is_given] = scores(parsed, gold, free)
    without, given = found[False], found[True]
    ratio = min(times[True]) / min(times[False])
    return [f"{value:.1f}" for value in (without.uas, given.uas, without.las, given.las)] + [f"{ratio:.2f}"]


def _strip(parsed: Sequence[gp.Sentence], gold: Sequence[gp.Sentence], free: Sequence[Sequence[bool]]) -> None:
    """Give the words their gold heads, but some of them none, and no word a relation."""
    for sentences in zip(parsed, gold, free, strict=True):
        for word, right, is_free in zip(*sentences, strict=True):
            word.head, word.deprel = None if is_free else right.head, "_"


def scores(
    parsed: Sequence[gp.Sentence], gold: Sequence[gp.Sentence], free: Sequence[Sequence[bool]]
) -> Scores:
    """Return the scores of the words that are free."""
    pairs = [
        (word, right)
        for sentence, other, words in zip(parsed, gold, free, strict=True)
        for word, right, is_free in zip(sentence, other, words, strict=True) if is_free
    ]
    heads = sum(word.head == right.head for word, right in pairs)
    arcs = sum((word.head, word.deprel) == (right.head, right.deprel) for word, right in pairs)
    return Scores(100 * heads / len(pairs), 100 * arcs / len(pairs))


if __name__ == "__main__":
    main()
