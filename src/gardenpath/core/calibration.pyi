from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gardenpath.formats.confidence import Confidence

TARGET_NAMES: tuple[str, ...]
MARGIN_NAMES: tuple[str, ...]
SIZES: dict[str, int]

class Calibration:
    record: dict[str, Any]
    def __init__(self, record: dict[str, Any]) -> None: ...
    def __call__(self, margins: Sequence[float]) -> Confidence: ...

def features(target: str, scales: Mapping[str, float], rows: Iterable[Sequence[float]]) -> list[list[float]]: ...
