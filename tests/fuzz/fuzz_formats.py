"""Targets: file formats. What is read can be written and comes back equal, or it is refused when it is read."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import mutation
from driver import Target, accepted

import gardenpath as gp
from gardenpath.errors import GardenpathError
from gardenpath.formats import arrow, registry
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Document, Sentence

WRITERS = [name for name in registry.writable() if name != "brat"]       # brat has two files


def is_empty(data: bytes) -> bool:
    """Return whether a file has no sentences. Nothing is written back then."""
    return not data.removeprefix(codecs.BOM_UTF8).strip()


def nodes(sentences: Any) -> list[Any]:
    """Return the columns of all nodes of sentences."""
    return [[node.columns() for node in sentence.nodes()] for sentence in sentences]


class ConlluTarget(Target):
    """Tables in a format of the registry."""

    def __init__(self, name: str) -> None:
        self.name = name
        document = Document([Sentence([gp.Word(1, "a", head=0, deprel="root")])])
        for check in CHECKS:             # imports what the checks need, once for all processes
            check(document)
        for format in WRITERS:
            registry.write(document.sentences, io.BytesIO(), format)

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        return mutation.table(rng, rng.choice(seeds), rng.choice(seeds))

    def run(self, data: bytes, rng: Random) -> None:
        sentences = list(registry.read(io.BytesIO(data), self.name))
        with accepted():
            self._check(data, sentences, rng)

    def _check(self, data: bytes, sentences: list[Sentence], rng: Random) -> None:
        if self.name == "conllu":
            assert "".join(sentence.to_conllu() for sentence in sentences).encode() == data or is_empty(data)
        document = Document(sentences)
        assert nodes(read_conllu(io.BytesIO(document.to_conllu().encode()))) == nodes(document)
        rng.choice(CHECKS)(document)
        with suppress(GardenpathError):          # some formats cannot represent all sentences
            registry.write(sentences, io.BytesIO(), rng.choice(WRITERS))


def through_json(document: Document) -> None:
    assert nodes(Document.from_json(document.to_json())) == nodes(document)


def through_arrow(document: Document) -> None:
    for nested in (False, True):
        assert nodes(Document.from_arrow(document.to_arrow(nested=nested))) == nodes(document)


def through_dataframe(document: Document) -> None:
    assert nodes(Document.from_dataframe(document.to_dataframe(complete=True))) == nodes(document)


def drawn(document: Document) -> None:
    document.to_svg()
    document.to_dot()
    document.to_tikz()
    document.to_displacy()
    assert all(len(sentence.to_tree().splitlines()) == len(sentence) for sentence in document)


def evaluated(document: Document) -> None:
    with suppress(GardenpathError):              # not trees
        assert gp.evaluate(document, [read_again(sentence) for sentence in document]).las == 100


def read_again(sentence: Sentence) -> Sentence:
    return next(read_conllu(io.BytesIO(sentence.to_conllu().encode())))


CHECKS: tuple[Callable[[Document], None], ...] = (through_json, through_arrow, through_dataframe, drawn, evaluated)


class JsonTarget(Target):
    """Documents in JSON."""

    name = "json"

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        seed = rng.choice(seeds)
        if rng.random() < 0.1:
            return mutation.any_bytes(rng, seed, rng.choice(seeds))
        return json.dumps(mutation.plain(rng, json.loads(seed))).encode()

    def run(self, data: bytes, rng: Random) -> None:
        document = Document.from_json(data)
        worded = [sentence for sentence in document if len(sentence)]
        with accepted():
            again = list(read_conllu(io.BytesIO(Document(worded).to_conllu().encode())))
            assert nodes(again) == nodes(worded)
            assert [sentence.comments for sentence in again] == [sentence.comments for sentence in worded]
            rng.choice(CHECKS)(Document(worded))


class BinaryTarget(Target):
    """Arrow and Parquet files."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.read, self.write = (
            (arrow.read_arrow, arrow.write_arrow) if name == "arrow" else (arrow.read_parquet, arrow.write_parquet)
        )

    def seeds(self) -> Sequence[bytes]:
        texts = ConlluTarget("conllu").seeds()
        found = []
        for text in texts:
            sentences = list(read_conllu(io.BytesIO(text), on_error=lambda error: None))
            for nested in (False, True):
                stream = io.BytesIO()
                self.write(sentences, stream, nested=nested)
                found.append(stream.getvalue())
        return found

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        return mutation.any_bytes(rng, rng.choice(seeds), rng.choice(seeds))

    def run(self, data: bytes, rng: Random) -> None:
        document = Document.of(self.read(io.BytesIO(data)))
        worded = [sentence for sentence in document if len(sentence)]
        with accepted():
            assert nodes(read_conllu(io.BytesIO(Document(worded).to_conllu().encode()))) == nodes(worded)
