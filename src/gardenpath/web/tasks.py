"""What the threads do for requests: text, or sentences, through the steps of a model, piece by piece."""

from __future__ import annotations

import asyncio
import io
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from gardenpath.batches import batches
from gardenpath.core.draft import Draft
from gardenpath.errors import GardenpathError, InputError
from gardenpath.formats.conllu import BOM
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import PIECE, TextPiece, read_pieces
from gardenpath.web.served import Served
from gardenpath.web.work import Task, Workers

CHUNK = 4_000            # words of sentences that are tagged and parsed at once
LETTERS = 5              # how many characters of text a word is taken for

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TextTask:
    """Pieces of text become drafts: divided and, if asked for, tagged and parsed. No sentence may have more words than `longest`."""

    served: Served
    input: str
    tag: bool
    parse: bool
    longest: int

    def __call__(self, pieces: list[TextPiece]) -> list[Draft | GardenpathError]:
        """A draft for each piece, or what is wrong with it."""
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
    """Lists of sentences are tagged and parsed in place. Without `tag` those are tagged that lack what the parser needs, as `Model.parse` does."""

    served: Served
    tag: bool
    parse: bool
    longest: int

    def __call__(self, lists: list[list[Sentence]]) -> list[list[Sentence] | GardenpathError]:
        """The same lists, filled in, or what is wrong with one."""
        return [self._run(sentences) for sentences in lists]

    def _run(self, sentences: list[Sentence]) -> list[Sentence] | GardenpathError:
        model = self.served.model
        try:
            for sentence in sentences:
                check_length(len(sentence), self.longest, f"{sentence.where}: ")
            if self.parse:
                return model.parse(sentences, retag=self.tag)
            return model.tag(sentences) if self.tag else sentences
        except GardenpathError as error:
            return error


def check_length(words: int, longest: int, place: str = "") -> None:
    """Refuse a sentence that is longer than the server allows."""
    if words > longest:
        raise InputError(f"{place}a sentence has {words:,} words; this server takes {longest:,} at most (its option --max-words): divide it")


async def in_order(workers: Workers, task: Task, items: Iterable[tuple[Item, int]]) -> AsyncIterator[Any]:
    """What the task makes of the items of a request, each given with its size: in their order, no more at once than there are threads.

    So others get their turn in between, and when whoever asked is gone, nothing new is begun.
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
    """A text in pieces, with their sizes, for `in_order`."""
    if len(text) < PIECE:
        alone = text.decode().removeprefix(BOM)
        return iter([(TextPiece(alone, 0, False), len(alone))] if alone else [])
    return ((piece, len(piece.text)) for piece in read_pieces(named(text, "text"), by_line=by_line))


def chunks(sentences: Iterable[Sentence]) -> Iterator[tuple[list[Sentence], int]]:
    """Sentences in lists of so many words that they are worth a job, with their sizes, for `in_order`."""
    return ((chunk, LETTERS * sum(map(len, chunk))) for chunk in batches(sentences, CHUNK))


def named(content: bytes, name: str) -> IO[bytes]:
    """Something to read that messages call by this name."""
    stream = _Named(content)
    stream.name = name
    return stream


class _Named(io.BytesIO):
    name: str
