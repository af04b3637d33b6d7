"""A worker's part in a corpus: from a shard to its files. The model is loaded once, and a compressed file stays open from one of its parts to the next."""

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
from gardenpath.corpus.documents import Item, documents, row_documents
from gardenpath.corpus.parsing import Counts, PartParser
from gardenpath.corpus.parts import write_part
from gardenpath.corpus.plan import Segment, Settings, Shard
from gardenpath.corpus.rows import Row, rows
from gardenpath.errors import GardenpathError, InputError
from gardenpath.machine import peak_memory
from gardenpath.models.model import Model


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a shard: what is in it, how many bytes of files were read for it, the worker's memory so far, and the part that follows, if any."""

    shard: Shard
    counts: Counts
    size: int = 0
    memory: float | None = None      # MB
    following: Shard | None = None
    failure: str | None = None


class Fetched(NamedTuple):
    """What is in a shard, read for a worker elsewhere: the content of each of its segments, how many bytes were read, and the part that follows."""

    contents: list[list[Content] | list[Row]]
    size: int
    following: Shard | None = None


class Work:
    """Does shards with the model in a file, and writes what comes of them to a folder. It is sent to a worker, and does nothing before."""

    def __init__(self, model: Path, settings: Settings, folder: Path) -> None:
        self.model = model
        self.settings = settings
        self.folder = folder
        self._loaded: Model | None = None
        self._reader = Reader(settings)

    def __call__(self, shard: Shard) -> Done:
        """Do a shard that this machine has the files of."""
        return self.attempt(shard, None)

    def attempt(self, shard: Shard, fetched: Fetched | None) -> Done:
        """Do a shard, read by somebody else if it is `fetched`: what came of it, or what was wrong, which would be wrong again."""
        try:
            return self._do(shard, fetched)
        except MemoryError:
            raise
        except (GardenpathError, OSError) as error:
            return Done(shard, Counts(), failure=str(error))
        except Exception:
            return Done(shard, Counts(), failure=traceback.format_exc())

    def _do(self, shard: Shard, fetched: Fetched | None) -> Done:
        if fetched is None and shard.endless:
            fetched = self._reader.fetch(shard)
        parser = PartParser(self._model(), shard.label, self.settings.format == "parquet")
        found = self._reader.contents(shard) if fetched is None else fetched.contents
        items = chain.from_iterable(self._items(segment, each) for segment, each in zip(shard.segments, found, strict=True))
        write_part(parser.parse(items), shard.label, self.folder, self.settings)
        size, following = (shard.size, None) if fetched is None else (fetched.size, fetched.following)
        return Done(shard, parser.counts, size, peak_memory(), following)

    def _items(self, segment: Segment, found: Iterable[Content] | Iterable[Row]) -> Iterator[Item]:
        if segment.input.kind == "parquet":
            return row_documents(found, segment)                                             # type: ignore[arg-type]  # that is what they are
        return chain.from_iterable(documents(each, segment, self.settings) for each in found)    # type: ignore[arg-type]

    def _model(self) -> Model:
        if self._loaded is None:
            self._loaded = models.load(self.model)
            if self._loaded.description["settings"].get("scorer") == "stack-lstm":
                import torch

                torch.set_num_threads(1)         # sums in another order would be other numbers; and every core has its worker
        return self._loaded


class Reader:
    """Reads what is in shards; of an endless one the next part, without beginning at the front again if it has just read the one before."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._stream: Stream | None = None

    def contents(self, shard: Shard) -> Iterator[Iterator[Content] | Iterator[Row]]:
        """What is in each segment, lazily."""
        for segment in shard.segments:
            _see_to(segment)
            if segment.input.kind == "parquet":
                yield rows(segment, self.settings.text_field, self.settings.id_field)
            else:
                yield contents(segment, self.settings.shard_size)

    def fetch(self, shard: Shard) -> Fetched:
        """All that is in a shard, or in the next part of an endless one."""
        if not shard.endless:
            return Fetched([list(each) for each in self.contents(shard)], shard.size)            # type: ignore[misc]
        stream = self._stream_of(shard.segments[0])
        before = stream.read_from_file if shard.part else 0
        content = stream.take(self.settings.shard_size)
        over = stream.is_over()
        size = (shard.segments[0].input.size if over else stream.read_from_file) - before
        if over:
            stream.close()
            self._stream = None
        return Fetched([[content]], size, None if over else shard.following(stream.position, stream.continues))

    def _stream_of(self, segment: Segment) -> Stream:
        """The file of a segment, at the place where that begins."""
        stream = self._stream
        if stream is None or (stream.input, stream.position) != (segment.input, segment.start):
            if stream is not None:
                stream.close()
            _see_to(segment)
            stream = self._stream = Stream(segment.input)
            stream.skip_to(Cut(segment.start, segment.continues))
        return stream


def _see_to(segment: Segment) -> None:
    """See that a file is as it was."""
    if not segment.input.is_here():
        raise InputError(f"{segment.input.name} is gone, or not as it was when this corpus was planned; put it back, or begin anew in another folder")
