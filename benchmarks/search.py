"""Speed of the search beside plain loops over the words, in one thread.

For each pattern: matches, and words per second of the native search in an index, of making the index and searching, of
searching the file, of the loop, and of reading the file and the loop. CPU time is measured, not wall time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import common
import gardenpath as gp
from gardenpath.queries import Index

Loop = Callable[[gp.Sentence], int]


def subjects(sentence: gp.Sentence) -> int:
    found = 0
    for word in sentence.words:
        if word.head and word.deprel.split(":")[0] == "nsubj" and sentence.words[word.head - 1].upos == "VERB":
            found += 1
    return found


def verbs_without_subject(sentence: gp.Sentence) -> int:
    with_subject = {word.head for word in sentence.words if word.deprel == "nsubj"}
    return sum(word.upos == "VERB" and word.id not in with_subject for word in sentence.words)


def ditransitives(sentence: gp.Sentence) -> int:
    ones, twos = [], []
    for word in sentence.words:
        if word.deprel == "iobj":
            ones.append(word.head)
        elif word.deprel == "obj":
            twos.append(word.head)
    return sum(one == two for one in ones for two in twos)


def adverbs(sentence: gp.Sentence) -> int:
    return sum(word.upos == "ADV" and word.form.lower().endswith("ly") for word in sentence.words)


def plural_objects_before(sentence: gp.Sentence) -> int:
    return sum(
        word.deprel == "obj" and word.head is not None and word.id < word.head
        and "Number=Plur" in word.feats.split("|")
        for word in sentence.words
    )


def noun_pairs(sentence: gp.Sentence) -> int:
    return sum(one.upos == two.upos == "NOUN" for one, two in pairwise(sentence.words))


PAIRS: list[tuple[str, Loop]] = [
    ("pattern { V [upos=VERB]; V -[1=nsubj]-> S }", subjects),
    ("pattern { V [upos=VERB] } without { V -[nsubj]-> S }", verbs_without_subject),
    ("pattern { V -[iobj]-> I; V -[obj]-> O }", ditransitives),
    ("pattern { X [upos=ADV, form=/.*ly/i] }", adverbs),
    ("pattern { O [Number=Plur]; V -[obj]-> O; O << V }", plural_objects_before),
    ("pattern { X [upos=NOUN]; Y [upos=NOUN]; X < Y }", noun_pairs),
]


def measured(function: Callable[[], int]) -> tuple[int, float]:
    """Return the result of a function and the CPU time of the fastest of three calls."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        result = function()
        times.append(time.process_time() - begin)
    return result, min(times)


def main() -> None:
    parser = common.options(__doc__ or "", models=False)
    settings = parser.parse_args()
    path = common.Treebank(settings.data).train
    sentences = list(gp.read_conllu(path))
    words = common.words_in(sentences)
    print(f"{path.name}: {len(sentences):,} sentences, {words:,} words")
    print("Million words/s of CPU time, best of 3, one thread")
    _, indexing = measured(lambda: len(Index(sentences)))
    print(f"heads, labels and dependents: {words / indexing / 1e6:.2f}\n")
    print("| pattern | matches | search | index and search | loop | ratio | search in file | file and loop | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for pattern, loop in PAIRS:
        index = Index(sentences)
        gp.search(index, pattern).count()        # adds the columns that the pattern needs
        found, native = measured(lambda index=index, pattern=pattern: gp.search(index, pattern).count())
        _, together = measured(lambda pattern=pattern: gp.search(Index(sentences), pattern).count())
        counted, plain = measured(lambda loop=loop: sum(map(loop, sentences)))
        in_file, from_file = measured(lambda pattern=pattern: gp.search(path, pattern).count())
        _, read = measured(lambda loop=loop: sum(map(loop, gp.read_conllu(path))))
        if not found == counted == in_file:
            raise SystemExit(f"{pattern}: the search finds {found} and {in_file}, the loop {counted}")
        speeds = [f"{words / each / 1e6:.2f}" for each in (native, together, plain, from_file, read)]
        ratios = f"{plain / native:.1f}", f"{read / from_file:.1f}"
        cells = [f"`{pattern}`", f"{found:,}", *speeds[:3], ratios[0], *speeds[3:], ratios[1]]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
