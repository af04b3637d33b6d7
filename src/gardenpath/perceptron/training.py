"""The training loop as a generator: it yields what happened; printing, saving and stopping belong to whoever iterates."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gardenpath
from gardenpath import oracles, systems
from gardenpath.systems.classes import Classes
from gardenpath.core.random import shuffled
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.errors import InputError, UsageError
from gardenpath.perceptron.extractor import Extractor
from gardenpath.features.templates import read_templates, set_for
from gardenpath.perceptron.beam_trainer import BeamTrainer
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.trainer import Trainer
from gardenpath.models.model import Model
from gardenpath.oracles import Oracle
from gardenpath.pseudo import ENCODINGS, check_labels, lift
from gardenpath.search import Parser, parser_of
from gardenpath.search.greedy import GreedyParser
from gardenpath.models.settings import Settings
from gardenpath.systems import Configuration
from gardenpath.features.clusters import read_clusters
from gardenpath.pipeline.pipeline import tag_sentences
from gardenpath.tagging.tagger import Tagger
from gardenpath.tagging.joint import Tagging
from gardenpath.pipeline.writer import Writer
from gardenpath.trees import projectivise

CHUNK = 500            # sentences between two reports
LARGEST_TAGSET = 400   # a larger XPOS column holds morphology, not tags

Tree = tuple[list[int], list[str]]
Watch = Callable[[Configuration, list[int]], None]


@dataclass(frozen=True, slots=True)
class Step:
    """What happened since the last step: a few hundred sentences learnt from, or the end of a pass."""

    number: int                   # of the pass, from 1
    sentences: int                # learnt from in this pass
    total: int                    # sentences a pass
    accuracy: float               # of what was judged in this pass, in per cent
    words_per_second: float
    judged: str = "decisions"     # what the accuracy is of: with a beam, whole derivations
    ended: bool = False           # is the pass over?
    uas: float | None = None      # on the dev set, at the end of a pass
    las: float | None = None
    is_best: bool = False
    model: Model | None = None    # at the end of a pass


def training(
    train: Sequence[Sentence], dev: Sequence[Sentence] | None, settings: Settings, description: dict[str, Any] | None = None, watch: Watch | None = None,
) -> Iterator[Step]:
    """Train a parser, yielding a step every few hundred sentences and one with a model at the end of each pass.

    The best pass is the one with the highest dev LAS (subtypes not compared); without a dev set every pass is better than the one before. `watch` is shown
    every configuration that training comes by, with the gold heads.
    """
    tag = _tag_column(train) if settings.tag == "auto" else settings.tag
    system = systems.for_parsing(settings.system, single_root=settings.single_root)
    templates = read_templates(set_for(settings.features, system.template_set, bool(settings.clusters)))
    oracle = oracles.of(system, settings.oracle, prefer=settings.preference, lookahead=settings.lookahead, postpone=settings.postpone)
    chosen, trees = learnable(train, oracle, settings.nonprojective)
    classes = Classes.of_trees(system, trees, shared_unshift=not settings.separate_unshift, labelled_reduce=settings.labelled_reduce)
    extractor = Extractor(system, templates, tag)
    clusters = read_clusters(settings.clusters) if settings.clusters else None
    assert settings.min_updates is not None       # Settings has seen to it
    growing = GrowingWeights(classes.size, settings.min_updates)
    parser = GreedyParser(system, classes, extractor, growing, settings.single_root, settings.nonprojective, clusters)
    tagging = Tagging(chosen, settings, clusters) if settings.tags != "gold" else None
    trainer = _trainer(parser, oracle, [sentence.words for sentence in chosen], trees, settings)
    record = record_of(settings, train, chosen, trees) | {"tag": tag, "templates": templates, "labels": classes.inventories} | (description or {})
    record |= {"clusters": clusters.record()} if clusters else {}
    best = -1.0
    for number in range(1, settings.passes + 1):
        for step in _pass(trainer, tagging, number, settings, [len(sentence) for sentence in chosen], watch):
            yield step
        weights = trainer.freeze(settings.prune)
        frozen = parser_of(settings.beam, system, classes, extractor, weights, settings.single_root, settings.nonprojective, clusters)
        tagger = tagging.freeze() if tagging else None
        uas, las = dev_scores(frozen, dev, tagger) if dev else (None, None)
        is_best = las is None or las > best
        best = best if las is None else max(best, las)
        scores = {} if las is None else {"dev_uas": round(uas or 0, 4), "dev_las": round(las, 4)}
        model = Model(frozen, record | {"pass": number, "decisions": trainer.steps, "mistakes": trainer.mistakes} | scores, tagger=tagger)
        yield replace(step, ended=True, uas=uas, las=las, is_best=is_best, model=model)


def _trainer(parser: GreedyParser, oracle: Oracle, sentences: list[Sequence[Word]], trees: list[Tree], settings: Settings) -> Trainer:
    if settings.beam == 1:
        return Trainer(parser, oracle, sentences, trees, settings.seed, settings.margin)
    return BeamTrainer(parser, oracle, sentences, trees, settings.seed, settings.margin, settings.beam, settings.update)


def _pass(
    trainer: Trainer, tagging: Tagging | None, number: int, settings: Settings, lengths: list[int], watch: Watch | None,
) -> Iterator[Step]:
    order = shuffled(len(lengths), settings.seed, number)
    explore = settings.explore if settings.explores and number >= settings.explore_from else 0.0
    judged = "decisions"
    if isinstance(trainer, BeamTrainer):
        trainer.is_greedy = number < settings.beam_from
        judged = "decisions" if trainer.is_greedy else "derivations"
    steps, mistakes, words, began = trainer.steps, trainer.mistakes, 0, time.perf_counter()
    for first in range(0, len(order), CHUNK):
        chunk = order[first : first + CHUNK]
        if tagging:
            tagging.learn(chunk, trainer)
        trainer.train(chunk, explore, watch)
        words += sum(lengths[i] for i in chunk)
        accuracy = 100 * (1 - (trainer.mistakes - mistakes) / max(trainer.steps - steps, 1))
        yield Step(number, first + len(chunk), len(order), accuracy, words / (time.perf_counter() - began), judged)


def record_of(settings: Settings, train: Sequence[Sentence], chosen: Sequence[Sentence], trees: Sequence[Tree]) -> dict[str, Any]:
    """What a model tells about its training, whatever kind of model it is."""
    return {
        "gardenpath": gardenpath.__version__, "settings": settings.to_dict(), "treebank": None, "licence": None, "citation": None,
        "sentences": len(chosen), "words": sum(len(sentence) for sentence in chosen), "skipped": len(train) - len(chosen),
        "lifted": sum(tree[0] != sentence.heads for tree, sentence in zip(trees, chosen, strict=True)),
    }


def learnable(train: Sequence[Sentence], oracle: Oracle, nonprojective: str) -> tuple[list[Sentence], list[Tree]]:
    """The sentences to learn from, each with a tree that the system can build."""
    if nonprojective in ENCODINGS:
        check_labels(train)
    chosen: list[Sentence] = []
    trees: list[Tree] = []
    for sentence in train:
        heads, labels = [word.head or 0 for word in sentence.words], [word.deprel for word in sentence.words]
        if oracle.system.single_root and heads.count(0) != 1:
            remedy = "train with single_root=False" if oracle.system.has_root_mode else "train another system"
            raise InputError(f"{sentence.where}: not exactly one root, which {oracle.system.name} needs; correct it or {remedy}")
        if not oracle.derives(heads):
            if nonprojective == "skip":
                continue
            heads, labels = lift(heads, labels, nonprojective) if nonprojective in ENCODINGS else (projectivise(heads), labels)
        chosen.append(sentence)
        trees.append((heads, labels))
    if not chosen:
        raise InputError(f"no tree can be built by {oracle.system.name}, and such sentences are skipped; train with nonprojective=lift")
    return chosen, trees


def _tag_column(train: Sequence[Sentence]) -> str:
    """XPOS where it is filled in and small enough to be a tagset, else UPOS."""
    tags = Counter(word.xpos for sentence in train for word in sentence.words)
    return "xpos" if 1 < len(tags) <= LARGEST_TAGSET and tags[EMPTY] < tags.total() / 2 else "upos"


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
