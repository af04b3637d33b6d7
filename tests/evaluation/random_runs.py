"""Random attachment scores."""

from __future__ import annotations

import numpy as np

from gardenpath.evaluation import Attachment


def run(seed: int, accuracy: float, sentences: int = 400) -> Attachment:
    """Return scores of sentences with fixed lengths, and a random number of correct words in each."""
    counted = np.random.default_rng(0).integers(1, 30, sentences)
    heads = np.random.default_rng(seed).binomial(counted, accuracy)
    return Attachment(counted, counted, heads, heads, heads)
