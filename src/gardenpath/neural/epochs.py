"""The part of training that the networks share: epochs with checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np
import torch

from gardenpath.core.storage import Arrays
from gardenpath.neural.checkpoint import Checkpoint
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import Scores, TrainingStep, TrainingTask

CANDIDATES = 5               # in the first half of the training, the first of five epochs is evaluated


class NetworkInTraining(Protocol):
    """A network in training, with its optimizer."""

    @property
    def network(self) -> torch.nn.Module:
        """The network."""

    @property
    def optimizer(self) -> torch.optim.Adam:
        """The optimizer."""

    def train(self, number: int) -> Iterator[TrainingStep]:
        """Train one epoch. Its random choices depend on the seed of the run and on the number of the epoch only."""

    def result(self) -> dict[str, np.ndarray]:
        """Return the current parameters of the model."""

    def parser(self, parameters: Arrays) -> Parser:
        """Return a parser with these parameters."""


def run_epochs(task: TrainingTask, trainer: NetworkInTraining, state: Checkpoint) -> Iterator[TrainingStep]:
    """Yield the steps of all epochs, each ending with one that has a parser. Write a checkpoint after each epoch.

    With `task.resume`, first yield the best model of the checkpoint, if there is one.
    """
    if task.resume and state.load(trainer.network, trainer.optimizer):
        step = TrainingStep(state.best_epoch, len(task.sentences), len(task.sentences), 0, 0)
        yield _ended(step, trainer.parser(state.best_parameters), state.best_scores, True)
    for number in range(state.epochs + 1, task.epochs + 1):
        for step in trainer.train(number):
            yield step
        parameters = trainer.result()
        parser = trainer.parser(parameters)
        scores = task.evaluate(parser, parser.scorer.tagger()) if _is_candidate(number, task) else None
        is_best = state.end_epoch(trainer.network, trainer.optimizer, parameters, scores)
        yield _ended(step, parser, scores or (None, None), is_best)


def _is_candidate(number: int, task: TrainingTask) -> bool:
    """Return whether an epoch can be the best one: all of the second half, and some of the first half.

    The learning rate falls, so the best epoch is nearly always one of the last. Evaluation takes a third of the time on
    a small treebank.
    """
    return not task.dev or 2 * number > task.epochs or number % CANDIDATES == 1


def _ended(step: TrainingStep, parser: Parser, scores: Scores, is_best: bool) -> TrainingStep:
    """Return the step at the end of an epoch, with its parser and the tagger that is part of it."""
    return replace(
        step, ended=True, uas=scores[0], las=scores[1], is_best=is_best, parser=parser, tagger=parser.scorer.tagger(),
    )
