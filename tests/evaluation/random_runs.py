"""Attachment scores made up at random."""

from __future__ import annotations

import numpy as np

from gardenpath.evaluation import Attachment


def run(seed: int, accuracy: float, sentences: int = 400) -> Attachment:
    """Sentences of the same lengths, with right heads and labels drawn at random."""
    counted = np.random.default_rng(0).integers(1, 30, sentences)
    heads = np.random.default_rng(seed).binomial(counted, accuracy)
    return Attachment(counted, counted, heads, heads, heads)
