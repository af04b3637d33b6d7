"""Treebanks for training: CoNLL-U files in which every sentence is a labelled tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import Source, lines_of, message, read_conllu, source_name
from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token, Word
from gardenpath.trees import find_problems


def read_treebank(source: Source, *, allow_multiple_roots: bool = False) -> list[Sentence]:
    """Read a CoNLL-U treebank for training. Raise `InputError` at the first sentence that is not a labelled tree."""
    sentences = [_checked(sentence, allow_multiple_roots) for sentence in read_conllu(source)]
    if not sentences:
        raise InputError(no_sentences(source_name(source)))
    return sentences


def treebank_of(sentences: Iterable[Sentence], *, allow_multiple_roots: bool = False) -> list[Sentence]:
    """Return sentences in memory as a treebank for training. Raise an error as `read_treebank` does."""
    if not isinstance(sentences, Iterable) or isinstance(sentences, (bytes, Sentence)):
        what = type(sentences).__name__
        raise UsageError(f"a treebank is the path of a CoNLL-U file, or a list of sentences, not {what}")
    found = []
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, Sentence):
            what = type(sentence).__name__
            remedy = "read files with `read_conllu`"
            raise UsageError(f"item {number} of the treebank is not a sentence but {what}; {remedy}")
        if not len(sentence):
            raise InputError(f"sentence {number} of the treebank has no words; leave it out")
        try:
            found.append(_checked(sentence, allow_multiple_roots))
        except InputError as error:
            raise InputError(f"sentence {number} of the treebank: {error}") from None
    if not found:
        raise InputError("the treebank has no sentences; give at least one")
    return found


def _checked(sentence: Sentence, allow_multiple_roots: bool) -> Sentence:
    for problem in (*tree_problems(sentence, allow_multiple_roots), *missing_labels(sentence)):
        raise InputError(problem)
    return sentence


def tree_problems(sentence: Sentence, allow_multiple_roots: bool) -> Iterator[str]:
    """Yield an error message for everything that keeps the heads of a sentence from being a tree."""
    places = Places(sentence)
    for problem in find_problems(sentence.heads, single_root=not allow_multiple_roots):
        word = sentence.words[problem.word - 1] if problem.word else None
        yield places.message(word, f"{problem.fault}; {problem.remedy}")


def missing_labels(sentence: Sentence) -> Iterator[str]:
    """Yield an error message for every word that has a head but no label."""
    places = Places(sentence)
    for word in sentence:
        if word.head is not None and word.deprel == EMPTY:
            yield places.message(word, f"word {word.id} has a head but no DEPREL; add a DEPREL")


def no_sentences(name: str) -> str:
    """Return the error message for a file without sentences."""
    return f"{name}: no sentences; check that this is the right file and that it is complete"


class Places:
    """The places of the nodes of a sentence, for messages. A sentence that is not from a file has no lines."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.name, _, first = sentence.place.rpartition(":")
        self.first = int(first) if first.isdecimal() else None

    @cached_property
    def _lines(self) -> dict[int, int]:
        return lines_of(self.sentence, self.first or 0)

    def message(self, node: Word | Token | EmptyNode | None, problem: str) -> str:
        """Return an error message with the line of a node, or with the first line of the sentence if it is None."""
        sentence = self.sentence
        if self.first is None:
            return f"{sentence.where}: {problem}" if sentence.place or sentence.sent_id else problem
        return message(self.name, self.first if node is None else self._lines[id(node)], sentence, problem)
