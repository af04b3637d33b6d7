"""Targets: model files with repaired checksums, as an attacker would make them.

A file must raise `InputError`, or give a model whose parses are trees. An input is the description of a change, so that
it is small: the random numbers that make it.
"""

from __future__ import annotations

import io
import json
import lzma
import resource
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import mutation
import numpy as np
from driver import CORPUS, Target, accepted

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.core.stored import BadModelError
from gardenpath.formats.conllu import read_conllu
from gardenpath.models import scorers
from gardenpath.segmentation.udpipe import UdpipeTokenizer
from gardenpath.trees import is_tree

TRAIN = Path(__file__).parents[2] / "data" / "sample" / "sample-train.conllu"
TEXT = "The dog didn't bark. It slept, didn't it? Élan 3,5 zzz 😀"
MEMORY = 2 << 30         # address space beyond that of a process that has loaded the model, in bytes
LARGE = 1 << 16          # arrays up to this number of bytes are changed more often
TEMPLATES = "S0p N0p\nN0p\nN0e3 c4\nS0w vl\n"
# Settings that make small files, by the name of the target.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "model": [
        {"epochs": 2},
        {"epochs": 1, "system": "covington-nm", "clusters": CORPUS / "clusters" / "plain.txt"},
        {"epochs": 1, "system": "swap", "single_root": False, "beam": 4},
        {"epochs": 1, "system": "attardi", "nonprojective": "head+path", "tag": "upos"},
        {"epochs": 1, "system": "lr-spine", "tags": "gold"},
    ],
    "network": [
        {"epochs": 1, "scorer": "network", "layers": 1, "hidden_size": 16},
        {"epochs": 1, "scorer": "network", "hidden_size": 16, "vectors": CORPUS / "vectors" / "glove.txt"},
    ],
    "stack-lstm": [{"epochs": 1, "scorer": "stack-lstm"}],
}


class Stored(NamedTuple):
    """The content of a model file."""

    arrays: dict[str, np.ndarray]
    record: dict[str, Any]


class ModelTarget(Target):
    """Model files whose arrays, records or headers are changed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        self.models = [self._trained(**settings) for settings in SETTINGS[name]]
        self.limited = False

    def _trained(self, **settings: Any) -> Stored:
        """Train a model on a few sentences. A perceptron gets few templates, so that its file is small."""
        treebank, templates, path = (self.folder / name for name in ("train.conllu", "templates.txt", "seed.gp"))
        gp.write_conllu(list(gp.read_conllu(TRAIN))[:10], treebank)
        templates.write_text(TEMPLATES)
        if "scorer" not in settings:
            settings["features"] = templates
        scorers.get(settings.get("scorer", scorers.DEFAULT.name)).use_one_thread()      # other threads end in a fork
        gp.train(treebank, **settings).save(path)
        arrays, record = storage.load(path)
        return Stored({name: np.array(array) for name, array in arrays.items()}, record)

    def seeds(self) -> Sequence[bytes]:
        return [b""]

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        return rng.randbytes(8)

    def run(self, data: bytes, rng: Random) -> None:
        self._limit_memory()
        rng = Random(data)
        stored = rng.choice(self.models)
        path = self.folder / "changed.gp"
        path.unlink(missing_ok=True)         # some file systems write a replaced file to the disk at once
        if rng.random() < 0.1:
            storage.save(path, *stored)
            path.write_bytes(changed_header(rng, path.read_bytes()))
        else:
            storage.save(path, *self._changed(rng, stored))
        model = gp.load(path)
        with accepted():
            self._parse(model)

    def _changed(self, rng: Random, stored: Stored) -> Stored:
        """Return the content of a model file with a few changes."""
        arrays, record = dict(stored.arrays), stored.record
        if rng.random() < 0.25:
            record = self._changed_record(rng, record)
        if record is stored.record or rng.random() < 0.3:
            for _ in range(1 + rng.randrange(3)):
                name = self._array(rng, stored.arrays)
                if name in arrays:
                    changed = changed_array(rng, arrays.pop(name))
                    arrays |= {} if changed is None else {name: changed}
        return Stored(arrays, record)

    def _parse(self, model: gp.Model) -> None:
        for document in (model.parse(sentences(), retag=model.tagger is not None), *self._texts(model)):
            assert all(is_tree(sentence.heads) for sentence in document) or not model.parser.single_root
            written = "".join(sentence.to_conllu() for sentence in document)
            assert len(list(read_conllu(io.BytesIO(written.encode())))) == len(list(document))

    def _limit_memory(self) -> None:
        """Let every allocation fail that is far larger than the file."""
        if not self.limited:
            pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
            if pages and "libasan" not in Path("/proc/self/maps").read_text():
                limit = pages * resource.getpagesize() + MEMORY
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            self.limited = True

    def _texts(self, model: gp.Model) -> list[Any]:
        return [model(TEXT)] if model.tokenizer and model.tagger else []

    def _array(self, rng: Random, arrays: dict[str, np.ndarray]) -> str:
        """Choose an array. Small ones are more often indices and tables of rules."""
        names = sorted(arrays)
        small = [name for name in names if arrays[name].nbytes <= LARGE]
        return rng.choice(small if small and rng.random() < 0.5 else names)

    def _changed_record(self, rng: Random, record: dict[str, Any]) -> Any:
        """Change the record, usually one part of it, since most values of a record are tags and rules."""
        part = rng.choice([key for key, value in record.items() if isinstance(value, (dict, list))])
        return mutation.plain(rng, record | {part: mutation.plain(rng, record[part])} if rng.random() < 0.7 else record)


class UdpipeTarget(Target):
    """Tokenizers of UDPipe. A changed one is refused by the trial in another process, or it can be used."""

    name = "udpipe"

    def seeds(self) -> Sequence[bytes]:
        treebank = list(gp.read_conllu(TRAIN))[:30]
        options = ("epochs=1;batch_size=1;segment_size=10;dimension=16", "epochs=1;batch_size=1;segment_size=20")
        return [UdpipeTokenizer.train(treebank, options=each).model_array.tobytes() for each in options]

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        seed, other = rng.choice(seeds), rng.choice(seeds)
        if rng.random() < 0.1:
            return mutation.any_bytes(rng, seed, other)
        (before, content, after), (_, other_content, _) = map(unpacked, (seed, other))
        if rng.random() < 0.2:                # the beginning has names, sizes and counts
            return before + packed(mutation.any_bytes(rng, content[:64], other_content) + content[64:]) + after
        return before + packed(mutation.any_bytes(rng, content, other_content)) + after

    def run(self, data: bytes, rng: Random) -> None:
        try:
            tokenizer = UdpipeTokenizer.build({}, {"tokenizer.udpipe": np.frombuffer(data, np.uint8)})
        except BadModelError as error:
            raise gp.InputError(str(error)) from error
        with accepted():
            for _ in range(10):
                text = mutation.text(rng, TEXT.encode(), TEXT.encode()).decode()
                tokenizer.segment_text(text, by_line=rng.random() < 0.5)


BLOCK = 25               # where the compressed block of a tokenizer begins
SIZES = "<III"           # of its content, of the compressed content, and a kind of checksum of both


def unpacked(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what is before the compressed block of a tokenizer of UDPipe, its content, and what is after it."""
    size, compressed, _ = struct.unpack_from(SIZES, data, BLOCK)
    begin = BLOCK + struct.calcsize(SIZES)
    end = begin + 5 + compressed
    alone = data[begin : begin + 5] + struct.pack("<q", size) + data[begin + 5 : end]
    return data[:BLOCK], lzma.decompress(alone, lzma.FORMAT_ALONE), data[end:]


def packed(content: bytes) -> bytes:
    """Return a compressed block."""
    alone = lzma.compress(content, lzma.FORMAT_ALONE, preset=0)
    size, data = len(content), alone[13:-6]              # without the size, and nearly always without the end mark
    check = (size * 19991 + len(data) * 199999991 + 1234567890) % (1 << 32)
    return struct.pack(SIZES, size, len(data), check) + alone[:5] + data


def changed_header(rng: Random, data: bytes) -> bytes:
    """Return a model file with another header, usually with a changed entry of one array. The arrays stay."""
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    if rng.random() < 0.7:
        name = rng.choice(sorted(header))
        header[name] = mutation.plain(rng, header[name])
    else:
        header = mutation.plain(rng, header)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[begin:]


def changed_array(rng: Random, array: np.ndarray) -> np.ndarray | None:
    """Return an array with other values, another shape or another type; None removes it."""
    flat = array.reshape(-1).copy()
    match rng.randrange(25):
        case 0:
            return None
        case 1:
            return np.ascontiguousarray(array[: rng.choice((0, 1, len(array) // 2, len(array) - 1))])
        case 2:
            return np.concatenate([array, array[-1:]])
        case 3:
            return array.astype(rng.choice((np.uint8, np.uint32, np.uint64, np.float32)), casting="unsafe")
        case 4:
            return array.reshape(rng.choice(((1, -1), (-1, 1), (-1,))))
        case _ if not len(flat):
            return array
        case _:
            for _ in range(rng.choice((1, 1, 2, 10, 100))):
                at = rng.randrange(len(flat))
                flat[at : at + rng.choice((1, 1, 1, 100))] = value_for(rng, flat)
            return flat.reshape(array.shape)


def value_for(rng: Random, flat: np.ndarray) -> Any:
    """Return a value for an array: an extreme one, one of its own, or a random one."""
    if flat.dtype.kind == "f":
        return rng.choice((np.nan, np.inf, -np.inf, 0.0, 3e38, -3e38, 1e-45, flat[rng.randrange(len(flat))]))
    most = np.iinfo(flat.dtype).max
    value = rng.choice((0, 1, most, most // 2, most // 2 + 1, len(flat), rng.getrandbits(rng.randrange(1, 65))))
    return np.asarray(value & int(most), np.uint64).astype(flat.dtype) if rng.random() < 0.8 else rng.choice(flat)


def sentences() -> list[gp.Sentence]:
    forms = ("The", "old", "man", "the", "boats", "Ünknown", "x" * 40, ".")
    return [gp.Sentence([gp.Word(i, form, upos="X", xpos="X") for i, form in enumerate(forms, 1)])]
