"""A recurrent network for tagging, lemmatization and parsing. It is trained with PyTorch and runs without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gardenpath.network.settings import NetworkSettings
from gardenpath.neural import require_torch
from gardenpath.parsing.scorers import ScorerType, StoredScorer
from gardenpath.parsing.settings import GOLD_LABEL, ParserDefaults

if TYPE_CHECKING:
    from gardenpath.parsing.scorer import Scorer
    from gardenpath.parsing.training import TrainingStep, TrainingTask

RELATIVE_TIME = 30.0        # training time relative to the perceptron, for estimates


def _train(task: TrainingTask) -> Iterator[TrainingStep]:
    require_torch("network", "to train")
    from gardenpath.network.training import train

    return train(task)


def _build(stored: StoredScorer) -> Scorer:
    from gardenpath.network.building import build

    return build(stored)


def _use_one_thread() -> None:
    require_torch("network", "to train")
    from gardenpath.network.bilstm import use_one_thread

    use_one_thread()


def _epochs_for(words: int) -> int:
    """Return the number of epochs for a treebank of this number of words."""
    return max(20, min(100, round(80 * (20_000 / max(words, 1)) ** 0.3)))


SCORER = ScorerType(
    "network", "network", NetworkSettings, _train, _build, default_tags="predicted", has_tagger=True,
    has_checkpoints=True, needs_torch=True, relative_time=RELATIVE_TIME, use_one_thread=_use_one_thread,
    epochs_for=_epochs_for, parser_defaults=ParserDefaults(GOLD_LABEL, nonprojective="head", beam=4),
)
