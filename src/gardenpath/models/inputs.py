"""The input of a model: texts and lists of tokens, checked before they are parsed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gardenpath.core.draft import Draft
from gardenpath.errors import GardenpathWarning, InputError, UsageError
from gardenpath.formats.document import Document, Sentence
from gardenpath.formats.given import token_lists
from gardenpath.pipeline.pipeline import Pipeline, checked_input

Tokens = Sequence[str] | Sequence[Sequence[str]]
TOKENS = "tokens"
LONGEST_NAME = 255       # characters; a longer text is not the name of a file


class Given(NamedTuple):
    """A text, or sentences as lists of tokens, and the object that accompanies it through `pipe`."""

    text: str | list[list[str]]
    context: Any = None

    def draft(self, pipeline: Pipeline, input: str) -> Draft:
        """Return the text split into sentences and words."""
        return pipeline.divide(self.text, input) if isinstance(self.text, str) else Draft.of(self.text)

    @property
    def plain(self) -> str:
        """The text, or the tokens separated by spaces."""
        return self.text if isinstance(self.text, str) else " ".join(form for each in self.text for form in each)

    @property
    def size(self) -> int:
        """The number of characters."""
        return len(self.text) if isinstance(self.text, str) else sum(len(form) for each in self.text for form in each)


def given(text: object, input: str, context: Any = None) -> Given:
    """Check the input of a model; raise `UsageError` if it is neither a text nor, for the kind `tokens`, a list."""
    checked_input(input)
    if isinstance(text, str):
        text = str(text)         # a plain string, also of a subclass such as that of NumPy
        if _is_file(text):
            remedy = f"to parse its content, call the model with Path({text!r}).read_text(encoding='utf-8')"
            warnings.warn(f"the text {text!r} is the name of a file; {remedy}", GardenpathWarning, stacklevel=3)
        return Given(text, context)
    if isinstance(text, (Sentence, Document)):
        raise UsageError(f"this is a {type(text).__name__}, not a text; for sentences use `parse`: nlp.parse(document)")
    if isinstance(text, (bytes, bytearray)):
        raise UsageError("the text must be a string, not bytes; decode it first: nlp(content.decode('utf-8'))")
    if isinstance(text, os.PathLike):
        raise UsageError("the text must be a string, not a path; read the file first: nlp(path.read_text('utf-8'))")
    if not isinstance(text, Iterable):
        raise UsageError(f"the text must be a string, not {type(text).__name__}")
    if input != TOKENS:
        raise UsageError(
            "call a model with one text; for a list of tokens add input='tokens', for many texts use `pipe`, for "
            "sentences `parse`"
        )
    return Given(token_lists(text), context)


def many(texts: Iterable[Any], input: str, as_tuples: bool) -> Iterator[Given]:
    """Yield the checked inputs of `pipe`; raise an error at the first one that is not valid.

    With `as_tuples` each item is a pair of a text and its context.
    """
    for number, item in enumerate(texts, 1):
        if as_tuples and not (isinstance(item, (tuple, list)) and len(item) == 2):
            raise UsageError(f"text {number} is not a pair; with as_tuples=True, give pairs (text, context)")
        text, context = item if as_tuples else (item, None)
        try:
            checked = given(text, input, context)
            Draft(checked.text) if isinstance(checked.text, str) else Draft.of(checked.text)
        except (InputError, UsageError) as error:
            hint = "; for pairs (text, context) add as_tuples=True" if isinstance(item, tuple) and not as_tuples else ""
            raise type(error)(f"text {number}: {error}{hint}") from None
        yield checked


def _is_file(text: str) -> bool:
    """Return whether a text is probably the name of a file and was not meant as a text."""
    return len(text) <= LONGEST_NAME and "." in text and len(text.split()) == 1 and os.path.isfile(text)
