"""The averaged perceptron: features, weights, scoring and training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gardenpath.parsing.scorers import ScorerType, StoredScorer
from gardenpath.perceptron.settings import PerceptronSettings

if TYPE_CHECKING:
    from gardenpath.parsing.scorer import Scorer
    from gardenpath.parsing.training import TrainingStep, TrainingTask


def _train(task: TrainingTask) -> Iterator[TrainingStep]:
    from gardenpath.perceptron.training import train

    return train(task)


def _build(stored: StoredScorer) -> Scorer:
    from gardenpath.perceptron.building import build

    return build(stored)


SCORER = ScorerType(
    "perceptron", "perceptron", PerceptronSettings, _train, _build,
    default_tags="predicted", learns_with_tagger=True, uses_clusters=True,
)
