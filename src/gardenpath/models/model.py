"""A trained parser: system, features and weights in one file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

from gardenpath import systems
from gardenpath.core.classes import Classes
from gardenpath.document import EMPTY, Sentence
from gardenpath.errors import InputError, UsageError
from gardenpath.features.extractor import Extractor
from gardenpath.learning.frozen import FrozenWeights
from gardenpath.models import file
from gardenpath.neural import require_torch
from gardenpath.search import Parser, parser_of
from gardenpath.search.trace import TraceStep
from gardenpath.settings import NONPROJECTIVE

RECORD = ("gardenpath", "treebank", "licence", "citation", "sentences", "words", "skipped", "lifted", "pass")


class Model:
    """A trained model. Parsing never changes it, so any number of threads may share it.

    Where a method has a `beam`, it parses with a beam that wide; without, with the one that the model was trained with (1 is greedy parsing).
    """

    def __init__(self, parser: Parser, description: dict[str, Any]) -> None:
        self.parser = parser
        self.description = description

    def __call__(self, text: str) -> None:
        """Parse raw text: for models with a tokenizer, which this version cannot train yet."""
        raise UsageError("this model has no tokenizer: give `parse` sentences that are tokenised and tagged, such as those of `read_conllu`")

    def parse(self, sentences: Iterable[Sentence], threads: int = 1, beam: int | None = None) -> list[Sentence]:
        """Fill HEAD and DEPREL of tagged sentences, in place, and return them in order."""
        return list(self.stream(sentences, threads, beam))

    def stream(self, sentences: Iterable[Sentence], threads: int = 1, beam: int | None = None) -> Iterator[Sentence]:
        """Parse sentences one batch at a time: lazy, in order, in constant memory, with the GIL released while parsing."""
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
        parser = self._with_beam(beam)
        batches = _batches(self._tagged(sentences), parser.batch_words)
        if threads == 1:
            for batch in batches:
                yield from _parse_batch(parser, batch)
            return
        with ThreadPoolExecutor(threads, thread_name_prefix="gardenpath") as pool:
            running: deque[Future[list[Sentence]]] = deque()
            try:
                for batch in batches:
                    running.append(pool.submit(_parse_batch, parser, batch))
                    if len(running) > 2 * threads:
                        yield from running.popleft().result()
            except InputError:
                yield from _results(running)
                raise
            yield from _results(running)

    def _tagged(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences as they come, each seen to be fit for this model: what is not is an error of the input, at its place."""
        if isinstance(sentences, (str, Path, Sentence)):
            raise UsageError("`parse` takes sentences: `[sentence]`, a document, or what `read_conllu(path)` reads")
        for sentence in sentences:
            self._check_tags(sentence)
            yield sentence

    def kbest(self, sentence: Sentence, k: int, beam: int | None = None) -> list[tuple[float, Sentence]]:
        """The k best parses of a tagged sentence that a beam ends with, no two alike, the best first: each a copy of the sentence, with its score.

        Scores are averages over the moves, of the stack-LSTM's log-probabilities or of the perceptron's scores. There may be fewer parses than asked for.
        """
        self._check_tags(sentence)
        parses = []
        for score, heads, labels in self._with_beam(beam).kbest(sentence.words, k):
            parse = deepcopy(sentence)
            for word, head, label in zip(parse.words, heads, labels, strict=True):
                word.head, word.deprel = head, label
            parses.append((score, parse))
        return parses

    def _with_beam(self, beam: int | None) -> Parser:
        return self.parser if beam is None or beam == self.parser.width else self.parser.with_beam(beam)

    def _check_tags(self, sentence: Sentence) -> None:
        column = self.description["tag"]
        if sentence.words and all(getattr(word, column) == EMPTY for word in sentence.words):
            raise InputError(
                f"{sentence.where}: no word has {column.upper()}, which this model was trained with; tag the text first, as the treebank "
                f"{self.description['treebank'] or 'it was trained on'} is tagged"
            )

    def trace(self, sentence: Sentence, *, policy: bool = True) -> Iterator[TraceStep]:
        """Parse a tagged sentence move by move; the sentence stays as it is. `policy` shows what is changed after the last move, too."""
        self._check_tags(sentence)
        return self.parser.trace(sentence.words, policy)

    def save(self, path: str | Path) -> None:
        """Write the model to one file; an old file of that name stays whole until the new one is."""
        file.save(path, self.parser.arrays(), self.description)

    def __reduce__(self) -> tuple[Any, ...]:
        return _build, (self.description, self.parser.arrays())

    @property
    def system(self) -> str:
        """The name of the transition system."""
        return self.description["settings"]["system"]

    def __repr__(self) -> str:
        return f"<gardenpath model: {self.system}, {self.description['treebank'] or 'unnamed treebank'}>"


def load(path: str | Path) -> Model:
    """Load a model file: mapped into memory, checked, ready in milliseconds."""
    arrays, description = file.load(path)
    try:
        model = _build(description, arrays)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not a usable gardenpath model: it lacks or misstates {error}; train it again") from None
    return model


def _build(description: dict[str, Any], arrays: file.Arrays) -> Model:
    settings, labels = description["settings"], description["labels"]
    missing = [name for name in RECORD if name not in description]
    if missing or description["tag"] not in ("xpos", "upos"):
        raise LookupError(f"its {', '.join(missing) or 'tag'}")
    if settings["nonprojective"] not in NONPROJECTIVE:
        raise LookupError("its way with non-projective trees")
    if not all(isinstance(label, str) for inventory in labels.values() for label in inventory):
        raise LookupError("its labels")
    return Model(_perceptron(description, arrays) if settings.get("scorer", "perceptron") == "perceptron" else _stack_lstm(description, arrays), description)


def _perceptron(description: dict[str, Any], arrays: file.Arrays) -> Parser:
    settings = description["settings"]
    system = systems.for_parsing(settings["system"], single_root=settings["single_root"])
    classes = Classes(system, description["labels"], shared_unshift=not settings["separate_unshift"], labelled_reduce=settings["labelled_reduce"])
    weights = FrozenWeights(classes.size, arrays["parser.slots"], arrays["parser.rows"])
    if not weights.is_sound():
        raise ValueError("tables that fit together")
    extractor = Extractor(system, description["templates"], description["tag"])
    return parser_of(settings.get("beam", 1), system, classes, extractor, weights, settings["single_root"], settings["nonprojective"])


def _stack_lstm(description: dict[str, Any], arrays: file.Arrays) -> Parser:
    require_torch()
    from gardenpath.neural.parser import NeuralParser

    return NeuralParser.build(description, arrays)


def _parse_batch(parser: Parser, batch: list[Sentence]) -> list[Sentence]:
    parser.parse([sentence.words for sentence in batch])
    return batch


def _results(running: deque[Future[list[Sentence]]]) -> Iterator[Sentence]:
    while running:
        yield from running.popleft().result()


def _batches(sentences: Iterable[Sentence], size: int) -> Iterator[list[Sentence]]:
    """Sentences by so many words. Where the input breaks off with an error, what was read before is still handed out first."""
    batch: list[Sentence] = []
    words = 0
    try:
        for sentence in sentences:
            batch.append(sentence)
            words += len(sentence)
            if words >= size:
                yield batch
                batch, words = [], 0
    except InputError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
