"""Names of attributes in spaCy, Stanza and udapi. Errors about them name the attribute of gardenpath.

They are attributes of the classes, because `__getattr__` would make all other attributes slower.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

WORD = {
    "text": "form", "orth_": "form", "lemma_": "lemma", "pos": "upos", "pos_": "upos", "tag": "xpos", "tag_": "xpos",
    "morph": "feats", "dep": "deprel", "dep_": "deprel", "i": "id", "ord": "id",
    "parent": "head_word", "lefts": "left_children", "rights": "right_children", "descendants": "subtree",
    "idx": "start", "start_char": "start", "end_char": "end", "sent": "sentence", "root": "sentence.root",
}
TOKEN = {"text": "form", "id": "word_ids", "start_char": "start", "end_char": "end", "sent": "sentence"}
SENTENCE = {"descendants": "words", "metadata": "comments", "to_conll": "to_conllu"}
DOCUMENT = {"sents": "sentences", "bundles": "sentences", "trees": "sentences", "tokens": "words"}

Class = TypeVar("Class", bound=type)


class _OtherName:
    """An attribute that does not exist here. Reading or writing it raises an error with the right name."""

    def __init__(self, name: str, ours: str) -> None:
        self.name, self.ours = name, ours

    def __get__(self, owner: object, kind: type) -> NoReturn:
        raise AttributeError(f"{kind.__name__!r} object has no attribute {self.name!r}; use {self.ours!r}")

    def __set__(self, owner: object, value: Any) -> NoReturn:
        self.__get__(owner, type(owner))


def explains(names: Mapping[str, str]) -> Callable[[Class], Class]:
    """Return a decorator of a class: errors about the keys of `names` suggest the values. `dir` does not list them."""

    def decorated(kind: Class) -> Class:
        for name, ours in names.items():
            setattr(kind, name, _OtherName(name, ours))
        kind.__dir__ = lambda self: [name for name in object.__dir__(self) if name not in names]  # type: ignore
        return kind

    return decorated
