"""Treebanks for training: CoNLL-U files in which every sentence is a labelled tree."""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.errors import InputError
from gardenpath.formats.conllu import Source, line_of, message, read_conllu, source_name
from gardenpath.formats.document import EMPTY, EmptyNode, Sentence, Token, Word
from gardenpath.trees import find_problems


def read_treebank(source: Source, *, allow_multiple_roots: bool = False) -> list[Sentence]:
    """Read a CoNLL-U treebank for training. Raise `InputError` at the first sentence that is not a labelled tree."""
    sentences = []
    for sentence in read_conllu(source):
        for problem in (*tree_problems(sentence, allow_multiple_roots), *missing_labels(sentence)):
            raise InputError(problem)
        sentences.append(sentence)
    if not sentences:
        raise InputError(no_sentences(source_name(source)))
    return sentences


def tree_problems(sentence: Sentence, allow_multiple_roots: bool) -> Iterator[str]:
    """Yield an error message for everything that keeps the heads of a sentence from being a tree."""
    for problem in find_problems(sentence.heads, single_root=not allow_multiple_roots):
        word = sentence.words[problem.word - 1] if problem.word else None
        yield problem_at(sentence, word, f"{problem.fault}; {problem.remedy}")


def missing_labels(sentence: Sentence) -> Iterator[str]:
    """Yield an error message for every word that has a head but no label."""
    for word in sentence:
        if word.head is not None and word.deprel == EMPTY:
            yield problem_at(sentence, word, f"word {word.id} has a head but no DEPREL; add a DEPREL")


def no_sentences(name: str) -> str:
    """Return the error message for a file without sentences."""
    return f"{name}: no sentences; check that this is the right file and that it is complete"


def problem_at(sentence: Sentence, node: Word | Token | EmptyNode | None, problem: str) -> str:
    """Return an error message with the line of a node, or of the first line of the sentence if `node` is None."""
    name, _, first = sentence.place.rpartition(":")
    line = int(first) if node is None else line_of(sentence, node, int(first))
    return message(name, line, sentence, problem)
