"""Tasks of the worker threads: run the steps of a model on pieces of text, or on lists of sentences."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from gardenpath.batches import batches
from gardenpath.core.draft import Draft
from gardenpath.errors import GardenpathError, InputError
from gardenpath.files import named
from gardenpath.formats.conllu import BOM
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import PIECE, TextPiece, read_pieces
from gardenpath.parsing.given import HeadPolicy
from gardenpath.web.served import Served
from gardenpath.web.work import Task, Workers

CHUNK = 4_000            # number of words in the lists of sentences that are tagged and parsed together
LETTERS = 5              # estimated number of characters per word

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TextTask:
    """Splits and tokenizes pieces of text and, on request, tags and parses them.

    `longest` is the maximum number of words in a sentence.
    """

    served: Served
    input: str
    tag: bool
    parse: bool
    longest: int

    def __call__(self, pieces: list[TextPiece]) -> list[Draft | GardenpathError]:
        """Return a draft or an error for each piece."""
        pipeline = self.served.model.pipeline()
        results = [self._divide(piece) for piece in pieces]
        pipeline.analyse([draft for draft in results if isinstance(draft, Draft)], tag=self.tag, parse=self.parse)
        return results

    def _divide(self, piece: TextPiece) -> Draft | GardenpathError:
        try:
            draft = self.served.model.pipeline().divide(piece.text, self.input, piece.offset, piece.continues)
            check_length(draft.longest, self.longest)
        except GardenpathError as error:
            return error
        return draft


@dataclass(frozen=True, slots=True)
class SentenceTask:
    """Tags and parses lists of sentences in place.

    Without `tag`, only missing tags are filled in, as in `Model.parse`. `heads` says which given heads stay.
    """

    served: Served
    tag: bool
    parse: bool
    longest: int
    heads: HeadPolicy

    def __call__(self, lists: list[list[Sentence]]) -> list[list[Sentence] | GardenpathError]:
        """Return each list, filled in, or the error for it."""
        return [self._run(sentences) for sentences in lists]

    def _run(self, sentences: list[Sentence]) -> list[Sentence] | GardenpathError:
        model = self.served.model
        try:
            for sentence in sentences:
                check_length(len(sentence), self.longest, f"{sentence.where}: ")
            if self.parse:
                keep, drop_conflicts = self.heads
                return model.parse(sentences, retag=self.tag, keep_heads=keep, drop_conflicts=drop_conflicts)
            return model.tag(sentences) if self.tag else sentences
        except GardenpathError as error:
            return error


def check_length(words: int, longest: int, place: str = "") -> None:
    """Raise `InputError` if a sentence is longer than the server allows."""
    if words > longest:
        limit = f"the server allows at most {longest:,} (option --max-words)"
        raise InputError(f"{place}a sentence has {words:,} words, but {limit}; split it")


async def in_order(workers: Workers, task: Task, items: Iterable[tuple[Item, int]]) -> AsyncIterator[Any]:
    """Yield the results of a task for the items of a request, in their order. Each item comes with its size.

    At most as many items as there are threads are submitted at once. This leaves time for other requests, and stops the
    work when the request is cancelled.
    """
    waiting = iter(items)
    item = next(waiting, None)
    running: deque[asyncio.Task[Any]] = deque()
    try:
        while item is not None:
            following = next(waiting, None)
            if following is None and not running:
                yield await workers.run(task, *item)
                return
            running.append(asyncio.create_task(workers.run(task, *item)))
            item = following
            if len(running) == workers.threads:
                yield await running.popleft()
        while running:
            yield await running.popleft()
    finally:
        for job in running:
            job.cancel()


def pieces(text: bytes, *, by_line: bool) -> Iterator[tuple[TextPiece, int]]:
    """Split a text into pieces with their sizes, for `in_order`."""
    if len(text) < PIECE:
        alone = text.decode().removeprefix(BOM)
        return iter([(TextPiece(alone, 0, False), len(alone))] if alone else [])
    return ((piece, len(piece.text)) for piece in read_pieces(named(text, "text"), by_line=by_line))


def chunks(sentences: Iterable[Sentence]) -> Iterator[tuple[list[Sentence], int]]:
    """Group sentences into lists of about `CHUNK` words with their sizes, for `in_order`."""
    return ((chunk, LETTERS * sum(map(len, chunk))) for chunk in batches(sentences, CHUNK))
