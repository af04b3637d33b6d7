"""Training from files: the function behind `gardenpath train`."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gardenpath.errors import UsageError
from gardenpath.formats.conllu import source_name
from gardenpath.learning.training import Step, best_of, training
from gardenpath.models.model import Model
from gardenpath.settings import Settings
from gardenpath.treebank import read_treebank


def train(
    treebank: str | Path, *, dev: str | Path | None = None, tags: str = "gold", name: str | None = None, licence: str | None = None,
    citation: str | None = None, **settings: Any,
) -> Model:
    """Train a parser on a CoNLL-U treebank and return the best model.

    `dev` chooses the best pass by LAS. `tags="gold"` learns from the tags of the file, so what is parsed later must be tagged the same way. `name`,
    `licence` and `citation` of the treebank go into the model. The rest are the fields of `Settings`: `system`, `oracle`, `features`, `passes`, `seed`...
    """
    return best_of(train_steps(treebank, dev=dev, tags=tags, name=name, licence=licence, citation=citation, **settings))


def train_steps(
    treebank: str | Path, *, dev: str | Path | None = None, tags: str = "gold", name: str | None = None, licence: str | None = None,
    citation: str | None = None, **settings: Any,
) -> Iterator[Step]:
    """The same, step by step: what happened, and a model at the end of each pass."""
    if tags != "gold":
        raise UsageError(f"tags={tags!r}: this version has no tagger yet; train with tags='gold', on the tags of the file")
    try:
        chosen = Settings(**settings)
    except TypeError as error:
        raise UsageError(f"{error}".replace("Settings.__init__() got an ", "training takes no ")) from None
    several = not chosen.single_root
    content = _content(treebank)
    sentences = read_treebank(content, allow_multiple_roots=several)
    held_out = read_treebank(str(dev), allow_multiple_roots=several) if dev is not None else None
    description = {
        "treebank": name or Path(content.name).stem, "licence": licence, "citation": citation,
        "treebank_sha256": hashlib.sha256(content.getbuffer()).hexdigest(),
    }
    yield from training(sentences, held_out, chosen, description)


def _content(source: str | Path) -> io.BytesIO:
    """A file (`-` is standard input) read into memory once: a pipe cannot be read again for its checksum."""
    content = io.BytesIO(sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes())
    content.name = source_name(str(source))
    return content
