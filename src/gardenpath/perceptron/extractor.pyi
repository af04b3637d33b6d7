from collections.abc import Iterable

from gardenpath.systems.base import TransitionSystem

class Extractor:
    lines: list[str]
    properties: tuple[str, ...]
    template_count: int
    def __init__(self, system: TransitionSystem, lines: Iterable[str], tag: str = "xpos") -> None: ...
