"""The averaged perceptron: features, weights, scoring and training."""

from gardenpath.perceptron.settings import PerceptronSettings
from gardenpath.search.scorers import ScorerType

SCORER = ScorerType(
    "perceptron", "perceptron", PerceptronSettings,
    default_tags="predicted", learns_with_tagger=True, uses_clusters=True,
)
