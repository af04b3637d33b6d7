"""How fast and how accurate is parsing of tagged sentences in memory, compared with UDPipe and spaCy, on one thread?"""

import argparse
import os
from pathlib import Path
from statistics import median
from typing import Any

import common
import gardenpath as gp
from peers import Contestant, Gardenpath, UDPipe, peer_paths, train_udpipe

THREADS_WORDS = 100_000     # minimum size of the text for the comparison of threads


def main() -> None:
    """Measure all parsers, then one thread against two."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    gold = list(gp.read_conllu(treebank.test))
    words = common.words_in(gold)
    models = {name: gp.load(path) for name, path in common.chosen_models(settings, treebank).items()}
    peers = _peers(settings, treebank)
    contestants: list[Contestant] = [*(Gardenpath(name, model) for name, model in models.items()), *peers]
    common.header(
        "Parsing tagged sentences in memory",
        f"{treebank.test.name}: {len(gold):,} sentences, {words:,} words; gold tokens and tags",
        f"one thread, one process; {settings.rounds} rounds, the parsers in turns, new sentences in each round; "
        "words/s of the best round (median)",
        *(f"{name}: {_origin(model)}" for name, model in models.items()),
        packages=("numpy", "ufal.udpipe", "spacy"),
    )
    times, parsed = race(contestants, treebank.test, settings.rounds)
    _print_race(contestants, times, words, peers, {name: gp.evaluate(gold, trees) for name, trees in parsed.items()})
    _print_threads(models, treebank.test, settings)


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__, systems=("arc-eager", "arc-eager-unshift"), features=("zhang-nivre-ud", "rich"))
    parser.add_argument("--peers", type=Path, default=common.PEERS, help="a folder with the models of UDPipe and spaCy")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds")
    parser.add_argument(
        "--threads", type=int, default=2, help="number of threads to compare with one; 1 skips the comparison"
    )
    parser.add_argument(
        "--train-udpipe", type=int, default=0, metavar="ITERATIONS", help="first train a UDPipe parser (slow)"
    )
    return parser.parse_args()


def _peers(settings: argparse.Namespace, treebank: common.Treebank) -> list[Contestant]:
    paths = peer_paths(settings.peers)
    if settings.train_udpipe:
        paths[UDPipe] = settings.cache / f"{treebank.train.stem}-{settings.train_udpipe}.udpipe"
        if not paths[UDPipe].exists():
            common.say(f"training UDPipe's parser on {treebank.train.name}, {settings.train_udpipe} iterations ...")
            train_udpipe(treebank, paths[UDPipe], settings.train_udpipe)
    return [peer(path) for peer, path in paths.items()]


def _origin(model: gp.Model) -> str:
    record = model.description
    trained = f"{record['pass']} of {record['settings']['passes']} epochs over {record['words']:,} words"
    return f"{record['settings']['oracle']} oracle, {trained}, {len(record['templates'])} templates"


def race(
    contestants: list[Contestant], path: Path, rounds: int
) -> tuple[dict[str, list[float]], dict[str, list[gp.Sentence]]]:
    """Return the seconds of each round and the trees of the last one, by name. The parsers take turns in each round."""
    times: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
    trees: dict[str, list[gp.Sentence]] = {}
    for number in range(1, rounds + 1):
        for contestant in contestants:
            sentences: Any = contestant.fresh(path)
            times[contestant.name].append(common.seconds(contestant.parse, sentences))
            if number == rounds:
                trees[contestant.name] = contestant.written_back(sentences, path)
    return times, trees


def _print_race(
    contestants: list[Contestant],
    times: dict[str, list[float]],
    words: int,
    peers: list[Contestant],
    scores: dict[str, gp.evaluation.Evaluation],
) -> None:
    best = {name: words / min(values) for name, values in times.items()}
    rows = [
        [
            name,
            f"{best[name]:,.0f}",
            f"({words / median(values):,.0f})",
            *(f"{best[name] / best[peer.name]:.2f}" for peer in peers),
            f"{scores[name].uas:.2f}",
            f"{scores[name].las:.2f}",
        ]
        for name, values in times.items()
    ]
    common.table(["parser", "words/s", "(median)", *(f"times {peer.name}" for peer in peers), "UAS", "LAS"], rows)
    print(f"UAS, LAS: {next(iter(scores.values())).conditions} Official scores (F1).")
    for name, timed in {contestant.name.partition(" ")[0]: contestant.timed for contestant in contestants}.items():
        print(f"{name}: {timed}.")
    print("", flush=True)


def _print_threads(models: dict[str, gp.Model], path: Path, settings: argparse.Namespace) -> None:
    if settings.threads < 2:
        return
    if (os.cpu_count() or 1) < settings.threads:
        common.say(f"skipped {settings.threads} threads: this machine has {os.cpu_count()} cores")
        return
    copies = -(-THREADS_WORDS // common.words_in(common.untouched(path)))
    rows = []
    for name, model in models.items():
        one, several = [], []
        for _ in range(settings.rounds):
            for threads, values in ((1, one), (settings.threads, several)):
                sentences = [sentence for _ in range(copies) for sentence in common.untouched(path)]
                values.append(common.words_in(sentences) / common.seconds(model.parse, sentences, threads))
        rows.append(
            [f"gardenpath {name}", f"{max(one):,.0f}", f"{max(several):,.0f}", f"{max(several) / max(one):.2f}"]
        )
    common.table(
        [f"threads ({copies} copies of the text)", "1: words/s", f"{settings.threads}: words/s", "times one"], rows
    )
    print("UDPipe's binding and spaCy use one thread per process.")


if __name__ == "__main__":
    main()
