"""Targets: texts, templates, clusters, word vectors and treebank archives."""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import mutation
from driver import Target, accepted

import gardenpath as gp
from gardenpath import systems
from gardenpath.features.clusters import read_clusters
from gardenpath.features.templates import parse_templates, read_templates
from gardenpath.features.vectors import read_vectors
from gardenpath.formats.conllu import read_conllu
from gardenpath.perceptron.extractor import Extractor
from gardenpath.treebank.archive import unpack
from gardenpath.treebank.zip_archive import unpack_zip
from gardenpath.trees import is_tree


class TextTarget(Target):
    """Raw text, from the tokenizer to the written tree."""

    name = "text"

    def __init__(self) -> None:
        self.model = gp.load("en-fast")

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        return mutation.text(rng, rng.choice(seeds), rng.choice(seeds))

    def run(self, data: bytes, rng: Random) -> None:
        text = data.decode()
        document = self.model(text, input=rng.choice(("text", "lines", "tokens")))
        with accepted():
            again = list(read_conllu(io.BytesIO(document.to_conllu().encode())))
        assert [list(map(str, sentence.heads)) for sentence in again] == [
            list(map(str, sentence.heads)) for sentence in document
        ]
        assert all(is_tree(sentence.heads) for sentence in document)
        for sentence in document:
            for token in sentence.tokens:
                assert "".join(text[token.start : token.end].split()) == "".join(token.form.split())


class FileTarget(Target):
    """A file that is read by one function."""

    def __init__(self, name: str, read: Callable[[Path], Any], mutate: mutation.Mutation) -> None:
        self.name, self.read, self.mutate = name, read, mutate
        self.path = Path(tempfile.mkdtemp(prefix="fuzz-")) / "file"

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        return self.mutate(rng, rng.choice(seeds), rng.choice(seeds))

    def run(self, data: bytes, rng: Random) -> None:
        self.path.write_bytes(data)
        self.read(self.path)


def templates(path: Path) -> None:
    """Read templates and compile them."""
    lines = read_templates(path)
    parse_templates(lines)
    Extractor(systems.get("arc-eager"), lines)


class ArchiveTarget(Target):
    """Archives of treebanks: the tar file is changed, and packed again."""

    name = "archive"
    unpack = staticmethod(unpack)

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        seed = rng.choice(seeds)
        if rng.random() < 0.2:
            return mutation.any_bytes(rng, seed, rng.choice(seeds))
        changed = bytearray(gzip.decompress(seed))
        for _ in range(1 + rng.randrange(3)):
            header = 512 * rng.randrange(len(changed) // 512)
            if rng.random() < 0.5:                          # a field of a header: name, size, checksum, kind
                at = header + rng.choice((0, 124, 135, 148, 156, 257, 345))
                changed[at : at + 4] = rng.choice(mutation.BYTES)[:4].ljust(4, rng.choice(b"07x L").to_bytes())
            else:
                changed[header : header + 512] = mutation.any_bytes(rng, bytes(changed[header : header + 512]), seed)
        _repair_checksums(changed)
        return gzip.compress(bytes(changed), 1, mtime=0)

    def run(self, data: bytes, rng: Random) -> None:
        with tempfile.TemporaryDirectory() as folder:
            archive, target = Path(folder) / "archive", Path(folder) / "target"
            archive.write_bytes(data)
            target.mkdir()
            self.unpack(archive, target)


class ZipTarget(ArchiveTarget):
    """Archives of the other kind: headers are at their end."""

    name = "zip"
    unpack = staticmethod(unpack_zip)

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        seed = rng.choice(seeds)
        begin = rng.choice((0, seed.index(b"PK\1\2"), seed.index(b"PK\5\6")))
        return seed[:begin] + mutation.any_bytes(rng, seed[begin:], seed)


def _repair_checksums(blocks: bytearray) -> None:
    """Write right checksums into the blocks that look like headers, as an attacker would."""
    for at in range(0, len(blocks) - 511, 512):
        block = blocks[at : at + 512]
        if block[257:262] == b"ustar":
            block[148:156] = b" " * 8
            blocks[at + 148 : at + 156] = b"%06o\0 " % sum(block)


FILES: dict[str, tuple[Callable[[Path], Any], mutation.Mutation]] = {
    "templates": (templates, mutation.table),
    "clusters": (read_clusters, mutation.table),
    "vectors": (partial(read_vectors, limit=100), mutation.any_bytes),
}
