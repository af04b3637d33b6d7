"""Speed of the search beside plain loops over the words, in one thread.

For each pattern: matches, words per second of the native search in an index, of the loop, and their ratio. The times
for making the index are shown apart and together with the search. CPU time is measured, not wall time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

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
    words = sentence.words
    return sum(one.upos == two.upos == "NOUN" for one, two in zip(words, words[1:], strict=False))


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
    print(f"{path.name}: {len(sentences):,} sentences, {words:,} words; CPU time, best of 3, one thread")
    _, indexing = measured(lambda: len(Index(sentences)))
    print(f"heads, labels and dependents: {words / indexing:,.0f} words/s\n")
    print("| pattern | matches | search | index and search | loop | search / loop | together / loop |")
    print("|---|---|---|---|---|---|---|")
    for pattern, loop in PAIRS:
        index = Index(sentences)
        gp.search(index, pattern).count()        # adds the columns that the pattern needs
        found, native = measured(lambda index=index, pattern=pattern: gp.search(index, pattern).count())
        _, together = measured(lambda pattern=pattern: gp.search(Index(sentences), pattern).count())
        counted, plain = measured(lambda loop=loop: sum(map(loop, sentences)))
        if found != counted:
            raise SystemExit(f"{pattern}: the search finds {found}, the loop {counted}")
        speeds = [f"{words / each:,.0f}" for each in (native, together, plain)]
        print(f"| `{pattern}` | {found:,} | {' | '.join(speeds)} | {plain / native:.1f} | {plain / together:.1f} |")


if __name__ == "__main__":
    main()
