"""The shared part of the training of scorers: the task, the trees that a system can learn from, and the progress.

The training of a scorer is a generator that yields steps. The caller prints progress, saves models and decides when to
stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence
from gardenpath.oracles import Oracle
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.scorer import Scorer
from gardenpath.parsing.settings import ParserSettings
from gardenpath.pseudo import ENCODINGS, check_labels, lift
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.systems.classes import Classes
from gardenpath.trees import projectivise

REPORT_EVERY = 500     # sentences between two reports

Tree = tuple[list[int], list[str]]
Watch = Callable[[Configuration, list[int]], None]
Scores = tuple[float | None, float | None]      # UAS and LAS on the dev set, if there is one


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """The input of the training of a scorer."""

    parser: ParserSettings
    scorer: Any                                        # the settings of the scorer
    epochs: int
    seed: int
    identity: dict[str, Any]                           # all settings by name, to tell one training run from another
    oracle: Oracle
    classes: Classes
    sentences: Sequence[Sentence]                      # those with a tree that the system can build
    trees: list[Tree]
    evaluate: Callable[[Parser, Any], Scores]          # dev scores of a parser with a tagger
    dev: Sequence[Sentence] = ()
    clusters: Any = None
    tagging: Any = None                                # a tagger that is trained beside the parser, if there is one
    watch: Watch | None = None                         # called with every configuration and the gold heads
    checkpoint: Path | None = None
    resume: bool = False

    @property
    def system(self) -> TransitionSystem:
        """The transition system."""
        return self.oracle.system

    def parser_of(self, scorer: Scorer) -> Parser:
        """Return a parser with a trained scorer and these settings."""
        return Parser(scorer, self.parser.single_root, self.parser.nonprojective, self.parser.width)


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """The progress since the last step: a few hundred sentences, or the end of an epoch."""

    number: int                   # of the epoch, from 1
    sentences: int                # seen in this epoch
    total: int                    # sentences per epoch
    accuracy: float               # in this epoch, in per cent of `judged`
    words_per_second: float
    judged: str = "decisions"     # the unit of the accuracy; with a beam, whole derivations
    ended: bool = False           # whether the epoch is over
    uas: float | None = None      # on the dev set, at the end of an epoch
    las: float | None = None
    is_best: bool = False
    parser: Parser | None = None  # at the end of an epoch
    tagger: Any = None            # the one that was trained beside the parser
    tag: str = "upos"             # the column of the tags that the parser reads
    record: dict[str, Any] = field(default_factory=dict)        # of the scorer, for the model file


def learnable(train: Sequence[Sentence], oracle: Oracle, nonprojective: str) -> tuple[list[Sentence], list[Tree]]:
    """Return the sentences to learn from, each with a tree that the system can build."""
    if nonprojective in ENCODINGS:
        check_labels(train)
    chosen: list[Sentence] = []
    trees: list[Tree] = []
    for sentence in train:
        heads, labels = [word.head or 0 for word in sentence.words], [word.deprel for word in sentence.words]
        if oracle.system.single_root and heads.count(0) != 1:
            remedy = "train with single_root=False" if oracle.system.has_root_mode else "train another system"
            raise InputError(
                f"{sentence.where}: not exactly one root, which {oracle.system.name} needs; correct it or {remedy}"
            )
        if not oracle.derives(heads):
            if nonprojective == "skip":
                continue
            if nonprojective in ENCODINGS:
                heads, labels = lift(heads, labels, nonprojective)
            else:
                heads = projectivise(heads)
        chosen.append(sentence)
        trees.append((heads, labels))
    if not chosen:
        raise InputError(
            f"{oracle.system.name} cannot build any of the trees, and such sentences are skipped; "
            "train with nonprojective=lift"
        )
    return chosen, trees
