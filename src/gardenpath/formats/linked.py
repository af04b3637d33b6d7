"""The link from words and multi-word tokens to their sentence.

A sentence links its words when they are first accessed. Reading, parsing and writing do without links, because a cycle
of references is freed later than other objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

from gardenpath.errors import UsageError

if TYPE_CHECKING:
    from gardenpath.formats.document import Sentence


class Linked:
    """An object that knows its sentence. Copies of it belong to no sentence."""

    __slots__ = ("_sentence",)

    _sentence: Sentence

    @property
    def sentence(self) -> Sentence:
        """The sentence. A `UsageError` is raised for an object that is not part of one."""
        try:
            return self._sentence
        except AttributeError:
            raise UsageError(f"{self!r} is not part of a sentence; add it to the words of one") from None

    def _drop_index(self) -> None:
        """Drop the tree index of the sentence, because the tree has changed."""
        sentence = getattr(self, "_sentence", None)
        if sentence is not None:
            sentence._index = None

    def __getstate__(self) -> Any:
        state: Any = object.__getstate__(self)      # a pair for classes with slots
        return state[0], {name: value for name, value in state[1].items() if name != "_sentence"}


Item = TypeVar("Item", bound=Linked)


class LinkedList(list[Item]):
    """The words or the multi-word tokens of a sentence. Items that are added or removed are linked or unlinked.

    An item that is added to another sentence belongs to that sentence from then on. Every change drops the tree index
    of the sentence.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: Sentence, items: Iterable[Item]) -> None:
        super().__init__(items)
        self._owner = owner
        self._link(self)

    def _link(self, items: Iterable[Item]) -> None:
        owner = self._owner
        owner._index = None
        for item in items:
            item._drop_index()
            item._sentence = owner

    def _unlink(self, items: Iterable[Item]) -> None:
        """Unlink the items that are no longer in the list."""
        self._owner._index = None
        kept = {id(item) for item in self}
        for item in items:
            if id(item) not in kept and getattr(item, "_sentence", None) is self._owner:
                del item._sentence

    def append(self, item: Item) -> None:
        """Add an item at the end."""
        super().append(item)
        self._link([item])

    def extend(self, items: Iterable[Item]) -> None:
        """Add items at the end."""
        start = len(self)
        super().extend(items)
        self._link(list.__getitem__(self, slice(start, None)))

    def insert(self, index: SupportsIndex, item: Item) -> None:
        """Add an item before a position."""
        super().insert(index, item)
        self._link([item])

    def pop(self, index: SupportsIndex = -1) -> Item:
        """Remove and return an item."""
        item = super().pop(index)
        self._unlink([item])
        return item

    def remove(self, item: Item) -> None:
        """Remove the first item that is equal to this one."""
        del self[self.index(item)]

    def clear(self) -> None:
        """Remove all items."""
        del self[:]

    def sort(self, **order: Any) -> None:
        """Sort the items."""
        super().sort(**order)
        self._owner._index = None

    def reverse(self) -> None:
        """Reverse the order of the items."""
        super().reverse()
        self._owner._index = None

    def __setitem__(self, key: Any, value: Any) -> None:
        old = list(self)
        super().__setitem__(key, value)
        self._link(self)
        self._unlink(old)

    def __delitem__(self, key: SupportsIndex | slice[SupportsIndex | None]) -> None:
        old = list(self)
        super().__delitem__(key)
        self._unlink(old)

    def __iadd__(self, items: Iterable[Item]) -> LinkedList[Item]:  # type: ignore[misc,override]
        self.extend(items)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)
