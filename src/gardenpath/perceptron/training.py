"""Training the perceptron, epoch by epoch."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gardenpath.core.random import shuffled
from gardenpath.features.templates import AUTO, read_templates, set_for
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.parsing.training import REPORT_EVERY, TrainingStep, TrainingTask
from gardenpath.perceptron.beam_trainer import BeamTrainer
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.perceptron.trainer import PerceptronTrainer

LARGEST_TAGSET = 400   # a larger XPOS column holds morphology, not tags


def train(task: TrainingTask) -> Iterator[TrainingStep]:
    """Train a perceptron, yielding a step every few hundred sentences and one with a parser at the end of each epoch.

    The best epoch is the one with the highest dev LAS; without a dev set every epoch is better than the one before.
    """
    settings = task.scorer
    tag = _tag_column(task.sentences) if settings.tag == AUTO else settings.tag
    templates = read_templates(set_for(settings.features, task.system.template_set, task.clusters is not None))
    extractor = Extractor(task.system, templates, tag)
    growing = GrowingWeights(task.classes.size, settings.min_updates)
    trainer = _trainer(Perceptron(task.system, task.classes, extractor, growing, task.clusters), task)
    best = -1.0
    for number in range(1, task.epochs + 1):
        for step in _epoch(trainer, task, number):
            yield step
        scorer = Perceptron(task.system, task.classes, extractor, trainer.freeze(settings.prune), task.clusters)
        parser = task.parser_of(scorer)
        tagger = task.tagging.freeze() if task.tagging else None
        uas, las = task.evaluate(parser, tagger)
        is_best = las is None or las > best
        best = best if las is None else max(best, las)
        record = {"templates": templates, "decisions": trainer.steps, "mistakes": trainer.mistakes}
        yield replace(
            step, ended=True, uas=uas, las=las, is_best=is_best, parser=parser, tagger=tagger, tag=tag, record=record,
        )


def _trainer(scorer: Perceptron, task: TrainingTask) -> PerceptronTrainer:
    settings, beam, words = task.scorer, task.parser.width, [sentence.words for sentence in task.sentences]
    common = {"seed": task.seed, "margin": settings.margin, "labels_all_arcs": task.parser.labels_all_arcs}
    if beam == 1:
        return PerceptronTrainer(scorer, task.oracle, words, task.trees, **common)
    # Not contiguous: the configurations of a beam do not follow one another. The greedy epochs before the beam must see
    # features in the same order.
    return BeamTrainer(scorer, task.oracle, words, task.trees, False, **common, width=beam, update=settings.update)


def _epoch(trainer: PerceptronTrainer, task: TrainingTask, number: int) -> Iterator[TrainingStep]:
    settings, lengths = task.scorer, [len(sentence) for sentence in task.sentences]
    order = shuffled(len(lengths), task.seed, number)
    explore = settings.explore if task.parser.explores and number >= settings.explore_from else 0.0
    judged = "decisions"
    if isinstance(trainer, BeamTrainer):
        trainer.is_greedy = number < settings.beam_from
        judged = "decisions" if trainer.is_greedy else "derivations"
    steps, mistakes, words, began = trainer.steps, trainer.mistakes, 0, time.perf_counter()
    for first in range(0, len(order), REPORT_EVERY):
        chunk = order[first : first + REPORT_EVERY]
        if task.tagging:
            task.tagging.learn(chunk, trainer)
        trainer.train(chunk, explore, task.watch)
        words += sum(lengths[i] for i in chunk)
        accuracy = 100 * (1 - (trainer.mistakes - mistakes) / max(trainer.steps - steps, 1))
        speed = words / (time.perf_counter() - began)
        yield TrainingStep(number, first + len(chunk), len(order), accuracy, speed, judged)


def _tag_column(train: Sequence[Sentence]) -> str:
    """Return XPOS if it is filled in and small enough to be a tag set, else UPOS."""
    tags = Counter(word.xpos for sentence in train for word in sentence.words)
    return "xpos" if 1 < len(tags) <= LARGEST_TAGSET and tags[EMPTY] < tags.total() / 2 else "upos"
