"""Word clusters from word vectors: bisecting k-means (Steinbach, Karypis and Kumar, KDD workshop on text mining 2000).

All words start in one cluster. 2-means divides a cluster in two, and each half again, until there are enough clusters.
The bit string of a word tells the halves that it belongs to.

The initial halves are the two sides of the mean on the principal axis of the cluster. Lloyd's algorithm improves them:

    a, b  =  the means of the halves
    x is in the second half    iff    |x - b|² < |x - a|²    iff    2 (b - a) · x > |b|² - |a|²

Vectors, means and axes are rounded to integers. All sums stay below 2^53, where 64-bit floats are exact, for up to
2^22 words with up to 2^13 numbers. Sums therefore do not depend on the order of additions, and every machine and every
linear algebra library gives the same clusters.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, UsageError
from gardenpath.features.vectors import Vectors

_POINT_BITS = 18         # a vector has the length 2^18
_AXIS_BITS = 12          # the largest number of an axis is 2^12
_AXIS_STEPS = 10         # steps of the power iteration
_MOST_STEPS = 50         # steps of Lloyd's algorithm

Floats = NDArray[np.float64]


def induce(
    vectors: Vectors, clusters: int = 1024, watch: Callable[[int, int], None] | None = None,
) -> list[tuple[str, str, int]]:
    """Cluster words by the directions of their vectors.

    Words with equal vectors stay together, so there can be fewer clusters than requested. Words that contain a tab or a
    line break are left out.

    Args:
        vectors: The words and their vectors.
        clusters: The number of clusters.
        watch: A function that is called regularly with the number of words whose cluster is final and of all words.

    Returns:
        A sorted list of tuples (bit string, word, rank). The rank is the position among the vectors, counted from 1.
    """
    if clusters < 2:
        raise UsageError(f"clusters={clusters}: clusters must be at least 2")
    kept = np.array([row for row, word in enumerate(vectors.words) if not {"\t", "\n"} & set(word)], np.intp)
    points = _points(vectors.rows[kept])
    entries: list[tuple[str, str, int]] = []
    waiting = [("", np.arange(len(kept)), clusters)]       # bit string, members, number of clusters to make of them
    while waiting:
        path, members, number = waiting.pop()
        halves = _halves(points[members]) if number > 1 and len(members) > 1 else None
        if halves is None:
            entries.extend((path, vectors.words[row], int(row) + 1) for row in kept[members])
            if watch is not None:
                watch(len(entries), len(kept))
            continue
        first, second = members[~halves], members[halves]
        numbers = _shares(number, len(first), len(second))
        waiting += (path + "0", first, numbers[0]), (path + "1", second, numbers[1])
    if not entries or not entries[0][0]:
        raise InputError("there are fewer than two words with different vectors; use more vectors")
    return sorted(entries, key=lambda entry: (entry[0], entry[2]))


def _points(rows: NDArray[np.float32]) -> Floats:
    """Return vectors of the same length in whole numbers. A vector of zeros stays as it is."""
    points = rows.astype(np.float64)
    exponents = np.frexp(np.abs(points).max(axis=1, initial=0))[1]
    points = np.rint(np.ldexp(points, _POINT_BITS - exponents[:, np.newaxis]))
    norms = np.sqrt((points * points).sum(axis=1))
    norms[norms == 0] = 1
    return np.rint(points * (2**_POINT_BITS / norms)[:, np.newaxis])


def _shares(number: int, first: int, second: int) -> tuple[int, int]:
    """Divide a number of clusters between two halves of these sizes: evenly, but no more than there are words."""
    share = max(min((number + (first >= second)) // 2, first), number - second)
    return share, number - share


def _halves(points: Floats) -> NDArray[np.bool_] | None:
    """Divide points in two, and return which are in the second half, or None if all points are equal.

    The first point is in the first half.
    """
    points = points - np.rint(points.sum(axis=0) / len(points))
    axis = _principal_axis(points)
    if axis is None:
        return None
    halves = points @ axis > 0
    if halves.all() or not halves.any():       # the mean is rounded
        halves = (points != points[0]).any(axis=1)
    for _ in range(_MOST_STEPS):
        a, b = _mean(points, ~halves), _mean(points, halves)
        closer = 2 * (points @ (b - a)) > b @ b - a @ a
        if closer.all() or not closer.any() or np.array_equal(closer, halves):
            break
        halves = closer
    return ~halves if halves[0] else halves


def _mean(points: Floats, chosen: NDArray[np.bool_]) -> Floats:
    return np.rint(chosen.astype(np.float64) @ points / np.count_nonzero(chosen))


def _principal_axis(points: Floats) -> Floats | None:
    """Return the approximate direction of the largest variance of points whose mean is 0, or None if all are 0.

    The power iteration starts with the point that is farthest from the mean.
    """
    distances = (points * points).sum(axis=1)
    if not distances.any():
        return None
    axis = _scaled(points[distances.argmax()])
    for _ in range(_AXIS_STEPS):
        axis = _scaled(_scaled(points @ axis) @ points)
    return axis


def _scaled(values: Floats) -> Floats:
    """Scale values so that the largest is 2^12, and round them."""
    return np.rint(values * (2**_AXIS_BITS / np.abs(values).max()))
