"""Make the treebanks of the experiments under the papers' conditions.

`python tools/paper_treebanks.py ../shared/treebanks build/treebanks`

The first folder contains `wsj-sample`, `conll-2007` and `ud-2.16/en_ewt`. The second one gets these treebanks:

    wsj-sample              the sample of the Penn Treebank: unlabelled, function words are heads
    basque                  Basque of CoNLL 2007 in UTF-8; 39 per cent of the training sentences have several roots
    basque-one-root         the same with all roots attached to one of them, for systems that need one root
    ewt                     two of five sentences of English-EWT, about as many words as in the sample
    ewt-unlabelled          the same without labels
    ewt-function-heads      the same without labels, with function words as heads

The result depends on the treebanks only.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterator
from itertools import compress, cycle
from pathlib import Path

import gardenpath as gp
from gardenpath.formats.document import Sentence, Word

OUTER = ("case", "mark")                          # function words outside others: "after having been seen"
INNER = ("aux", "aux:pass", "cop")
PUNCTUATION = "PUNC"                              # a label of the Basque treebank
KEPT = (True, False, True, False, False)          # of each five sentences of English-EWT


def as_it_is(sentence: Sentence) -> None:
    """Keep the tree."""


def one_root(sentence: Sentence) -> None:
    """Attach all roots to the first one that is not punctuation. They keep their labels."""
    roots = [word for word in sentence.words if word.head == 0]
    first = min(roots, key=lambda word: (word.deprel == PUNCTUATION, word.id))
    for word in roots:
        word.head = 0 if word is first else first.id


def unlabelled(sentence: Sentence) -> None:
    """Replace all labels by `dep`, except that of the root."""
    for word in sentence.words:
        word.deprel = "root" if word.head == 0 else "dep"


def function_heads(sentence: Sentence) -> None:
    """Make function words the heads of the words that they depend on, and remove the labels.

    The function words of a word form a chain from the outermost one to the word. Another dependent of the word goes to
    the outermost function word between the two, so that the arcs do not cross.
    """
    words = sentence.words
    chains = {word.id: _functions(words, word) for word in words}
    heads = {word.id: _place(chains, word) for word in words}
    for number, chain in chains.items():
        above = heads[number]
        for each in [*chain, number]:
            heads[each], above = above, each
    for word in words:
        word.head = heads[word.id]
    unlabelled(sentence)


def _functions(words: list[Word], word: Word) -> list[int]:
    """The function words of a word, from the outermost one on. Function words have none."""
    if word.deprel in (*OUTER, *INNER):
        return []
    return [each.id for kind in (OUTER, INNER) for each in words if each.head == word.id and each.deprel in kind]


def _place(chains: dict[int, list[int]], word: Word) -> int:
    """The head of a word or of its chain: its head, or the outermost function word of this head between the two."""
    if not word.head:
        return 0
    low, high = sorted((word.id, word.head))
    return next((each for each in chains[word.head] if low < each < high), word.head)


def _basque(path: Path) -> Iterator[Sentence]:
    return gp.read_conllx(io.BytesIO(path.read_text(encoding="latin-1").encode()))


def _ewt(path: Path) -> Iterator[Sentence]:
    return compress(gp.read_conllu(path), cycle(KEPT))


Version = tuple[str, Callable[[Path], Iterator[Sentence]], Callable[[Sentence], None]]
VERSIONS: dict[str, Version] = {
    "wsj-sample": ("wsj-sample/wsj-sample-{}.conllu", gp.read_conllu, as_it_is),
    "basque": ("conll-2007/eus.{}", _basque, as_it_is),
    "basque-one-root": ("conll-2007/eus.{}", _basque, one_root),
    "ewt": ("ud-2.16/en_ewt/en_ewt-ud-{}.conllu", _ewt, as_it_is),
    "ewt-unlabelled": ("ud-2.16/en_ewt/en_ewt-ud-{}.conllu", _ewt, unlabelled),
    "ewt-function-heads": ("ud-2.16/en_ewt/en_ewt-ud-{}.conllu", _ewt, function_heads),
}


def write(source: Path, target: Path, name: str) -> None:
    """Write the files of one treebank."""
    pattern, read, change = VERSIONS[name]
    for part in ("train", "dev", "test"):
        path = source / pattern.format(part)
        if path.is_file():
            sentences = list(read(path))
            for sentence in sentences:
                change(sentence)
            (target / name).mkdir(parents=True, exist_ok=True)
            gp.write_conllu(sentences, target / name / f"{name}-{part}.conllu")


def main() -> None:
    """Write all treebanks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder with the treebanks")
    parser.add_argument("target", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    for name in VERSIONS:
        write(arguments.source, arguments.target, name)


if __name__ == "__main__":
    main()
