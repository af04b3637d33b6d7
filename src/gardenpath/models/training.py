"""Training from files: the function behind `gardenpath train`."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gardenpath.errors import UsageError
from gardenpath.formats.conllu import source_name
from gardenpath.formats.treebank import read_treebank
from gardenpath.perceptron.training import Step, best_of, training
from gardenpath.models.model import Model
from gardenpath.neural import require_torch
from gardenpath.models.settings import Settings
from gardenpath.segmentation import tokenizers
from gardenpath.tagging.tagger import Tagger
from gardenpath.tagging.joint import retagged, tagged
from gardenpath.segmentation.tokenizer import Tokenizer


def train(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None, citation: str | None = None,
    checkpoint: str | Path | None = None, resume: bool = False, **settings: Any,
) -> Model:
    """Train tokenizer, tagger and parser on a CoNLL-U treebank and return the best model.

    `dev` chooses the best pass by LAS, with gold tokens and predicted tags. `tags="gold"` trains a parser alone, on the tags of the file. `name`, `licence` and
    `citation` of the treebank go into the model. The stack-LSTM writes all it needs to go on to the file `checkpoint` after each pass, and with
    `resume` goes on from there, to the same model as if it had never stopped. The rest are the fields of `Settings`: `system`, `oracle`, `features`,
    `passes`, `seed`...
    """
    return best_of(train_steps(treebank, dev=dev, name=name, licence=licence, citation=citation, checkpoint=checkpoint, resume=resume, **settings))


def train_steps(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None, citation: str | None = None,
    checkpoint: str | Path | None = None, resume: bool = False, **settings: Any,
) -> Iterator[Step]:
    """The same, step by step: what happened, and a model at the end of each pass."""
    chosen = Settings.of(**settings)
    if chosen.scorer == "stack-lstm":
        require_torch()
        if resume and not checkpoint:
            raise UsageError("to go on with a training, tell from where: checkpoint=PATH")
    elif checkpoint or resume:
        raise UsageError("only the stack-LSTM can be trained with checkpoints; the perceptron begins again, to the same model")
    several = not chosen.single_root
    content = _content(treebank)
    sentences = read_treebank(content, allow_multiple_roots=several)
    held_out = read_treebank(str(dev), allow_multiple_roots=several) if dev is not None else None
    description = {
        "treebank": name or Path(content.name).stem, "licence": licence, "citation": citation,
        "treebank_sha256": hashlib.sha256(content.getbuffer()).hexdigest(),
    }
    tokenizer = tokenizers.train(sentences, held_out, chosen)
    if chosen.scorer == "perceptron":
        for step in training(sentences, held_out, chosen, description):
            yield _with_text(step, tokenizer, step.model.tagger if step.model else None)
        return
    from gardenpath.neural.training import training as neural_training

    tagger = None
    if chosen.tags != "gold":
        sentences, tagger = retagged(sentences, chosen)
        held_out = tagged(held_out, tagger) if held_out else None
    for step in neural_training(sentences, held_out, chosen, description, checkpoint=Path(checkpoint) if checkpoint else None, resume=resume):
        yield _with_text(step, tokenizer, tagger)


def _with_text(step: Step, tokenizer: Tokenizer | None, tagger: Tagger | None) -> Step:
    """The step with a model that takes text, if it has a model."""
    return step if step.model is None else replace(step, model=step.model.with_text(tokenizer, tagger))


def _content(source: str | Path) -> io.BytesIO:
    """A file (`-` is standard input) read into memory once: a pipe cannot be read again for its checksum."""
    content = io.BytesIO(sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes())
    content.name = source_name(str(source))
    return content
