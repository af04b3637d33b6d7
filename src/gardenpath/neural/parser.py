"""Parsing with the stack-LSTM: many sentences in lockstep, greedily or with a beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from gardenpath import systems
from gardenpath.systems.classes import Classes
from gardenpath.formats.document import Word
from gardenpath.errors import UsageError
from gardenpath.core.storage import Arrays
from gardenpath.neural.board import Board
from gardenpath.neural.network import Network, Tables
from gardenpath.neural.rules import Rules
from gardenpath.neural.search import Beam, Greedy, Search
from gardenpath.neural.symbols import Symbols
from gardenpath.neural.walk import Walk
from gardenpath.pseudo import ENCODINGS, lower
from gardenpath.search import checked_width
from gardenpath.search.guides import Guide
from gardenpath.search.trace import LOWER, SINGLE_ROOT, TraceStep
from gardenpath.systems import Configuration, TransitionSystem

DERIVATIONS = 256           # that are under way at once
CACHED_FORMS = 200_000
PREFIX = "network."         # of the names of parameters in a file

Words = TypeVar("Words", bound=Sequence[Word])
AnySearch = TypeVar("AnySearch", bound=Search)
Heads = list[int]
Labels = list[str]


class NeuralParser:
    """System, classes and network together. Parsing never changes them, so any number of threads may share a parser.

    `single_root` is a policy outside the system: where a parse ends with several root words, the first stays and the others become its children, with the label
    that a right-arc had for them when they were last in front. If `nonprojective` is the encoding that training lifted arcs in, those that a parse marks as
    lifted are lowered. With a `width` above 1 it searches with a beam.
    """

    batch_words = 8_000     # enough to fill the rounds of greedy search with sentences of like length

    def __init__(
        self, system: TransitionSystem, classes: Classes, network: Network, single_root: bool = True, nonprojective: str = "lift", width: int = 1,
    ) -> None:
        self.system = system
        self.classes = classes
        self.network = network
        self.single_root = single_root
        self.nonprojective = nonprojective
        self.width = checked_width(width)
        self._rules = Rules(system, classes)
        self._spellings = _Spellings(network)

    @classmethod
    def build(cls, description: dict[str, Any], arrays: Arrays) -> NeuralParser:
        """The parser that a description and its arrays make up; `LookupError` and `ValueError` name what they lack."""
        settings = description["settings"]
        system = systems.for_parsing(settings["system"], single_root=settings["single_root"])
        classes = Classes(system, description["labels"], shared_unshift=not settings["separate_unshift"], labelled_reduce=settings["labelled_reduce"])
        network = Network.without_values(Symbols(description["symbols"]), Rules(system, classes), settings["encoder"])
        put_parameters(network, {name.removeprefix(PREFIX): array for name, array in arrays.items() if name.startswith(PREFIX)})
        return cls(system, classes, network, settings["single_root"], settings["nonprojective"], settings["beam"])

    def description(self) -> dict[str, Any]:
        """What `build` needs besides settings and arrays."""
        return {"labels": self.classes.inventories, "symbols": self.network.words.symbols.names}

    def arrays(self) -> Arrays:
        """The parameters by name."""
        return {PREFIX + name: array for name, array in parameters_of(self.network).items()}

    def with_beam(self, width: int) -> NeuralParser:
        """The same parser with a beam that wide."""
        other = NeuralParser(self.system, self.classes, self.network, self.single_root, self.nonprojective, width)
        other._spellings = self._spellings
        return other

    def parse(self, sentences: list[Words]) -> list[Words]:
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place."""
        # Sentences of like length go together, since those that have ended wait for the others.
        order = sorted((i for i, sentence in enumerate(sentences) if len(sentence)), key=lambda i: len(sentences[i]))
        size = max(DERIVATIONS // self.width, 1)
        for first in range(0, len(order), size):
            chosen = [sentences[i] for i in order[first : first + size]]
            search = self._search(chosen)
            for i, sentence in enumerate(chosen):
                _, heads, labels = search.trees(i, self.single_root)[0]
                for word, head, label in zip(sentence, *self._readable(heads, labels), strict=True):
                    word.head, word.deprel = head, label
        return sentences

    def kbest(self, words: Sequence[Word], k: int) -> list[tuple[float, Heads, Labels]]:
        """The k best parses that the beam ends with, no two alike, the best first: average log-probability a scored move, heads, labels."""
        if not 1 <= k <= self.width:
            raise UsageError(f"a beam {self.width} wide can tell the best 1 to {self.width} parses, not {k}; take a wider one")
        if not words:
            return [(0.0, [], [])]
        found: dict[Any, tuple[float, Heads, Labels]] = {}
        # Even a beam of one is one here: greedy search does not count probabilities.
        for score, numbers, ids in self.run(Beam(Board(self._rules, [len(words)], 2 * self.width), self.width), [words]).trees(0, self.single_root):
            heads, labels = self._readable(numbers, ids)
            found.setdefault((*heads, *labels), (score, heads, labels))
        return list(found.values())[:k]

    @torch.inference_mode()
    def trace(self, words: Sequence[Word], policy: bool = False, guide: Guide | None = None) -> Iterator[TraceStep]:
        """The moves of the parser on a tagged sentence, with their log-probabilities; with `policy` also what is changed after the last one.

        A `guide` may name moves to be made in place of the parser's own, which then goes on greedily.
        """
        walk = Walk(Board(self._rules, [len(words)]), self._search([words]).derivation(0), guide)
        tables = self._tables([words])
        yield from walk.pass_by()
        tables.extend(walk.board)
        while len(slots := walk.look()):
            yield walk.go(tables.scores(slots))
            yield from walk.pass_by()
            tables.extend(walk.board)
        if policy:
            yield from self._last_steps(walk.configuration(), *walk.tree(self.single_root))

    def _last_steps(self, c: Configuration, heads: Heads, ids: list[int]) -> Iterator[TraceStep]:
        """What differs from the last configuration: by the single-root policy, and arcs that are lowered; each as a step of that name."""
        lowered = zip(*self._readable(heads, ids), strict=True)
        for word, (old, new, (last, label)) in enumerate(zip(c.heads, heads, lowered, strict=True), 1):
            if new != old:
                yield TraceStep(c, SINGLE_ROOT, self.classes.labels[ids[word - 1]], (new, word), False)
            if last != new:
                yield TraceStep(c, LOWER, label, (last, word), False)

    def _search(self, sentences: Sequence[Sequence[Word]]) -> Greedy | Beam:
        """The best derivations of sentences of one word or more."""
        lengths = [len(sentence) for sentence in sentences]
        if self.width == 1:
            return self.run(Greedy(Board(self._rules, lengths)), sentences)
        return self.run(Beam(Board(self._rules, lengths, 2 * self.width), self.width), sentences)

    @torch.inference_mode()
    def run(self, search: AnySearch, sentences: Sequence[Sequence[Word]]) -> AnySearch:
        """Bring a search over these sentences to its end."""
        tables = self._tables(sentences)
        tables.extend(search.board)
        while len(slots := search.look()):
            search.choose(tables.scores(slots))
            tables.extend(search.board)
        return search

    def _tables(self, sentences: Sequence[Sequence[Word]]) -> Tables:
        encoded = self.network.words.symbols.encode(sentences)
        return Tables(self.network, self.network.tokens(encoded, self._spellings.of(encoded.forms)))

    def _readable(self, heads: Heads, ids: list[int]) -> tuple[Heads, Labels]:
        """Heads and labels as people read them, lifted arcs lowered."""
        labels = [self.classes.labels[i] for i in ids]
        return lower(heads, labels, self.nonprojective) if self.nonprojective in ENCODINGS else (heads, labels)


class _Spellings:
    """The vectors of forms by their characters, each computed once."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.rows: dict[str, int] = {}
        self.table: Tensor | None = None
        self.lock = Lock()

    def of(self, forms: list[str]) -> Tensor:
        """A row for each form."""
        with self.lock:
            if len(self.rows) > CACHED_FORMS:
                self.rows, self.table = {}, None
            new = [form for form in forms if form not in self.rows]
            if new:
                self.rows |= {form: row for row, form in enumerate(new, len(self.rows))}
                spelt = self.network.words.spell(new)
                self.table = spelt if self.table is None else torch.cat([self.table, spelt])
            rows, table = [self.rows[form] for form in forms], self.table
        assert table is not None
        return table[torch.tensor(rows, device=table.device)]


def parameters_of(network: Network) -> Arrays:
    """The parameters by name, as they are now."""
    return {name: parameter.detach().cpu().numpy().copy() for name, parameter in network.named_parameters()}


def put_parameters(network: Network, arrays: Arrays) -> None:
    """Set all parameters; `LookupError` and `ValueError` name those that are missing, foreign or of another shape."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    expected = dict(network.named_parameters())
    for name in sorted(expected.keys() ^ arrays.keys()):
        raise LookupError(f"parameter {name}, which is {'missing' if name in expected else 'none of the network'}")
    for name, parameter in expected.items():
        array = arrays[name]
        if array.shape != tuple(parameter.shape) or array.dtype != np.float32:
            raise ValueError(f"parameter {name}: {array.dtype} of shape {array.shape} for float32 of shape {tuple(parameter.shape)}")
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, assign=True)
    network.to(best_device())


def best_device() -> torch.device:
    """A GPU, if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
