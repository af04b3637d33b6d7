"""The part of training that the networks share: epochs with checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np
import torch

from gardenpath.core.storage import Arrays
from gardenpath.neural.checkpoint import Checkpoint
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import Scores, TrainingStep, TrainingTask


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


def run_epochs(
    task: TrainingTask, trainer: NetworkInTraining, state: Checkpoint,
    is_candidate: Callable[[int], bool] = lambda number: True,
) -> Iterator[TrainingStep]:
    """Yield the steps of all epochs, each ending with one that has a parser. Write a checkpoint after each epoch.

    With `task.resume`, first yield the best model of the checkpoint, if there is one. If there is a dev set,
    `is_candidate` tells which epochs are evaluated. The others cannot be the best one.
    """
    if task.resume and state.load(trainer.network, trainer.optimizer):
        step = TrainingStep(state.best_epoch, len(task.sentences), len(task.sentences), 0, 0)
        yield _ended(step, trainer.parser(state.best_parameters), state.best_scores, True)
    for number in range(state.epochs + 1, task.epochs + 1):
        for step in trainer.train(number):
            yield step
        parameters = trainer.result()
        parser = trainer.parser(parameters)
        is_evaluated = not task.dev or is_candidate(number)
        scores = task.evaluate(parser, parser.scorer.tagger()) if is_evaluated else None
        is_best = state.end_epoch(trainer.network, trainer.optimizer, parameters, scores)
        yield _ended(step, parser, scores or (None, None), is_best)


def _ended(step: TrainingStep, parser: Parser, scores: Scores, is_best: bool) -> TrainingStep:
    """Return the step at the end of an epoch, with its parser and the tagger that is part of it."""
    return replace(
        step, ended=True, uas=scores[0], las=scores[1], is_best=is_best, parser=parser, tagger=parser.scorer.tagger(),
    )
