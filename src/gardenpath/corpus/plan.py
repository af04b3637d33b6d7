"""The plan of a corpus: settings, model, inputs, and the shards of the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gardenpath import version as package
from gardenpath.corpus.cuts import cut_after
from gardenpath.corpus.inputs import AUTO, COMPRESSIONS, Input, require_zstandard
from gardenpath.errors import UsageError
from gardenpath.files import digest
from gardenpath.formats.columns import chosen_columns
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import checked_encoding
from gardenpath.models import lookup

FORMATS = ("conllu", "parquet", "csv", "tsv")
TABLES = FORMATS[1:]
SHARD = 16 * 2**20
_EXPANSION = 4           # estimated ratio of decompressed to compressed size


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """The settings that the output depends on. `shard_size` is in bytes of input."""

    model: str = "en"
    format: str = "conllu"
    nested: bool = False
    compress: str = "none"
    input: str = AUTO
    text_field: str = "text"
    id_field: str = "id"
    shard_size: int = SHARD
    encoding: str = UTF8
    columns: tuple[str, ...] | None = None       # of tables; None is the default selection
    keep_heads: bool | None = None               # as in `Model.parse`
    drop_conflicts: bool = False

    def __post_init__(self) -> None:
        for what, value, known in (("format", self.format, FORMATS), ("compression", self.compress, COMPRESSIONS)):
            if value not in known:
                raise UsageError(f"there is no {what} {value!r}; choose one of: {', '.join(known)}")
        if self.shard_size < 1:
            raise UsageError(f"the shard size must be at least 1 byte, not {self.shard_size}; the default is 16MiB")
        if self.format == "parquet" and self.compress != "none":
            raise UsageError("Parquet is compressed itself; leave out --compress")
        if self.nested and (self.format != "parquet" or self.columns):
            raise UsageError("--nested is for Parquet with all columns only; add --format parquet, without --columns")
        if self.columns is not None:
            if self.format not in TABLES:
                raise UsageError(f"--columns is for tables only; add --format {' or '.join(TABLES)}")
            chosen_columns(self.columns)
        if self.compress == "zst":
            require_zstandard()
        checked_encoding(self.encoding)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an input: bytes of a file, or row groups of Parquet.

    In a stream, `start` counts decompressed bytes in UTF-8, and the segment goes to the end of the file.
    """

    input: Input
    start: int
    end: int
    continues: bool = False      # whether it begins in the middle of a paragraph
    size: int = 0                # in bytes of the file


@dataclass(frozen=True, slots=True)
class Shard:
    """A task for one worker: segments of one or several inputs.

    An `endless` shard is a large file that is compressed or not in UTF-8, which yields one part after the other.
    """

    number: int
    segments: tuple[Segment, ...]
    endless: bool = False
    part: int = 0

    @property
    def label(self) -> str:
        """The name of the shard in file names and sentence ids."""
        return f"{self.number:05}-{self.part:05}" if self.endless else f"{self.number:05}"

    @property
    def size(self) -> int:
        """The number of bytes of input files."""
        return sum(segment.size for segment in self.segments)

    def following(self, start: int, continues: bool) -> Shard:
        """Return the next part of an endless shard."""
        return replace(
            self, segments=(replace(self.segments[0], start=start, continues=continues),), part=self.part + 1
        )


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Everything that the output depends on."""

    settings: CorpusSettings
    inputs: list[Input]

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values."""
        settings = asdict(self.settings)
        name = settings.pop("model")
        settings["columns"] = None if self.settings.columns is None else list(self.settings.columns)
        inputs = [{key: value for key, value in asdict(each).items() if key != "path"} for each in self.inputs]
        return {
            "gardenpath": package.__version__,
            "model": {"name": name, "sha256": digest(self.model)},
            "settings": settings,
            "inputs": inputs,
        }

    @property
    def model(self) -> Path:
        """The model file."""
        return lookup.path_of(self.settings.model).absolute()

    def shards(self) -> list[Shard]:
        """Return the shards. Large files are cut, small files share a shard."""
        found: list[list[Segment]] = []
        room = -1                    # left in the last shard; -1 if nothing may be added to it, not even an empty file
        for each in self.inputs:
            expected = each.size * (_EXPANSION if each.is_stream else 1)
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
        return [
            Shard(number, tuple(segments), self._is_endless(segments))
            for number, segments in enumerate(filter(None, found))
        ]

    def _is_endless(self, segments: Sequence[Segment]) -> bool:
        """Return whether this is a file that cannot be cut and may be larger than a shard."""
        first = segments[0]
        return first.input.is_stream and first.size * _EXPANSION > self.settings.shard_size


def _segments(input: Input, size: int) -> Iterator[Segment]:
    """Yield the segments of an input, of about `size` bytes where the input can be cut."""
    if input.kind == "parquet":
        from gardenpath.corpus.rows import row_groups

        yield from (Segment(input, start, end, size=share) for start, end, share in row_groups(input, size))
    elif input.is_stream or input.size <= size:
        yield Segment(input, 0, input.size, size=input.size)
    else:
        with open(input.path, "rb") as file:
            yield from _cut(input, size, _reader(file))


def _cut(input: Input, size: int, read: Callable[[int, int], bytes]) -> Iterator[Segment]:
    """Yield segments of about the same size."""
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
