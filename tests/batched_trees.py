"""The checks of `gardenpath.trees` for many sentences of the same length at a time: one row of heads for each."""

from __future__ import annotations

import numpy as np


def wrong_trees(heads: np.ndarray) -> np.ndarray:
    """Return for every row whether it is anything but a tree with one root."""
    number, n = heads.shape
    outside = ((heads < 0) | (heads > n)).any(axis=1)
    reached = np.zeros((number, n + 1), dtype=np.int64)
    reached[:, 1:] = np.where(outside[:, None], 0, heads)
    for _ in range(n.bit_length()):                      # twice as many steps towards the root each time
        reached = np.take_along_axis(reached, reached, axis=1)
    return outside | reached.any(axis=1) | ((heads == 0).sum(axis=1) != 1)


def have_crossing(heads: np.ndarray) -> np.ndarray:
    """Return for every row whether two of its arcs cross, with the root before the first word."""
    words = np.arange(1, heads.shape[1] + 1)
    left, right = np.minimum(heads, words), np.maximum(heads, words)
    inside = (left[:, :, None] < left[:, None, :]) & (left[:, None, :] < right[:, :, None])
    return (inside & (right[:, :, None] < right[:, None, :])).any(axis=(1, 2))
