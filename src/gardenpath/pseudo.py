"""Pseudo-projective parsing (Nivre and Nilsson, ACL 2005).

Non-projective arcs are lifted before training and lowered again in the output of the parser. The labels encode the
lifts in one of three ways:

    encoding     a lifted word    an arc on its path
    head         d↑h              p
    path         d↑               p↓
    head+path    d↑h              p↓

d is the label of the lifted word. h is the label of its syntactic head, the head from which it was lifted. The path of
a lifted word goes from its syntactic head up to the word just below its new head, in the original tree. A word on the
path may be lifted itself, and then its dependents move with it. All paths together contain exactly the words from which
some word was lifted. A label with both marks is d↑h↓ or d↑↓.

Arcs that are lifted to the root 0 are not marked; they occur only in trees with several roots. A dependent of 0 is
never lowered, so the roots of a parse stay its roots.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.trees import Heads, depths, projectivise

ENCODINGS = ("head", "path", "head+path")
LIFTED, PASSED = "↑", "↓"


def lift(heads: Heads, labels: Sequence[str], encoding: str) -> tuple[list[int], list[str]]:
    """Lift the non-projective arcs of a tree with `trees.projectivise`, and mark the lifts in the labels."""
    _check_encoding(encoding)
    lifted = projectivise(heads)
    changes = enumerate(zip(heads, lifted, strict=True), 1)
    syntactic = {word: old for word, (old, new) in changes if new and old and old != new}
    decorated = list(labels)
    for word, head in syntactic.items():
        decorated[word - 1] += LIFTED if encoding == "path" else LIFTED + labels[head - 1]
    if encoding != "head":
        paths = [(head, lifted[word - 1]) for word, head in syntactic.items()]
        for node in sorted(_passed(heads, paths) if paths else ()):
            decorated[node - 1] += PASSED
    return lifted, decorated


def lower(heads: Sequence[int], labels: Sequence[str], encoding: str) -> tuple[list[int], list[str]]:
    """Lower the words of a parsed tree that are marked as lifted, and remove all marks from the labels.

    The syntactic head of a word is searched breadth-first, from left to right, below its current head and never below
    the word itself:

        head         the first word with the label h
        path         the first end of a path: a word reached over arcs marked ↓ that has no dependent marked ↓
        head+path    the first word with the label h reached over arcs marked ↓; if there is none, as for `head`

    Words marked ↓ are lowered first, because they are the syntactic heads of other words. Then the other words are
    lowered. Both groups are processed breadth-first from left to right, each word in the tree that the words before it
    have left. Words without a syntactic head are tried again as long as other words move, and stay in place otherwise.
    So a word that was lifted from a lifted word finds it in its original place. The marks need not fit the tree.
    """
    _check_encoding(encoding)
    if not any_decorated(labels):
        return list(heads), list(labels)
    tree = _Lowering(heads, [_take_apart(label) for label in labels])
    waiting = tree.lifted()
    while waiting:
        staying = [word for word in waiting if not tree.lower(word, encoding)]
        waiting = staying if len(staying) < len(waiting) else []
    return tree.heads[1:], [mark.label for mark in tree.marks[1:]]


def is_decorated(label: str) -> bool:
    """Return whether a label has a mark."""
    return LIFTED in label or PASSED in label


def bare(label: str) -> str:
    """Return the label without its marks."""
    return _take_apart(label).label


def any_decorated(labels: Iterable[str]) -> bool:
    """Return whether any of the labels has a mark."""
    return any(map(is_decorated, labels))


def check_labels(sentences: Iterable[Sentence]) -> None:
    """Raise an `InputError` if a label of a treebank contains a mark."""
    for sentence in sentences:
        for word in sentence:
            if is_decorated(word.deprel):
                fault = f"word {word.id} has DEPREL {word.deprel!r}, but {LIFTED} and {PASSED} are for lifted arcs"
                raise InputError(f"{sentence.where}: {fault}; rename it or train without an encoding for lifted arcs")


def _check_encoding(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise UsageError(f"no encoding of lifted arcs is called {encoding!r}; choose one of {', '.join(ENCODINGS)}")


def _passed(heads: Heads, paths: Iterable[tuple[int, int]]) -> set[int]:
    """Return the words on paths (start, end), from `start` up to the word just below `end`, which dominates it."""
    depth = depths(heads)
    found: set[int] = set()
    above = list(range(len(heads) + 1))         # by word: an ancestor below which all words are found; or the word
    for start, end in paths:
        node = start
        while depth[node] > depth[end]:
            if node not in found:
                found.add(node)
                above[node] = heads[node - 1] or 0
            above[node] = above[above[node]]
            node = above[node]
    return found


class _Mark(NamedTuple):
    """The parts of a label.

    `above` is the label of the syntactic head, None if the word was not lifted, and empty if the encoding leaves it
    out. `passed` is whether a word was lifted from this one.
    """

    label: str
    above: str | None = None
    passed: bool = False


def _take_apart(label: str) -> _Mark:
    if not is_decorated(label):
        return _Mark(label)
    before, lifted, above = label.partition(LIFTED)
    return _Mark(before.partition(PASSED)[0], above.partition(PASSED)[0] if lifted else None, PASSED in label)


class _Lowering:
    """A tree whose lifted words are being lowered. Word 0 is the root."""

    def __init__(self, heads: Sequence[int], marks: list[_Mark]) -> None:
        self.heads = [0, *heads]
        self.marks = [_Mark(""), *marks]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(heads, 1):
            self.children[head].append(word)

    def lifted(self) -> list[int]:
        """Return the words to lower, in processing order."""
        words = [word for word in self._descendants(0) if self.heads[word] and self.marks[word].above is not None]
        return sorted(words, key=lambda word: not self.marks[word].passed)

    def lower(self, word: int, encoding: str) -> bool:
        """Attach a word to the head from which it was lifted, and return whether that head was found."""
        head = next(self._syntactic_heads(word, encoding), None)
        if head is None:
            return False
        self.children[self.heads[word]].remove(word)
        insort(self.children[head], word)
        self.heads[word] = head
        return True

    def _syntactic_heads(self, word: int, encoding: str) -> Iterator[int]:
        """Yield the words from which this word may have been lifted, the most likely first."""
        if encoding == "path":
            return self._ends_of_paths(word)
        if encoding == "head":
            return self._namesakes(word)
        return chain(self._namesakes(word, only_passed=True), self._namesakes(word))

    def _namesakes(self, word: int, *, only_passed: bool = False) -> Iterator[int]:
        """Yield the words with the label of the syntactic head."""
        found = self._descendants(self.heads[word], without=word, only_passed=only_passed)
        return (node for node in found if self.marks[node].label == self.marks[word].above)

    def _ends_of_paths(self, word: int) -> Iterator[int]:
        found = self._descendants(self.heads[word], without=word, only_passed=True)
        return (node for node in found if not any(self.marks[child].passed for child in self.children[node]))

    def _descendants(self, top: int, *, without: int = 0, only_passed: bool = False) -> Iterator[int]:
        """Yield the words below `top`, breadth-first and from left to right, but not the subtree of `without`."""
        nodes = [top]
        for node in nodes:
            for child in self.children[node]:
                if child != without and (self.marks[child].passed or not only_passed):
                    yield child
                    nodes.append(child)
