"""Warn of documents that are probably not in the language of a model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import TypeVar

from gardenpath.errors import GardenpathWarning
from gardenpath.formats.document import Sentence
from gardenpath.models.languages import misfit
from gardenpath.models.profile import CHARACTERS, Profile

MOST = 20                # maximum number of warnings for one call

Item = TypeVar("Item")


def warned(
    items: Iterable[Item], profile: Profile | None, text_of: Callable[[Item], str],
    document_of: Callable[[Item], str] = lambda _: "",
) -> Iterator[Item]:
    """Yield the items; warn once for each document whose beginning does not fit the profile.

    Consecutive items with the same `document_of`, a name for messages, are a document.
    """
    if profile is None:
        yield from items
        return
    warner = Warner(profile)
    for document, group in groupby(items, document_of):
        yield from with_beginning(group, text_of, partial(warner.judge, document))


class Warner:
    """Warns of texts that do not fit a profile, up to a number of times."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.warnings = 0

    def judge(self, document: str, text: str) -> None:
        """Warn if a text, the beginning of this document, does not fit."""
        found = misfit(self.profile, text) if self.warnings < MOST else None
        if found is None:
            return
        self.warnings += 1
        more = "; other documents are not mentioned any more" if self.warnings == MOST else ""
        warnings.warn(f"{f'{document}: ' if document else ''}{found}{more}", GardenpathWarning, stacklevel=4)


def with_beginning(
    items: Iterable[Item], text_of: Callable[[Item], str], judge: Callable[[str], None],
) -> Iterator[Item]:
    """Yield the items of a document; call `judge` with the beginning of its text as soon as enough is known."""
    waiting, seen = iter(items), ""
    for item in waiting:
        seen = f"{seen} {text_of(item)[:CHARACTERS]}" if seen else text_of(item)[:CHARACTERS]
        if len(seen) >= CHARACTERS:
            judge(seen)
            yield item
            break
        yield item
    else:
        judge(seen)
    yield from waiting


def forms(sentence: Sentence) -> str:
    """Return the text of a sentence, with a space between all tokens."""
    return " ".join(token.form for token in sentence.tokens)


def file_of(sentence: Sentence) -> str:
    """Return the file of a sentence, or an empty string if it comes from no file."""
    return (sentence.place or "").rpartition(":")[0]
