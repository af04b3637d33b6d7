"""Cross-validation: each sentence of a treebank is parsed by models that were trained on the other sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from gardenpath.crews.crew import share_out
from gardenpath.crews.processes import Processes
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.models.calibration import MIN_SENTENCES
from gardenpath.models.settings import Settings
from gardenpath.models.training import best_of, training

MAX_FOLDS = 10
Watch = Callable[[int, int], None]            # called with the number of finished models and of all models


class PredictedArc(NamedTuple):
    """The head and label that a model predicts, with their calibrated probabilities."""

    head: int
    label: str
    head_confidence: float
    label_confidence: float


Tree = list[PredictedArc]


class FoldTask(NamedTuple):
    """A model to train: its settings, and the sentences to parse with it, which it is not trained on."""

    settings: Settings
    held_out: tuple[int, ...]


def cross_validated(
    sentences: Sequence[Sentence], settings: Sequence[Settings], *, folds: int | None = None, seed: int = 1,
    workers: int = 1, watch: Watch | None = None,
) -> list[list[Tree]]:
    """Return the predicted trees of all sentences, a list for each of the settings.

    The sentences are divided into folds at random. The confidence of a model is calibrated on the sentences that it
    parses, so it is the probability that a prediction equals the annotation.
    """
    parts = divide(len(sentences), folds, seed)
    tasks = [FoldTask(each, part) for each in settings for part in parts]
    trees: list[list[Tree]] = [[[] for _ in sentences] for _ in settings]
    for done, (number, found) in enumerate(_in_workers(sentences, tasks, workers), 1):
        system = trees[number // len(parts)]
        for place, tree in zip(tasks[number].held_out, found, strict=True):
            system[place] = tree
        if watch:
            watch(done, len(tasks))
    return trees


def divide(sentences: int, folds: int | None, seed: int) -> list[tuple[int, ...]]:
    """Divide the numbers of sentences into folds at random. By default there are ten, or fewer for few sentences."""
    most = sentences // MIN_SENTENCES
    count = min(MAX_FOLDS, most) if folds is None else folds
    if most < 2:
        raise UsageError(
            f"cross-validation needs at least {2 * MIN_SENTENCES} sentences, not {sentences}; give a larger treebank"
        )
    if not 2 <= count <= most:
        raise UsageError(
            f"{count} folds do not fit {sentences} sentences, because a fold has at least {MIN_SENTENCES}; "
            f"use 2 to {most} folds"
        )
    order = list(range(sentences))
    random.Random(seed).shuffle(order)
    return [tuple(sorted(order[first::count])) for first in range(count)]


def predict(sentences: Sequence[Sentence], task: FoldTask) -> list[Tree]:
    """Train a model on all sentences that are not held out, and parse those that are."""
    held = set(task.held_out)
    model = best_of(training([each for i, each in enumerate(sentences) if i not in held], None, task.settings))
    model = model.calibrated([sentences[place] for place in task.held_out])
    copies = [Sentence([_untouched(word) for word in sentences[place]]) for place in task.held_out]
    return [[_arc(word) for word in sentence] for sentence in model.parse(copies)]


def _untouched(word: Word) -> Word:
    return Word(word.id, word.form, word.lemma, word.upos, word.xpos, word.feats)


def _arc(word: Word) -> PredictedArc:
    confidence = word.confidence
    assert word.head is not None
    assert confidence is not None
    assert confidence.head is not None
    assert confidence.label is not None
    return PredictedArc(word.head, word.deprel, confidence.head, confidence.label)


def _in_workers(
    sentences: Sequence[Sentence], tasks: list[FoldTask], workers: int
) -> Iterator[tuple[int, list[Tree]]]:
    """Do the tasks in this process or in several, and yield the number of each and its trees."""
    if workers == 1:
        for number, task in enumerate(tasks):
            yield number, predict(sentences, task)
        return
    work = partial(_attempt, list(sentences), tasks)
    crew = Processes[int, list[Tree] | str](work, workers)
    with closing(share_out(range(len(tasks)), crew)) as running:
        for ended in running:
            if not isinstance(ended.result, list):
                raise UsageError(ended.result or ended.failure())
            yield ended.task, ended.result


def _attempt(sentences: list[Sentence], tasks: list[FoldTask], number: int) -> list[Tree] | str:
    """Do a task in a worker. Return its trees, or an error message."""
    try:
        return predict(sentences, tasks[number])
    except GardenpathError as error:
        return str(error)
