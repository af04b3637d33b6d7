"""Training from files: the function behind `gardenpath train`."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from gardenpath.errors import UsageError
from gardenpath.formats.conllu import source_name
from gardenpath.models.arguments import TrainingArguments
from gardenpath.models.model import Model
from gardenpath.models.settings import Settings
from gardenpath.neural import require_torch
from gardenpath.perceptron.training import Step, best_of, training
from gardenpath.segmentation import tokenizers
from gardenpath.segmentation.tokenizer import Tokenizer
from gardenpath.tagging.joint import retagged, tagged
from gardenpath.tagging.tagger import Tagger
from gardenpath.treebank import read_treebank

Config = str | Path | Mapping[str, Any] | Settings | None


def train(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None,
    citation: str | None = None, checkpoint: str | Path | None = None, resume: bool = False, config: Config = None,
    **settings: Unpack[TrainingArguments],
) -> Model:
    """Train tokenizer, tagger and parser on a CoNLL-U treebank and return the best model.

    `dev` is a treebank to choose the best epoch by (LAS with gold tokens and predicted tags); without one, the last
    epoch is the best. `name`, `licence` and `citation` of the treebank are stored in the model. If the scorer has
    checkpoints, one is written to the file `checkpoint` after each epoch. `resume` continues from there, and the model
    is the same as without the interruption.

    `config` holds settings: a TOML file, a mapping or a `Settings` object. All other arguments are single settings,
    such as `system`, `epochs` or `seed`; they override those of `config`.
    """
    return best_of(train_steps(
        treebank, dev=dev, name=name, licence=licence, citation=citation, checkpoint=checkpoint, resume=resume,
        config=config, **settings,
    ))


def train_steps(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None,
    citation: str | None = None, checkpoint: str | Path | None = None, resume: bool = False, config: Config = None,
    **settings: Unpack[TrainingArguments],
) -> Iterator[Step]:
    """Train as `train` does, step by step: yield the progress, and a model at the end of each epoch."""
    chosen = Settings.configured(config, **settings)
    scorer = chosen.scorer_type
    if scorer.needs_torch:
        require_torch()
    if scorer.has_checkpoints:
        if resume and not checkpoint:
            raise UsageError("to resume training, give the checkpoint to resume from: checkpoint=PATH")
    elif checkpoint or resume:
        raise UsageError(f"the {scorer.title} has no checkpoints; train from the start, without checkpoint and resume")
    several = not chosen.single_root
    content = _content(treebank)
    sentences = read_treebank(content, allow_multiple_roots=several)
    held_out = read_treebank(str(dev), allow_multiple_roots=several) if dev is not None else None
    description = {
        "treebank": name or Path(content.name).stem, "licence": licence, "citation": citation,
        "treebank_sha256": hashlib.sha256(content.getbuffer()).hexdigest(),
    }
    tokenizer = tokenizers.train(sentences, held_out, chosen)
    if scorer.learns_with_tagger:
        for step in training(sentences, held_out, chosen, description):
            yield _with_text(step, tokenizer, step.model.tagger if step.model else None)
        return
    from gardenpath.neural.training import training as neural_training

    tagger = None
    if chosen.tags != "gold":
        sentences, tagger = retagged(sentences, chosen)
        held_out = tagged(held_out, tagger) if held_out else None
    path = Path(checkpoint) if checkpoint else None
    for step in neural_training(sentences, held_out, chosen, description, checkpoint=path, resume=resume):
        yield _with_text(step, tokenizer, tagger)


def _with_text(step: Step, tokenizer: Tokenizer | None, tagger: Tagger | None) -> Step:
    """The step with a model that takes text, if it has a model."""
    return step if step.model is None else replace(step, model=step.model.with_text(tokenizer, tagger))


def _content(source: str | Path) -> io.BytesIO:
    """A file (`-` is standard input) read into memory once: a pipe cannot be read again for its checksum."""
    content = io.BytesIO(sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes())
    content.name = source_name(str(source))
    return content
