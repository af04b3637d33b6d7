"""Training the stack-LSTM: the loop is a generator, as that of the perceptron."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gardenpath import oracles, systems
from gardenpath.systems.classes import Classes
from gardenpath.core.random import shuffled
from gardenpath.formats.document import Sentence
from gardenpath.perceptron.training import CHUNK, Step, dev_scores, learnable, record_of
from gardenpath.core.storage import Arrays
from gardenpath.models.model import Model
from gardenpath.neural.board import Board
from gardenpath.neural.checkpoint import Checkpoint, Scores
from gardenpath.neural.guide import Guide, unroll
from gardenpath.neural.network import Network, Noise, Unrolled
from gardenpath.neural.parser import NeuralParser, best_device, parameters_of, put_parameters
from gardenpath.neural.rules import Rules
from gardenpath.neural.search import Rivalry
from gardenpath.neural.symbols import Symbols
from gardenpath.models.settings import Settings

LARGEST_NORM = 5.0      # of a gradient; beyond it is shortened


def training(
    train: Sequence[Sentence], dev: Sequence[Sentence] | None, settings: Settings, description: dict[str, Any] | None = None,
    *, checkpoint: Path | None = None, resume: bool = False,
) -> Iterator[Step]:
    """Train a parser, yielding a step every few hundred sentences and one with a model at the end of each pass.

    The best pass is the one with the highest dev LAS (subtypes not compared); without a dev set every pass is better than the one before. After each pass
    all that training needs to go on is written to `checkpoint`. With `resume` it goes on from there, if there is such a file, and comes to the same models
    as if it had never stopped; the best model so far is yielded first.
    """
    system = systems.for_parsing(settings.system, single_root=settings.single_root)
    oracle = oracles.of(system, settings.oracle, prefer=settings.preference, lookahead=settings.lookahead, postpone=settings.postpone)
    chosen, trees = learnable(train, oracle, settings.nonprojective)
    classes = Classes.of_trees(system, trees, shared_unshift=not settings.separate_unshift, labelled_reduce=settings.labelled_reduce)
    rules = Rules(system, classes)
    trainer = Trainer(Guide(rules, oracle, trees), Network.new(Symbols.of(chosen), rules, settings.encoder, settings.seed), chosen, settings)
    record = record_of(settings, train, chosen, trees) | {"tag": "upos" if settings.tag == "auto" else settings.tag} | (description or {})
    state = Checkpoint(checkpoint, settings, chosen, trees, dev)
    if resume and state.load(trainer.network, trainer.optimizer):
        best = trainer.parser(state.best_parameters)
        yield _ended(Step(state.best_pass, len(chosen), len(chosen), 0, 0), best, record, state.best_scores, True)
    for number in range(state.passes + 1, settings.passes + 1):
        for step in trainer.train(number):
            yield step
        learnt = trainer.result()
        parser = trainer.parser(learnt)
        scores = dev_scores(parser, dev) if dev else (None, None)
        is_best = state.end_pass(trainer.network, trainer.optimizer, learnt, scores)
        yield _ended(step, parser, record, scores, is_best)


def _ended(step: Step, parser: NeuralParser, record: dict[str, Any], scores: Scores, is_best: bool) -> Step:
    """The end of a pass, with its model."""
    uas, las = scores
    named = {} if las is None else {"dev_uas": round(uas or 0, 4), "dev_las": round(las, 4)}
    model = Model(parser, record | parser.description() | {"pass": step.number} | named)
    return replace(step, ended=True, uas=uas, las=las, is_best=is_best, model=model)


class Trainer:
    """A network in training, with the treebank that it learns from."""

    def __init__(self, guide: Guide, network: Network, sentences: Sequence[Sentence], settings: Settings) -> None:
        self.guide = guide
        self.network = network.to(best_device())
        self.sentences = sentences
        self.settings = settings
        self.optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
        self.once = torch.from_numpy(network.words.symbols.seen_once(sentences)).to(network.device)

    def train(self, number: int) -> Iterator[Step]:
        """One pass. All that is random in it depends on the seed and its number only."""
        settings, order = self.settings, shuffled(len(self.sentences), self.settings.seed, number)
        seed = (settings.seed * 1_000_003 + number) % 2**63
        noise = Noise(settings.dropout, seed, self.network.device)
        self.guide.oracle.reseed(seed)
        self.optimizer.param_groups[0]["lr"] = settings.learning_rate / (1 + settings.decay * (number - 1))
        right, scored, words, told, began = 0, 0, 0, 0, time.perf_counter()
        for first in range(0, len(order), settings.batch):
            batch = order[first : first + settings.batch]
            hits, steps = self.learn(batch, noise)
            right, scored, words = right + hits, scored + steps, words + sum(len(self.sentences[i]) for i in batch)
            done = first + len(batch)
            if done - told >= CHUNK or done == len(order):
                told = done
                yield Step(number, done, len(order), 100 * right / max(scored, 1), words / (time.perf_counter() - began))

    def learn(self, batch: list[int], noise: Noise) -> tuple[int, int]:
        """Learn from the sentences of these numbers; answer how many decisions were right, of how many."""
        words = [self.sentences[i].words for i in batch]
        derivations = [self.guide.derive(i) for i in batch]
        if self.settings.beam > 1:
            derivations = self._up_to_violations(words, derivations)
        board = Board(self.guide.rules, [len(sentence) for sentence in words])
        unrolled = Unrolled.of(board, *unroll(board, derivations), self.network.device)
        if not len(unrolled.classes):
            return 0, 0
        encoded = self.network.words.symbols.encode(words)
        tokens = self.network.tokens(encoded, self.network.words.spell(encoded.forms), noise, self.once)
        scores = self.network(tokens, unrolled, noise, len(batch))
        self.optimizer.zero_grad()
        torch.nn.functional.nll_loss(scores, unrolled.classes).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_NORM)
        self.optimizer.step()
        self._average()
        return int((scores.argmax(1) == unrolled.classes).sum()), len(unrolled.classes)

    @torch.no_grad()
    def _average(self) -> None:
        """Let the averages follow the parameters: fast at first, then as slowly as the settings say. They are kept with what Adam remembers."""
        if self.settings.averaging:
            for parameter in self.network.parameters():
                state = self.optimizer.state[parameter]
                weight = max(1 - self.settings.averaging, 9 / (9 + float(state["step"])))
                state["average"] = state.get("average", parameter).lerp(parameter, weight)

    def result(self) -> dict[str, np.ndarray]:
        """What has been learnt so far: the parameters, or their averages."""
        if not self.settings.averaging:
            return parameters_of(self.network)
        return {name: self.optimizer.state[parameter]["average"].cpu().numpy() for name, parameter in self.network.named_parameters()}

    def _up_to_violations(self, words: list[Any], derivations: list[np.ndarray]) -> list[np.ndarray]:
        """The derivations up to where each falls furthest behind the best that a beam search finds."""
        width = self.settings.beam
        scored = [np.flatnonzero(derivation[:, 2]) for derivation in derivations]
        classes = [derivation[places, 1].tolist() for derivation, places in zip(derivations, scored, strict=True)]
        rivalry = Rivalry(Board(self.guide.rules, [len(sentence) for sentence in words], 2 * width + 1), width, classes)
        self._parser_with(self.network).run(rivalry, words)
        ends = [places[limit - 1] + 1 if limit else 0 for places, limit in zip(scored, rivalry.violations, strict=True)]
        return [derivation[:end] for derivation, end in zip(derivations, ends, strict=True)]

    def parser(self, parameters: Arrays) -> NeuralParser:
        """A parser with these parameters."""
        network = Network.without_values(self.network.words.symbols, self.guide.rules, self.settings.encoder)
        put_parameters(network, parameters)
        return self._parser_with(network)

    def _parser_with(self, network: Network) -> NeuralParser:
        settings, rules = self.settings, self.guide.rules
        return NeuralParser(rules.system, rules.classes, network, settings.single_root, settings.nonprojective, settings.beam)
