"""The work of one worker: from a shard to its output files.

The model is loaded once, and a compressed file stays open from one of its parts to the next.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from gardenpath import models
from gardenpath.corpus.contents import Content, Stream, contents
from gardenpath.corpus.cuts import Cut
from gardenpath.corpus.documents import Item, Warned, documents, row_documents
from gardenpath.corpus.parsing import Counts, PartParser
from gardenpath.corpus.parts import write_part
from gardenpath.corpus.plan import TABLES, CorpusSettings, Segment, Shard
from gardenpath.corpus.rows import Row, rows
from gardenpath.errors import GardenpathError, InputError
from gardenpath.machine import peak_memory
from gardenpath.models.model import Model
from gardenpath.parsing.given import HeadPolicy


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a shard.

    `size` is the number of bytes read from input files, `memory` the peak memory of the worker so far in MB,
    `following` the next part of an endless shard, `warned` the first documents that are probably not in the language of
    the model.
    """

    shard: Shard
    counts: Counts
    size: int = 0
    memory: float | None = None
    following: Shard | None = None
    failure: str | None = None
    warned: tuple[Warned, ...] = ()


class FetchedShard(NamedTuple):
    """The content of a shard, read for a worker that cannot read it.

    It has the content of each segment, the number of bytes read, and the next part of an endless shard.
    """

    contents: list[list[Content] | list[Row]]
    size: int
    following: Shard | None = None


class Work:
    """Parses shards with a model file and writes the output to a folder.

    The model is loaded by the worker, at the first shard.
    """

    def __init__(self, model: Path, settings: CorpusSettings, folder: Path) -> None:
        self.model = model
        self.settings = settings
        self.folder = folder
        self._loaded: Model | None = None
        self._reader = Reader(settings)

    def __call__(self, shard: Shard) -> Done:
        """Parse a shard whose files this machine has."""
        return self.attempt(shard, None)

    def attempt(self, shard: Shard, fetched: FetchedShard | None) -> Done:
        """Parse a shard, with its content in `fetched` if this machine does not have its files.

        An error that would occur again is returned as a failure.
        """
        try:
            return self._do(shard, fetched)
        except MemoryError:
            raise
        except (GardenpathError, OSError) as error:
            return Done(shard, Counts(), failure=str(error))
        except Exception:
            return Done(shard, Counts(), failure=traceback.format_exc())

    def _do(self, shard: Shard, fetched: FetchedShard | None) -> Done:
        if fetched is None and shard.endless:
            fetched = self._reader.fetch(shard)
        heads = HeadPolicy(self.settings.keep_heads, self.settings.drop_conflicts)
        parser = PartParser(self._model(), shard.label, self.settings.format in TABLES, heads)
        found = self._reader.contents(shard) if fetched is None else fetched.contents
        items = chain.from_iterable(
            self._items(segment, each) for segment, each in zip(shard.segments, found, strict=True)
        )
        write_part(parser.parse(items), shard.label, self.folder, self.settings)
        size, following = (shard.size, None) if fetched is None else (fetched.size, fetched.following)
        return Done(shard, parser.counts, size, peak_memory(), following, warned=tuple(parser.warned))

    def _items(self, segment: Segment, found: Iterable[Content] | Iterable[Row]) -> Iterator[Item]:
        if segment.input.kind == "parquet":
            return row_documents(found, segment)  # type: ignore[arg-type]  # `kind` guarantees it
        return chain.from_iterable(documents(each, segment, self.settings) for each in found)  # type: ignore[arg-type]

    def _model(self) -> Model:
        if self._loaded is None:
            self._loaded = models.load(self.model)
            self._loaded.about.settings.scorer_type.use_one_thread()
        return self._loaded


class Reader:
    """Reads the content of shards. An endless shard stays open, so that its next part starts where the last ended."""

    def __init__(self, settings: CorpusSettings) -> None:
        self.settings = settings
        self._stream: Stream | None = None

    def contents(self, shard: Shard) -> Iterator[Iterator[Content] | Iterator[Row]]:
        """Yield the content of each segment, lazily."""
        for segment in shard.segments:
            _check_unchanged(segment)
            if segment.input.kind == "parquet":
                yield rows(segment, self.settings.text_field, self.settings.id_field)
            else:
                yield contents(segment, self.settings.shard_size)

    def fetch(self, shard: Shard) -> FetchedShard:
        """Read a whole shard, or the next part of an endless one."""
        if not shard.endless:
            return FetchedShard([list(each) for each in self.contents(shard)], shard.size)  # type: ignore[misc]
        stream = self._stream_of(shard.segments[0])
        before = stream.read_from_file if shard.part else 0
        content = stream.take(self.settings.shard_size)
        over = stream.is_over()
        size = (shard.segments[0].input.size if over else stream.read_from_file) - before
        if over:
            stream.close()
            self._stream = None
        return FetchedShard([[content]], size, None if over else shard.following(stream.position, stream.continues))

    def _stream_of(self, segment: Segment) -> Stream:
        """Return the file of a segment, at the beginning of the segment."""
        stream = self._stream
        if stream is None or (stream.input, stream.position) != (segment.input, segment.start):
            if stream is not None:
                stream.close()
            _check_unchanged(segment)
            stream = self._stream = Stream(segment.input)
            stream.skip_to(Cut(segment.start, segment.continues))
        return stream


def _check_unchanged(segment: Segment) -> None:
    """Check that the file has not changed."""
    if not segment.input.is_here():
        raise InputError(
            f"{segment.input.name} was removed or has changed since the corpus was planned; restore it, or start again "
            "with another folder"
        )
