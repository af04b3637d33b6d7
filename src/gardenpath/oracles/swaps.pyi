from collections.abc import Sequence

from gardenpath.oracles.base import Oracle

SWAPPING: tuple[str, ...]

def swapping_oracles() -> dict[str, Oracle]: ...
def count_swaps(oracle: Oracle, heads: Sequence[int]) -> int: ...
