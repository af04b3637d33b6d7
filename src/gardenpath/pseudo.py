"""Pseudo-projective parsing (Nivre and Nilsson, ACL 2005): non-projective arcs are lifted for training, and lowered again in what the parser returns.

Labels say what was lifted, in one of three encodings:

    encoding     a lifted word    an arc on its path
    head         d↑h              p
    path         d↑               p↓
    head+path    d↑h              p↓

d is the label of the lifted word and h that of its syntactic head, from which it was lifted. Its path leads from the syntactic head up to just below the
new head, in the original tree. A word of the path may be lifted itself and take others along, past words from which they never hung; but all paths
together are just the words from which some word was lifted. A label with both marks is d↑h↓ or d↑↓.

An arc lifted to the root 0, which takes several roots, is not marked: a word that hangs from 0 is never lowered, so the roots of a parse stay its roots.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from gardenpath.formats.document import Sentence
from gardenpath.errors import InputError, UsageError
from gardenpath.trees import Heads, projectivise

ENCODINGS = ("head", "path", "head+path")
LIFTED, PASSED = "↑", "↓"


def lift(heads: Heads, labels: Sequence[str], encoding: str) -> tuple[list[int], list[str]]:
    """Lift the non-projective arcs of a tree, as `trees.projectivise` does, and say so in the labels."""
    _refuse_unknown(encoding)
    lifted = projectivise(heads)
    syntactic = {word: old for word, (old, new) in enumerate(zip(heads, lifted, strict=True), 1) if new and old and old != new}
    decorated = list(labels)
    for word, head in syntactic.items():
        decorated[word - 1] += LIFTED if encoding == "path" else LIFTED + labels[head - 1]
    passed = {node for word, head in syntactic.items() for node in _path(heads, head, lifted[word - 1])}
    for word in sorted(passed) if encoding != "head" else ():
        decorated[word - 1] += PASSED
    return lifted, decorated


def lower(heads: Sequence[int], labels: Sequence[str], encoding: str) -> tuple[list[int], list[str]]:
    """Lower the words of a parsed tree that are marked as lifted to their syntactic heads, and take all marks off the labels.

    The syntactic head is sought below the word's head, level by level and left to right, never below the word itself:

        head         the first word with the label h
        path         the first end of a path: a word reached over arcs marked ↓ that has no such arc below it
        head+path    the first word with the label h reached over arcs marked ↓; without one, as in `head`

    Words that are themselves marked ↓ are lowered first, since others belong below them, and then the rest, both from the top of the tree to the
    bottom and left to right, each in the tree as those before have left it. Words that find no head try again as long as others move, and then stay
    where they are. So what was lifted out of a lifted word finds it at home again. The marks may be any and need not fit the tree.
    """
    _refuse_unknown(encoding)
    if not any_decorated(labels):
        return list(heads), list(labels)
    tree = _Lowering(heads, [_take_apart(label) for label in labels])
    waiting = tree.lifted()
    while waiting:
        staying = [word for word in waiting if not tree.lower(word, encoding)]
        waiting = staying if len(staying) < len(waiting) else []
    return tree.heads[1:], [mark.label for mark in tree.marks[1:]]


def is_decorated(label: str) -> bool:
    """Tell whether a label carries a mark."""
    return LIFTED in label or PASSED in label


def bare(label: str) -> str:
    """The label without its marks."""
    return _take_apart(label).label


def any_decorated(labels: Iterable[str]) -> bool:
    """Tell whether any of the labels carries a mark."""
    return any(map(is_decorated, labels))


def check_labels(sentences: Iterable[Sentence]) -> None:
    """See to it that no label of a treebank looks as if it carried a mark; raise `InputError` at the first that does."""
    for sentence in sentences:
        for word in sentence:
            if is_decorated(word.deprel):
                fault = f"word {word.id} has DEPREL {word.deprel!r}, but {LIFTED} and {PASSED} are for lifted arcs"
                raise InputError(f"{sentence.where}: {fault}; rename it or train without an encoding of them")


def _refuse_unknown(encoding: str) -> None:
    if encoding not in ENCODINGS:
        raise UsageError(f"no encoding of lifted arcs is called {encoding!r}; there are {', '.join(ENCODINGS)}")


def _path(heads: Heads, start: int, end: int) -> Iterator[int]:
    """The words from one up to just below another that dominates it."""
    node = start
    while node != end:
        yield node
        node = heads[node - 1] or 0


class _Mark(NamedTuple):
    """A label taken apart: `above` is that of the syntactic head (None: not lifted, empty: not said), `passed` whether something was lifted from here."""

    label: str
    above: str | None = None
    passed: bool = False


def _take_apart(label: str) -> _Mark:
    if not is_decorated(label):
        return _Mark(label)
    before, lifted, above = label.partition(LIFTED)
    return _Mark(before.partition(PASSED)[0], above.partition(PASSED)[0] if lifted else None, PASSED in label)


class _Lowering:
    """A tree while its lifted words are lowered; word 0 is the root."""

    def __init__(self, heads: Sequence[int], marks: list[_Mark]) -> None:
        self.heads = [0, *heads]
        self.marks = [_Mark(""), *marks]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(heads, 1):
            self.children[head].append(word)

    def lifted(self) -> list[int]:
        """The words to lower, in their order."""
        words = [word for word in self._descendants(0) if self.heads[word] and self.marks[word].above is not None]
        return sorted(words, key=lambda word: not self.marks[word].passed)

    def lower(self, word: int, encoding: str) -> bool:
        """Move a word to the head from which it was lifted; tell whether one was found."""
        head = next(self._syntactic_heads(word, encoding), None)
        if head is None:
            return False
        self.children[self.heads[word]].remove(word)
        insort(self.children[head], word)
        self.heads[word] = head
        return True

    def _syntactic_heads(self, word: int, encoding: str) -> Iterator[int]:
        """The words from which this one may have been lifted, the likeliest first."""
        if encoding == "path":
            return self._ends_of_paths(word)
        if encoding == "head":
            return self._namesakes(word)
        return chain(self._namesakes(word, only_passed=True), self._namesakes(word))

    def _namesakes(self, word: int, *, only_passed: bool = False) -> Iterator[int]:
        """The words that have the label of the syntactic head."""
        found = self._descendants(self.heads[word], without=word, only_passed=only_passed)
        return (node for node in found if self.marks[node].label == self.marks[word].above)

    def _ends_of_paths(self, word: int) -> Iterator[int]:
        found = self._descendants(self.heads[word], without=word, only_passed=True)
        return (node for node in found if not any(self.marks[child].passed for child in self.children[node]))

    def _descendants(self, top: int, *, without: int = 0, only_passed: bool = False) -> Iterator[int]:
        """The words below one, level by level and left to right, without one of them and what is below it."""
        nodes = [top]
        for node in nodes:
            below = [child for child in self.children[node] if child != without and (self.marks[child].passed or not only_passed)]
            yield from below
            nodes.extend(below)
