"""Training from treebanks: tokenizer, tagger and parser, with any scorer."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import gardenpath
from gardenpath import oracles, systems
from gardenpath.errors import UsageError
from gardenpath.features.clusters import read_clusters
from gardenpath.formats.conllu import source_name
from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.treebank import read_treebank
from gardenpath.models import scorers
from gardenpath.models.model import Model
from gardenpath.models.settings import Settings
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.pipeline.writer import Writer
from gardenpath.search.parser import Parser
from gardenpath.search.training import Scores, TrainingStep, TrainingTask, Tree, Watch, learnable
from gardenpath.segmentation import tokenizers
from gardenpath.systems.classes import Classes
from gardenpath.tagging.joint import JointTagging, retagged, tagged
from gardenpath.tagging.tagger import Tagger


@dataclass(frozen=True, slots=True)
class Step(TrainingStep):
    """A step of the training with the model at the end of an epoch."""

    model: Model | None = None


def train(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None, citation: str | None = None,
    checkpoint: str | Path | None = None, resume: bool = False, **settings: Any,
) -> Model:
    """Train tokenizer, tagger and parser on a CoNLL-U treebank and return the best model.

    `dev` chooses the best epoch by LAS, with gold tokens and predicted tags. `tags="gold"` trains a parser alone, on the tags of the file. `name`, `licence`
    and `citation` of the treebank go into the model. A scorer that can be resumed writes its state to the file `checkpoint` after each epoch; with `resume`
    it continues from there, to the same model as without the interruption. The rest are the fields of `Settings`.
    """
    return best_of(train_steps(
        treebank, dev=dev, name=name, licence=licence, citation=citation, checkpoint=checkpoint, resume=resume, **settings,
    ))


def train_steps(
    treebank: str | Path, *, dev: str | Path | None = None, name: str | None = None, licence: str | None = None, citation: str | None = None,
    checkpoint: str | Path | None = None, resume: bool = False, **settings: Any,
) -> Iterator[Step]:
    """The same, step by step: what happened, and a model at the end of each epoch."""
    chosen = Settings.of(**settings)
    if resume and not checkpoint:
        raise UsageError("resuming a training needs the file to resume from: checkpoint=PATH")
    several = not chosen.single_root
    content = _content(treebank)
    sentences = read_treebank(content, allow_multiple_roots=several)
    held_out = read_treebank(str(dev), allow_multiple_roots=several) if dev is not None else None
    description = {
        "treebank": name or Path(content.name).stem, "licence": licence, "citation": citation,
        "treebank_sha256": hashlib.sha256(content.getbuffer()).hexdigest(),
    }
    yield from training(
        sentences, held_out, chosen, description, checkpoint=Path(checkpoint) if checkpoint else None, resume=resume, with_tokenizer=True,
    )


def training(
    train: Sequence[Sentence], dev: Sequence[Sentence] | None, settings: Settings, description: dict[str, Any] | None = None,
    watch: Watch | None = None, *, checkpoint: Path | None = None, resume: bool = False, with_tokenizer: bool = False,
) -> Iterator[Step]:
    """Train on sentences in memory, yielding a step every few hundred sentences and one with a model at the end of each epoch.

    `watch` is called with every configuration that training visits, and the gold heads.
    """
    scorer = scorers.get(settings.scorer)
    scorer.check(checkpoint is not None)
    tokenizer = tokenizers.train(train, dev, settings) if with_tokenizer else None
    tagger: Tagger | None = None
    if settings.tags != "gold" and not scorer.learns_with_tagger:
        train, tagger = retagged(train, settings)
        dev = tagged(dev, tagger) if dev else None
    system = systems.for_parsing(settings.system, single_root=settings.single_root)
    oracle = oracles.of(system, settings.oracle, prefer=settings.preference, lookahead=settings.lookahead, postpone=settings.postpone)
    chosen, trees = learnable(train, oracle, settings.nonprojective)
    classes = Classes.of_trees(system, trees, shared_unshift=not settings.separate_unshift, labelled_reduce=settings.labelled_reduce)
    clusters = read_clusters(settings.clusters) if settings.clusters else None
    joint = JointTagging(chosen, settings, clusters) if settings.tags != "gold" and scorer.learns_with_tagger else None
    record = _record(settings, train, chosen, trees) | {"labels": classes.inventories} | (description or {})
    record |= {"clusters": clusters.record()} if clusters else {}

    def evaluate(parser: Parser, trained: Tagger | None) -> Scores:
        return dev_scores(parser, dev, trained) if dev else (None, None)

    task = TrainingTask(settings, oracle, classes, chosen, trees, evaluate, dev or (), clusters, joint, watch, checkpoint, resume)
    for step in scorer.train(task):
        model = None
        if step.parser is not None:
            scores = {} if step.las is None else {"dev_uas": round(step.uas or 0, 4), "dev_las": round(step.las, 4)}
            facts = record | step.record | step.parser.scorer.record() | {"pass": step.number} | scores
            model = Model(step.parser, facts, tokenizer, step.tagger or tagger)
        yield Step(**{field.name: getattr(step, field.name) for field in fields(step)}, model=model)


def _record(settings: Settings, train: Sequence[Sentence], chosen: Sequence[Sentence], trees: Sequence[Tree]) -> dict[str, Any]:
    """What a model file says about its training, whatever scores it."""
    return {
        "gardenpath": gardenpath.__version__, "settings": settings.to_dict(), "treebank": None, "licence": None, "citation": None,
        "sentences": len(chosen), "words": sum(len(sentence) for sentence in chosen), "skipped": len(train) - len(chosen),
        "lifted": sum(tree[0] != sentence.heads for tree, sentence in zip(trees, chosen, strict=True)),
    }


def dev_scores(parser: Parser, dev: Sequence[Sentence], tagger: Tagger | None = None) -> tuple[float, float]:
    """UAS and LAS in per cent over all words, subtypes not compared; with the tags of the tagger, or without one with those of the file."""
    parsed = [[Word(word.id, word.form, upos=word.upos, xpos=word.xpos, feats=word.feats) for word in sentence.words] for sentence in dev]
    if tagger:
        tag_sentences(tagger, Writer(tagger.tags, ()), parsed)
    parser.parse(parsed)
    pairs = [(word, other) for sentence, words in zip(dev, parsed, strict=True) for word, other in zip(sentence.words, words, strict=True)]
    attached = [(word, other) for word, other in pairs if word.head == other.head]
    labelled = sum(word.deprel.partition(":")[0] == other.deprel.partition(":")[0] for word, other in attached)
    return 100 * len(attached) / len(pairs), 100 * labelled / len(pairs)


def best_of(steps: Iterator[Step]) -> Model:
    """Run the training to its end and return the best model; interrupted, the best so far."""
    best: Model | None = None
    try:
        for step in steps:
            best = step.model if step.is_best else best
    except KeyboardInterrupt:
        if best is None:
            raise
    if best is None:
        raise UsageError("training yielded no model")
    return best


def _content(source: str | Path) -> io.BytesIO:
    """A file (`-` is standard input) read into memory once: a pipe cannot be read again for its checksum."""
    content = io.BytesIO(sys.stdin.buffer.read() if str(source) == "-" else Path(source).read_bytes())
    content.name = source_name(str(source))
    return content
