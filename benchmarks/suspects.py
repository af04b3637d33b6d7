"""How many of the first suspects are errors? Spoil some arcs of a treebank at random, and look for them.

Half of the spoiled words get another head, chosen at random among those that keep the tree a tree. The others get
another label, chosen at random with the frequencies of the treebank. Errors that the treebank had before do not count
as found, so the precision is a lower bound.

    python benchmarks/suspects.py ../shared/treebanks/ud-2.0/en_partut/en_partut-ud-train.conllu
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import common
import gardenpath as gp
from gardenpath.treebank.suspects import find_suspects
from gardenpath.trees import is_tree

FIRST = (100, 500, 1000)


def main() -> None:
    """Spoil the treebank, find suspects and print their precision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path, help="CoNLL-U file")
    parser.add_argument("--share", type=float, default=0.02, help="share of the arcs to spoil")
    parser.add_argument("--system", nargs="+", default=[gp.systems.DEFAULT], help="transition systems")
    parser.add_argument("--folds", type=int, help="number of folds")
    parser.add_argument("--seed", type=int, default=1, help="random seed of spoiling and of training")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    settings = parser.parse_args()
    sentences = list(gp.read_conllu(settings.treebank))
    spoiled = spoil(sentences, settings.share, random.Random(settings.seed))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / settings.treebank.name
        gp.write_conllu(sentences, path)
        found = find_suspects(
            path, systems=settings.system, folds=settings.folds, seed=settings.seed, workers=settings.workers,
            watch=lambda done, total: print(f"{done} of {total} models", file=sys.stderr),
        )
    common.header(
        "Suspects", str(settings.treebank.name),
        f"{len(spoiled)} of {common.words_in(sentences)} arcs spoiled; seed {settings.seed}",
        ", ".join(settings.system),
    )
    rows = []
    for first in FIRST:
        hits = [spoiled[each.sentence, each.word] for each in found.found[:first]
                if (each.sentence, each.word) in spoiled]
        kinds = Counter(hits)
        best = min(first, len(spoiled)) / first
        rows.append((
            f"first {first}", f"{100 * len(hits) / first:.1f} %", f"{100 * best:.1f} %",
            f"{100 * len(hits) / len(spoiled):.1f} %", str(kinds["head"]), str(kinds["label"]),
        ))
    common.table(("suspects", "precision", "at most", "recall", "heads", "labels"), rows)


def spoil(sentences: list[gp.Sentence], share: float, random: random.Random) -> dict[tuple[int, int], str]:
    """Spoil words in place. Return what is wrong, `head` or `label`, by sentence and word."""
    places = [(number, word.id) for number, sentence in enumerate(sentences) for word in sentence if word.head]
    labels = [word.deprel for sentence in sentences for word in sentence if word.head]
    spoiled = {}
    for turn, (number, identity) in enumerate(random.sample(places, round(share * len(labels)))):
        sentence = sentences[number]
        word = sentence.words[identity - 1]
        heads = _other_heads(sentence, word) if turn % 2 else []
        if heads:
            word.head = random.choice(heads)
        else:
            word.deprel = random.choice([label for label in labels if label != word.deprel])
        spoiled[number, identity] = "head" if heads else "label"
    return spoiled


def _other_heads(sentence: gp.Sentence, word: gp.Word) -> list[int]:
    heads = sentence.heads
    found = []
    for head in range(1, len(sentence) + 1):
        changed = [*heads[:word.id - 1], head, *heads[word.id:]]
        if head != word.head and is_tree(changed):
            found.append(head)
    return found


if __name__ == "__main__":
    main()
