"""The plan of a corpus: settings, model, inputs, and the shards that the inputs are cut into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import gardenpath
from gardenpath.corpus.cuts import cut_after
from gardenpath.corpus.inputs import AUTO, COMPRESSIONS, Input, require_zstandard
from gardenpath.errors import UsageError
from gardenpath.files import digest
from gardenpath.models import shipped

FORMATS = ("conllu", "parquet")
SHARD = 16 * 2**20
_EXPANSION = 4           # how much larger a compressed file may well be


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose, as far as the output depends on it. `shard_size` is in bytes of input."""

    model: str = "en"
    format: str = "conllu"
    nested: bool = False
    compress: str = "none"
    input: str = AUTO
    text_field: str = "text"
    id_field: str = "id"
    shard_size: int = SHARD

    def __post_init__(self) -> None:
        for what, value, known in (("format", self.format, FORMATS), ("compression", self.compress, COMPRESSIONS)):
            if value not in known:
                raise UsageError(f"no {what} is called {value!r}; there are {', '.join(known)}")
        if self.shard_size < 1:
            raise UsageError(f"a shard cannot have {self.shard_size} bytes; 16MiB is usual")
        if self.format == "parquet" and self.compress != "none":
            raise UsageError("Parquet is compressed inside: leave out --compress")
        if self.nested and self.format != "parquet":
            raise UsageError("--nested is for Parquet: add --format parquet")
        if self.compress == "zst":
            require_zstandard()


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an input: bytes of the file, or row groups of Parquet; of a compressed file, what follows so many decompressed bytes."""

    input: Input
    start: int
    end: int
    continues: bool = False      # does it begin in the middle of a paragraph?
    size: int = 0                # how many bytes of the file that is


@dataclass(frozen=True, slots=True)
class Shard:
    """What one worker does at a time: segments of one or several inputs. One that is `endless`, a large compressed file, gives part after part."""

    number: int
    segments: tuple[Segment, ...]
    endless: bool = False
    part: int = 0

    @property
    def label(self) -> str:
        """What its files and its sentences are called by."""
        return f"{self.number:05}-{self.part:05}" if self.endless else f"{self.number:05}"

    @property
    def size(self) -> int:
        """How many bytes of files it has."""
        return sum(segment.size for segment in self.segments)

    def following(self, start: int, continues: bool) -> Shard:
        """The next part of an endless shard."""
        return replace(self, segments=(replace(self.segments[0], start=start, continues=continues),), part=self.part + 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that the output depends on."""

    settings: Settings
    inputs: list[Input]

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values."""
        settings = asdict(self.settings)
        name = settings.pop("model")
        inputs = [{key: value for key, value in asdict(each).items() if key != "path"} for each in self.inputs]
        return {"gardenpath": gardenpath.__version__, "model": {"name": name, "sha256": digest(self.model)}, "settings": settings, "inputs": inputs}

    @property
    def model(self) -> Path:
        """The file of the model."""
        return shipped.path_of(self.settings.model).absolute()

    def shards(self) -> list[Shard]:
        """The shards: large files are cut, small ones put together."""
        found: list[list[Segment]] = []
        room = -1                    # in the last one; not even for an empty file, if it is not to be added to
        for each in self.inputs:
            expected = each.size * (_EXPANSION if each.compression != "none" else 1)
            segments = list(_segments(each, self.settings.shard_size))
            if expected <= room:
                found[-1] += segments
                room -= expected
            elif expected <= self.settings.shard_size:
                found.append(segments)
                room = self.settings.shard_size - expected
            else:
                found += ([segment] for segment in segments)
                room = -1
        return [Shard(number, tuple(segments), self._is_endless(segments)) for number, segments in enumerate(filter(None, found))]

    def _is_endless(self, segments: Sequence[Segment]) -> bool:
        """Is this a compressed file that may well be larger than a shard?"""
        first = segments[0]
        return first.input.compression != "none" and first.size * _EXPANSION > self.settings.shard_size


def _segments(input: Input, size: int) -> Iterator[Segment]:
    """The segments of an input, none much larger than that if it can be cut."""
    if input.kind == "parquet":
        from gardenpath.corpus.rows import row_groups

        yield from (Segment(input, start, end, size=share) for start, end, share in row_groups(input, size))
    elif input.compression != "none" or input.size <= size:
        yield Segment(input, 0, input.size, size=input.size)
    else:
        with open(input.path, "rb") as file:
            yield from _cut(input, size, _reader(file))


def _cut(input: Input, size: int, read: Callable[[int, int], bytes]) -> Iterator[Segment]:
    """Segments of about the same size."""
    count = -(-input.size // size)
    start, continues = 0, False
    for number in range(1, count):
        found = cut_after(read, max(start, input.size * number // count), input.kind)
        if found is None:
            break
        if found.position > start:
            yield Segment(input, start, found.position, continues, found.position - start)
            start, continues = found.position, found.continues
    yield Segment(input, start, input.size, continues, input.size - start)


def _reader(file: Any) -> Callable[[int, int], bytes]:
    def read(place: int, size: int) -> bytes:
        file.seek(place)
        return file.read(size)

    return read
