"""Train the network: PyTorch computes, the native core searches and judges."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gardenpath.core.checksum import checksum
from gardenpath.core.random import shuffled
from gardenpath.core.storage import Arrays
from gardenpath.errors import InputError
from gardenpath.features.vectors import Vectors, lower_case, read_vectors
from gardenpath.machine import available_cores
from gardenpath.network import bilstm
from gardenpath.network.arcs import GoldArcs
from gardenpath.network.export import arrays_of
from gardenpath.network.module import (
    Dropout,
    Encoded,
    NetworkModule,
    Sizes,
    WordInputs,
    decision_loss,
    decision_scores,
    encode,
    rule_scores,
    untrained,
)
from gardenpath.network.replacement import WordReplacement
from gardenpath.network.scorer import NativeNetwork
from gardenpath.network.settings import NetworkSettings
from gardenpath.network.slots import rounded_up
from gardenpath.network.vocabulary import IGNORED, UNKNOWN, EncodedTreebank, Vocabulary
from gardenpath.network.walk import GivenScorer, NetworkWalk
from gardenpath.neural.checkpoint import Checkpoint
from gardenpath.neural.epochs import run_epochs
from gardenpath.neural.scorer import best_device
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import TrainingStep, TrainingTask

if TYPE_CHECKING:
    from gardenpath.network.ensemble_training import EnsembleTrainer

CHARACTER_DIM = 64
CHARACTER_HIDDEN_SIZE = 96
WORD_DIM = 256
PARSER_DIM = 192
SLOT_DIM = 128
MAX_NORM = 5.0              # gradients are clipped to this norm
WARM_UP = 0.02              # share of the training in which the learning rate rises
LAST_RATE = 0.02            # the last learning rate, relative to the highest
SECOND_MOMENT = 0.98        # decay of Adam's second moment
RARE_FORMS = 0.25           # a form that occurs n times is replaced by the unknown form with probability a / (a + n)
LEMMA_WEIGHT = 1.0          # of the loss of lemma rules, relative to those of tags and transitions
ARC_WEIGHT = 0.5            # of the loss of arcs, see `Arcs`
CANDIDATES = 5              # in the first half of the training, the first of five epochs is evaluated
POOL = 20                   # number of batches whose sentences are sorted by length together
REPORT_SECONDS = 1.0        # between two reports
MAX_THREADS = 8


def train(task: TrainingTask) -> Iterator[TrainingStep]:
    """Train a network. Yield a step every second, and one with a parser at the end of each epoch.

    The best epoch is the one with the highest LAS on the dev set; without a dev set, it is the last one. After each
    epoch, the state of the training is written to `task.checkpoint`. With `task.resume`, training continues from this
    file if it exists. It first yields the best model so far, and then the same models as an uninterrupted run.
    """
    if not bilstm.is_sequential:
        torch.set_num_threads(min(available_cores(), MAX_THREADS))
    with _deterministic():
        yield from _train(task)


@contextmanager
def _deterministic() -> Iterator[None]:
    """Let PyTorch add numbers in a fixed order, so that the same seed gives the same model."""
    options: Any = torch.utils.deterministic
    before = torch.are_deterministic_algorithms_enabled(), options.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True)
    options.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0])
        options.fill_uninitialized_memory = before[1]


def _train(task: TrainingTask) -> Iterator[TrainingStep]:
    trainer = _trainer(task)
    state = Checkpoint(
        task.checkpoint, task.identity | trainer.identity(), task.sentences, task.trees, task.dev,
        averaged=bool(task.scorer.ema_decay), extendable=False,
    )
    yield from run_epochs(task, trainer, state, lambda number: _is_candidate(number, task.epochs))


def _trainer(task: TrainingTask) -> NetworkTrainer | EnsembleTrainer:
    if task.scorer.networks == 1:
        return NetworkTrainer(task)
    from gardenpath.network.ensemble_training import EnsembleTrainer  # it imports this module

    return EnsembleTrainer(task)


def _is_candidate(number: int, epochs: int) -> bool:
    """Return whether an epoch can be the best one: all of the second half, and some of the first half.

    The learning rate falls, so the best epoch is nearly always one of the last. Evaluation takes a third of the time on
    a small treebank.
    """
    return 2 * number > epochs or number % CANDIDATES == 1


def batch_words_for(words: int) -> int:
    """Return the number of words in a batch for a treebank of this number of words."""
    return max(200, min(1000, words // 60))


class NetworkTrainer:
    """A network in training, with its treebank and optimizer."""

    def __init__(self, task: TrainingTask) -> None:
        settings: NetworkSettings = task.scorer
        self.task, self.settings = task, settings
        self.vocabulary = Vocabulary.of(task.sentences)
        words = [sentence.words for sentence in task.sentences]
        self.treebank = EncodedTreebank(self.vocabulary, words)
        self.arcs = GoldArcs.of(task.trees)
        self.vectors = _vectors(settings, self.treebank)
        self.device = best_device()
        self.network = untrained(self.vocabulary, self._sizes(), task.seed).to(self.device)
        self.vector_rows = self._vector_rows()
        self.optimizer = torch.optim.Adam(self.network.parameters(), betas=(0.9, SECOND_MOMENT), fused=True)
        self.scorer = GivenScorer(task.system, task.classes, SLOT_DIM)
        self.walk = NetworkWalk(
            self.scorer, task.oracle, words, task.trees, labels_all_arcs=task.parser.labels_all_arcs,
        )
        counts = np.zeros(len(self.vocabulary.forms) + 1)
        np.add.at(counts, self.treebank.form_ids[self.treebank.spellings], 1)
        self.form_dropout = RARE_FORMS / (RARE_FORMS + counts)
        self.rule_weights = _rule_weights(self.treebank)
        self.replacement = WordReplacement(settings.replace_words, self.vocabulary.tags, self.treebank.tags)
        self.batch_words = settings.batch_words or batch_words_for(int(self.treebank.lengths.sum()))

    def identity(self) -> dict[str, str]:
        """Return checksums of the data that the settings and the trees do not contain."""
        lemmas = repr([word.lemma for sentence in self.task.sentences for word in sentence.words])
        arrays: dict[str, np.ndarray] = {
            "training lemma data": np.frombuffer(lemmas.encode("utf-8", "surrogatepass"), np.uint8),
        }
        if self.vectors is not None:
            arrays["vector data"] = self.vectors.rows.reshape(-1).view(np.uint8)
        return {name: str(checksum(array)) for name, array in arrays.items()}

    def _sizes(self) -> Sizes:
        vocabulary, classes, settings = self.vocabulary, self.task.classes, self.settings
        return Sizes(
            characters=len(vocabulary.characters), forms=len(vocabulary.forms), tags=len(vocabulary.tags),
            parts=vocabulary.part_count, rules=vocabulary.rule_classes, labels=len(classes.labels),
            arc_labels=self.arcs.label_count, classes=rounded_up(classes.size), slots=len(self.task.system.slots),
            vectors=self.vectors.dimension if self.vectors else 0, character_dim=CHARACTER_DIM,
            character_hidden=CHARACTER_HIDDEN_SIZE, word_dim=WORD_DIM, layers=settings.layers,
            hidden=settings.hidden_size, parser_dim=PARSER_DIM, slot_dim=SLOT_DIM,
        )

    def _vector_rows(self) -> Tensor | None:
        """Return the pretrained vectors of the treebank's forms; zeros where there is none."""
        if self.vectors is None:
            return None
        numbers = {word: number for number, word in enumerate(self.vectors.words)}
        rows = np.zeros((len(self.treebank.distinct), self.vectors.dimension), np.float32)
        for row, form in zip(rows, self.treebank.distinct, strict=True):
            if (number := numbers.get(lower_case(form))) is not None:
                row[:] = self.vectors.rows[number]
        return torch.from_numpy(rows).to(self.device)

    def train(self, number: int) -> Iterator[TrainingStep]:
        """Train one epoch. Its random choices depend on the seed of the run and on the number of the epoch only."""
        task, lengths = self.task, self.treebank.lengths
        random = np.random.default_rng([task.seed, number])
        dropout = Dropout(self.settings.dropout, random)
        self.walk.reseed(int(random.integers(2**63)))
        explore = self.settings.exploration(task.system) if task.parser.explores and number > 1 else 0.0
        batches = self._batches(number, random)
        correct, scored, words, sentences, began = 0, 0, 0, 0, time.perf_counter()
        reported = began
        for i, batch in enumerate(batches):
            self._set_learning_rate((number - 1 + i / len(batches)) / task.epochs)
            hits, decisions = self.learn(batch, random, dropout, explore)
            correct, scored = correct + hits, scored + decisions
            words, sentences, now = words + int(lengths[batch].sum()), sentences + len(batch), time.perf_counter()
            if now - reported >= REPORT_SECONDS or i + 1 == len(batches):
                reported = now
                accuracy = 100 * correct / max(scored, 1)
                yield TrainingStep(number, sentences, len(lengths), accuracy, words / (now - began))

    def _batches(self, number: int, random: np.random.Generator) -> list[list[int]]:
        """Return the sentences in batches of similar length, in random order."""
        lengths, waiting = self.treebank.lengths, 0
        batches: list[list[int]] = []
        pool: list[int] = []
        order = shuffled(len(lengths), self.task.seed, number)
        for place, sentence in enumerate(order, 1):
            pool.append(sentence)
            waiting += int(lengths[sentence])
            if waiting >= POOL * self.batch_words or place == len(order):
                batches += self._divided(sorted(pool, key=lambda i: int(lengths[i])))
                pool, waiting = [], 0
        return [batches[i] for i in random.permutation(len(batches))]

    def _divided(self, sentences: list[int]) -> Iterator[list[int]]:
        batch: list[int] = []
        words = 0
        for sentence in sentences:
            batch.append(sentence)
            words += int(self.treebank.lengths[sentence])
            if words >= self.batch_words:
                yield batch
                batch, words = [], 0
        if batch:
            yield batch

    def _set_learning_rate(self, progress: float) -> None:
        """Set the learning rate: it rises, and then falls like a cosine. `progress` is a share of the training."""
        falling = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))
        rate = self.settings.learning_rate * min(1.0, (progress + 1e-3) / WARM_UP) * falling
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def learn(
        self, batch: list[int], random: np.random.Generator, dropout: Dropout, explore: float,
    ) -> tuple[int, int]:
        """Update the parameters with a batch of sentences. Return the numbers of correct decisions and of decisions."""
        places = self.treebank.places(batch)
        shown = self.replacement(places, random)
        encoded = encode(self.network, self._inputs(batch, shown, random), dropout)
        set_layers(self.scorer, self.network)
        records = self.walk.record(batch, encoded.table.detach().cpu().numpy(), explore, self.task.watch)
        loss = self._loss(encoded, places, shown, records, dropout)
        self.update((loss + ARC_WEIGHT * self._arc_loss(encoded, batch, places, dropout)) / len(places))
        return self.walk.accuracy

    def update(self, loss: Tensor) -> None:
        """Change the parameters by the gradients of a loss."""
        self.optimizer.zero_grad()
        loss.backward()
        for parameter in self.network.parameters():
            if parameter.grad is None:             # not part of this batch, for example because it has no decisions
                parameter.grad = torch.zeros_like(parameter)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_NORM)
        self.optimizer.step()
        self._average()

    def _inputs(self, batch: list[int], places: np.ndarray, random: np.random.Generator) -> WordInputs:
        treebank = self.treebank
        distinct, spellings = np.unique(treebank.spellings[places], return_inverse=True)
        forms = treebank.form_ids[distinct][spellings]
        forms = np.where(random.random(len(forms)) < self.form_dropout[forms], UNKNOWN, forms)
        spelt_lengths = treebank.spelt_lengths[distinct]
        return WordInputs(
            torch.from_numpy(treebank.lengths[batch]), self._tensor(spellings), self._tensor(forms),
            self._tensor(treebank.spelt[distinct, : spelt_lengths.max()]), torch.from_numpy(spelt_lengths),
            None if self.vector_rows is None else self.vector_rows[distinct], self._part_weights(len(places), random),
        )

    def _part_weights(self, words: int, random: np.random.Generator) -> Tensor | None:
        """Return the weights of form and spelling of each word: 0 if the part is left out, 2 if it is alone, or 1."""
        if not self.settings.input_dropout:
            return None
        kept = random.random((words, 2), np.float32) >= self.settings.input_dropout
        return self._tensor(kept * (np.float32(2) / np.maximum(kept.sum(1, keepdims=True), 1)).astype(np.float32))

    def _loss(
        self, encoded: Encoded, places: np.ndarray, shown: np.ndarray, records: tuple[np.ndarray, ...],
        dropout: Dropout,
    ) -> Tensor:
        """Return the sum of the losses of tags, lemma rules and decisions.

        Words that were replaced have the lemmas of those that were shown.
        """
        tags, rules = self._tensor(self.treebank.tags[places]), self._tensor(self.treebank.rules[shown])
        loss = functional.nll_loss(encoded.tags, tags, reduction="sum")
        if encoded.rules.shape[1]:
            scores = rule_scores(self.network, encoded, tags)
            losses = functional.cross_entropy(scores, rules, reduction="none", ignore_index=IGNORED)
            loss = loss + (losses * self._tensor(self.rule_weights[shown])).sum()
        words, labels, decisions, marks = (self._tensor(array) for array in records)
        if len(words):
            scores = decision_scores(self.network, encoded.table, words.long(), labels.long(), dropout)
            loss = loss + decision_loss(scores, marks, decisions.long())
        return loss

    def _arc_loss(self, encoded: Encoded, batch: list[int], places: np.ndarray, dropout: Dropout) -> Tensor:
        heads, labels = self._tensor(self.arcs.heads[places]), self._tensor(self.arcs.labels[places])
        lengths = torch.from_numpy(self.treebank.lengths[batch])
        return self.network.arcs.loss(encoded.states, lengths, heads, labels, dropout)

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _average(self) -> None:
        """Update the exponential moving averages of the parameters. The decay is smaller in the first batches.

        The averages are stored in the state of Adam.
        """
        if self.settings.ema_decay:
            parameters: list[Tensor] = list(self.network.parameters())
            states = [self.optimizer.state[parameter] for parameter in parameters]
            weight = max(1 - self.settings.ema_decay, 9 / (9 + float(states[0]["step"])))
            for state, parameter in zip(states, parameters, strict=True):
                state.setdefault("average", parameter.detach().clone())
            torch._foreach_lerp_([state["average"] for state in states], parameters, weight)

    def result(self) -> dict[str, np.ndarray]:
        """Return the current parameters of the model: those of the network, or their averages."""
        return {
            name: (self.optimizer.state[parameter]["average"] if self.settings.ema_decay else parameter)
            .detach().cpu().numpy().copy()
            for name, parameter in self.network.named_parameters()
        }

    def parser(self, parameters: Arrays) -> Parser:
        """Return a native parser with these parameters."""
        return self.task.parser_of(self.native(parameters))

    def native(self, parameters: Arrays) -> NativeNetwork:
        """Return the native network with these parameters."""
        network = NetworkModule(self.network.sizes, self.vocabulary.parts)
        network.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in parameters.items()})
        arrays = arrays_of(network, self.vocabulary, self.vectors)
        return NativeNetwork(
            self.task.system, self.task.classes, self.vocabulary.tags, self.vocabulary.rules, arrays,
        )


def set_layers(scorer: GivenScorer, network: NetworkModule) -> None:
    """Give a scorer the last layers of a network."""
    parameters = (network.labels, network.slot_bias, network.output, network.output_bias)
    scorer.set_parameters(*(parameter.detach().cpu().numpy() for parameter in parameters))


def _rule_weights(treebank: EncodedTreebank) -> np.ndarray:
    """Return the weight of each word in the loss of lemma rules: 1 on average, and higher for words with a rare form.

    The lemmas of frequent forms are in the lexicon of the model, so the rules are needed for rare and unknown forms.
    """
    weights = np.bincount(treebank.spellings)[treebank.spellings] ** -0.5
    return (LEMMA_WEIGHT * weights / weights.mean()).astype(np.float32)


def _vectors(settings: NetworkSettings, treebank: EncodedTreebank) -> Vectors | None:
    """Read the vectors of the treebank's forms, and of the first words of the file."""
    if settings.vectors is None:
        return None
    wanted = {lower_case(form) for form in treebank.distinct}
    vectors = read_vectors(settings.vectors, limit=settings.max_vectors, wanted=wanted, lowered=True)
    if not vectors:
        raise InputError(f"{settings.vectors}: no word of the treebank has a vector; choose another file of vectors")
    return vectors
