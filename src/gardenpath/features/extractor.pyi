from collections.abc import Iterable

class Extractor:
    lines: list[str]
    properties: tuple[str, ...]
    template_count: int
    def __init__(self, lines: Iterable[str], tag: str = "xpos") -> None: ...
