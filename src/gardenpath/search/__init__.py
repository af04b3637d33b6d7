"""Finding the best parse: greedily, or with a beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gardenpath.systems.classes import Classes
from gardenpath.formats.document import Word
from gardenpath.errors import UsageError
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.weights import Weights
from gardenpath.search.beam import BeamParser
from gardenpath.search.greedy import GreedyParser
from gardenpath.search.trace import TraceStep
from gardenpath.systems import TransitionSystem
from gardenpath.features.clusters import Clusters

if TYPE_CHECKING:
    from gardenpath.core.storage import Arrays
    from gardenpath.search.guides import Guide

WIDEST = 10_000        # the widest beam


class Parser(Protocol):
    """What models and training ask of a parser, whatever scores its moves."""

    system: TransitionSystem
    classes: Classes
    single_root: bool
    nonprojective: str
    width: int             # of its beam; 1 is greedy parsing
    batch_words: int       # how many to give it at once

    def parse(self, sentences: list[Any]) -> list[Any]:
        """Fill HEAD and DEPREL of tagged sentences (lists of words) in place."""

    def kbest(self, words: Sequence[Word], k: int) -> list[tuple[float, list[int], list[str]]]:
        """The k best parses that the beam ends with, no two alike: score, heads, labels."""

    def with_beam(self, width: int) -> Parser:
        """The same parser with a beam that wide."""

    def trace(self, words: Sequence[Word], policy: bool = False, guide: Guide | None = None) -> Iterator[TraceStep]:
        """The moves of the parser on a tagged sentence, or those that a guide names; with `policy` also what is changed after the last one."""

    def arrays(self) -> Arrays:
        """What it has learnt, for a file."""


def checked_width(beam: int) -> int:
    """The width of a beam, if it is one."""
    if not isinstance(beam, int) or not 1 <= beam <= WIDEST:
        raise UsageError(f"a beam is a whole number between 1 and {WIDEST}, not {beam!r}")
    return beam


def parser_of(
    beam: int, system: TransitionSystem, classes: Classes, extractor: Extractor, weights: Weights, single_root: bool, nonprojective: str,
    clusters: Clusters | None = None,
) -> Parser:
    """The perceptron's parser with a beam that wide; with 1, the greedy one, which is the same and faster."""
    if checked_width(beam) == 1:
        return GreedyParser(system, classes, extractor, weights, single_root, nonprojective, clusters)
    return BeamParser(system, classes, extractor, weights, single_root, nonprojective, beam, clusters)
