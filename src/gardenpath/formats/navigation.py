"""Navigation in the tree of a sentence, from word to word.

A word is found by its id, its dependents by their HEAD. Heads, ids and words can change at any time: every change drops
the index of the sentence, and the next question makes a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.linked import Linked
from gardenpath.formats.span import Span

if TYPE_CHECKING:
    from gardenpath.formats.document import Sentence
    from gardenpath.formats.nodes import Token, Word


class TreeIndex:
    """The words of a sentence by their ids, and by their heads. Of several words with one id, the first counts."""

    __slots__ = ("words", "children")

    def __init__(self, words: list[Word]) -> None:
        self.words = {word._id: word for word in reversed(words)}
        self.children: dict[int | None, list[Word]] = {}
        for word in words:
            self.children.setdefault(word._head, []).append(word)


class TreeNode(Linked):
    """The navigation of `Word`. The word must be part of a sentence, its `sentence`.

    If the heads form a cycle, everything that follows heads up to the root raises an `InputError`.
    """

    __slots__ = ("_id", "_head")

    _id: int
    _head: int | None

    @property
    def id(self) -> int:
        """The id: 1 for the first word."""
        return self._id

    @id.setter
    def id(self, id: int) -> None:
        self._id = id
        self._drop_index()

    @property
    def head(self) -> int | None:
        """The id of the head: 0 for the root, None if HEAD is `_`."""
        return self._head

    @head.setter
    def head(self, head: int | None) -> None:
        self._head = head
        self._drop_index()

    @property
    def head_word(self) -> Word | None:
        """The head as a word; None for the root and for a word without HEAD."""
        return word_of(self.sentence, self._head) if self._head else None

    @property
    def children(self) -> list[Word]:
        """The dependents, in the order of the sentence."""
        return list(self.sentence._tree_index.children.get(self._id, ()))

    @property
    def left_children(self) -> list[Word]:
        """The dependents before this word."""
        return [word for word in self.children if word._id < self._id]

    @property
    def right_children(self) -> list[Word]:
        """The dependents after this word."""
        return [word for word in self.children if word._id > self._id]

    @property
    def ancestors(self) -> list[Word]:
        """The head, the head of the head, and so on up to the root."""
        sentence, head, found = self.sentence, self._head, []
        while head:
            word = word_of(sentence, head)
            found.append(word)
            head = word._head
            if len(found) > len(sentence):
                raise InputError(f"{sentence.where}: the heads above word {self.id} form a cycle; correct HEAD")
        return found

    def is_ancestor_of(self, other: Word) -> bool:
        """Return whether this word is the head of the other, the head of its head, and so on."""
        return any(word is self for word in other.ancestors)

    @property
    def depth(self) -> int:
        """The number of ancestors: 0 for the root, 1 for its dependents."""
        return len(self.ancestors)

    def path_to(self, other: Word) -> list[Word]:
        """Return the words on the path to another word of the sentence, from this word to the other.

        The path goes up to the lowest common ancestor and then down. It is empty if the words are in different trees.
        """
        if other.sentence is not self.sentence:
            raise UsageError("there is no path between words of different sentences; give a word of the same sentence")
        up, down = [self._word, *self.ancestors], [other, *other.ancestors]
        if up[-1] is not down[-1]:
            return []
        while len(up) > 1 and len(down) > 1 and up[-2] is down[-2]:
            up.pop()
            down.pop()
        return up + down[-2::-1]

    @property
    def subtree(self) -> Span:
        """This word and everything below it, in the order of the sentence."""
        children = self.sentence._tree_index.children
        found, waiting = {self._id: self._word}, [self._id]
        while waiting:
            for word in children.get(waiting.pop(), ()):
                if word._id not in found:
                    found[word._id] = word
                    waiting.append(word._id)
        return Span(self.sentence, [found[number] for number in sorted(found)])

    @property
    def token(self) -> Token | None:
        """The multi-word token that this word is part of, or None."""
        return next((token for token in self.sentence.ranges if token.first <= self.id <= token.last), None)

    @property
    def word_ids(self) -> range:
        """The ids of the words of this surface token: only its own."""
        return range(self.id, self.id + 1)

    @property
    def _word(self) -> Word:
        return cast("Word", self)


def word_of(sentence: Sentence, number: int, remedy: str = "correct HEAD or ID") -> Word:
    """Return the word with this id."""
    words = sentence.words
    if 0 < number <= len(words) and words[number - 1]._id == number:
        return words[number - 1]
    if number in sentence._tree_index.words:
        return sentence._tree_index.words[number]
    raise InputError(f"{sentence.where}: there is no word {number} among its {len(words)} words; {remedy}")
