from collections.abc import Sequence

from gardenpath.oracles.base import Oracle

def count_swaps(oracle: Oracle, heads: Sequence[int]) -> int: ...
