"""Train the stack-LSTM."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from gardenpath.core.random import shuffled
from gardenpath.core.storage import Arrays
from gardenpath.neural.checkpoint import Checkpoint
from gardenpath.neural.epochs import run_epochs
from gardenpath.neural.network import ComputationPlan, Dropout
from gardenpath.neural.scorer import StackLSTM, best_device, parameters_of
from gardenpath.neural.symbols import Symbols
from gardenpath.neural.unroll import Unrolled, oracle_derivations
from gardenpath.neural.violations import violations
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import REPORT_EVERY, TrainingStep, TrainingTask

MAX_NORM = 5.0      # gradients are clipped to this norm


def train(task: TrainingTask) -> Iterator[TrainingStep]:
    """Train a stack-LSTM. Yield a step every few hundred sentences, and one with a parser at the end of each epoch.

    The best epoch is the one with the highest LAS on the dev set; without a dev set, it is the last one. After each
    epoch, the state of the training is written to `task.checkpoint`. With `task.resume`, training continues from this
    file if it exists. It first yields the best model so far, and then the same models as an uninterrupted run.
    """
    symbols = Symbols.of(task.sentences)
    scorer = StackLSTM.untrained(task.system, task.classes, symbols, task.scorer.encoder, task.seed)
    trainer = StackLSTMTrainer(scorer, task)
    state = Checkpoint(
        task.checkpoint, task.identity, task.sentences, task.trees, task.dev, averaged=bool(task.scorer.ema_decay),
    )
    yield from run_epochs(task, trainer, state)


class StackLSTMTrainer:
    """A network in training, with its treebank and optimizer."""

    def __init__(self, scorer: StackLSTM, task: TrainingTask) -> None:
        self.scorer = scorer
        self.network = scorer.network.to(best_device())
        self.sentences = task.sentences
        self.task = task
        self.settings = task.scorer
        words = [sentence.words for sentence in task.sentences]
        self.derivations = oracle_derivations(scorer, task.oracle, words, task.trees)
        self.optimizer = torch.optim.Adam(self.network.parameters(), self.settings.learning_rate, fused=True)
        self.once = torch.from_numpy(self.network.words.symbols.seen_once(task.sentences)).to(self.network.device)

    def train(self, number: int) -> Iterator[TrainingStep]:
        """Train one epoch. Its random choices depend on the seed of the run and on the number of the epoch only."""
        settings, order = self.settings, shuffled(len(self.sentences), self.task.seed, number)
        seed = (self.task.seed * 1_000_003 + number) % 2**63
        dropout = Dropout(settings.dropout, seed, self.network.device)
        self.derivations.reseed(seed)
        decay = 1 + settings.learning_rate_decay * (number - 1)
        self.optimizer.param_groups[0]["lr"] = settings.learning_rate / decay
        correct, scored, words, reported, began = 0, 0, 0, 0, time.perf_counter()
        for first in range(0, len(order), settings.batch_size):
            batch = order[first : first + settings.batch_size]
            hits, decisions = self.learn(batch, dropout)
            correct, scored = correct + hits, scored + decisions
            words += sum(len(self.sentences[i]) for i in batch)
            done = first + len(batch)
            if done - reported >= REPORT_EVERY or done == len(order):
                reported = done
                accuracy, seconds = 100 * correct / max(scored, 1), time.perf_counter() - began
                yield TrainingStep(number, done, len(order), accuracy, words / seconds)

    def learn(self, batch: list[int], dropout: Dropout) -> tuple[int, int]:
        """Update the parameters with a batch of sentences. Return the numbers of correct decisions and of decisions."""
        words = [self.sentences[i].words for i in batch]
        derivations = [self.derivations.derive(i) for i in batch]
        if self.task.parser.width > 1:
            derivations = self._up_to_violations(words, derivations)
        plan = ComputationPlan.of(Unrolled(self.scorer, words, derivations), self.network.device)
        if not len(plan.classes):
            return 0, 0
        encoded = self.network.words.symbols.encode(words)
        tokens = self.network.tokens(encoded, self.network.words.spell(encoded.forms), dropout, self.once)
        scores = self.network(tokens, plan, dropout, len(batch))
        self.optimizer.zero_grad()
        torch.nn.functional.nll_loss(scores, plan.classes).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_NORM)
        self.optimizer.step()
        self._average()
        return int((scores.argmax(1) == plan.classes).sum()), len(plan.classes)

    @torch.no_grad()
    def _average(self) -> None:
        """Update the exponential moving averages of the parameters. The decay is smaller in the first batches.

        The averages are stored in the state of Adam.
        """
        if self.settings.ema_decay:
            for parameter in self.network.parameters():
                state = self.optimizer.state[parameter]
                weight = max(1 - self.settings.ema_decay, 9 / (9 + float(state["step"])))
                state["average"] = state.get("average", parameter).lerp(parameter, weight)

    def result(self) -> dict[str, np.ndarray]:
        """Return the current parameters of the model: those of the network, or their averages."""
        if not self.settings.ema_decay:
            return parameters_of(self.network)
        return {
            name: self.optimizer.state[parameter]["average"].cpu().numpy()
            for name, parameter in self.network.named_parameters()
        }

    def _up_to_violations(self, words: list[Any], derivations: list[np.ndarray]) -> list[np.ndarray]:
        """Cut each derivation where it is furthest behind the best one of a beam search."""
        # A new scorer has no cached vectors from before the last update.
        scorer = StackLSTM(self.scorer.system, self.scorer.classes, self.network)
        limits = violations(scorer, words, self.task.parser.width, derivations)
        scored = [np.flatnonzero(derivation[:, 2]) for derivation in derivations]
        ends = [places[limit - 1] + 1 if limit else 0 for places, limit in zip(scored, limits, strict=True)]
        return [derivation[:end] for derivation, end in zip(derivations, ends, strict=True)]

    def parser(self, parameters: Arrays) -> Parser:
        """Return a parser with these parameters."""
        return self.task.parser_of(self.scorer.with_parameters(parameters))
