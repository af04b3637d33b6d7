"""A trained parser: system, features and weights in one file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gardenpath import systems
from gardenpath.core.classes import Classes
from gardenpath.document import EMPTY, Sentence
from gardenpath.errors import InputError, UsageError
from gardenpath.features.extractor import Extractor
from gardenpath.learning.frozen import FrozenWeights
from gardenpath.models import file
from gardenpath.search.greedy import GreedyParser
from gardenpath.search.trace import TraceStep, trace_parser
from gardenpath.settings import NONPROJECTIVE

BATCH_WORDS = 500
RECORD = ("gardenpath", "treebank", "licence", "citation", "sentences", "words", "skipped", "lifted", "pass")


class Model:
    """A trained model. Parsing never changes it, so any number of threads may share it."""

    def __init__(self, parser: GreedyParser, description: dict[str, Any]) -> None:
        self.parser = parser
        self.description = description

    def __call__(self, text: str) -> None:
        """Parse raw text: for models with a tokenizer, which this version cannot train yet."""
        raise UsageError("this model has no tokenizer: give `parse` sentences that are tokenised and tagged, such as those of `read_conllu`")

    def parse(self, sentences: Iterable[Sentence], threads: int = 1) -> list[Sentence]:
        """Fill HEAD and DEPREL of tagged sentences, in place, and return them in order."""
        return list(self.stream(sentences, threads))

    def stream(self, sentences: Iterable[Sentence], threads: int = 1) -> Iterator[Sentence]:
        """Parse sentences one batch at a time: lazy, in order, in constant memory, with the GIL released while parsing."""
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
        if threads == 1:
            for batch in _batches(self._tagged(sentences)):
                yield from self._parse_batch(batch)
            return
        with ThreadPoolExecutor(threads, thread_name_prefix="gardenpath") as pool:
            running: deque[Future[list[Sentence]]] = deque()
            try:
                for batch in _batches(self._tagged(sentences)):
                    running.append(pool.submit(self._parse_batch, batch))
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

    def _parse_batch(self, batch: list[Sentence]) -> list[Sentence]:
        self.parser.parse([sentence.words for sentence in batch])
        return batch

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
        return trace_parser(self.parser, sentence.words, policy=policy)

    def save(self, path: str | Path) -> None:
        """Write the model to one file; an old file of that name stays whole until the new one is."""
        file.save(path, self._arrays(), self.description)

    def _arrays(self) -> file.Arrays:
        weights = self.parser.weights
        return {"parser.slots": weights.slots_array, "parser.rows": weights.rows_array}

    def __reduce__(self) -> tuple[Any, ...]:
        return _build, (self.description, self._arrays())

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
    if not model.parser.weights.is_sound():
        raise InputError(f"{path}: not a usable gardenpath model: its tables are inconsistent; train it again")
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
    system = systems.for_parsing(settings["system"], single_root=settings["single_root"])
    classes = Classes(system, labels, shared_unshift=not settings["separate_unshift"], labelled_reduce=settings["labelled_reduce"])
    weights = FrozenWeights(classes.size, arrays["parser.slots"], arrays["parser.rows"])
    extractor = Extractor(system, description["templates"], description["tag"])
    return Model(GreedyParser(system, classes, extractor, weights, settings["single_root"], settings["nonprojective"]), description)


def _results(running: deque[Future[list[Sentence]]]) -> Iterator[Sentence]:
    while running:
        yield from running.popleft().result()


def _batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences by the few hundred words. Where the input breaks off with an error, what was read before is still handed out first."""
    batch: list[Sentence] = []
    words = 0
    try:
        for sentence in sentences:
            batch.append(sentence)
            words += len(sentence)
            if words >= BATCH_WORDS:
                yield batch
                batch, words = [], 0
    except InputError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
