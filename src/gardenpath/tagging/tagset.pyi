from collections.abc import Iterable, Sequence

from gardenpath.formats.document import Word

class Tagset:
    tags: list[tuple[str, str, str]]
    classes: int
    most_parts: int
    def __init__(self, tags: Iterable[Sequence[str]]) -> None: ...
    @staticmethod
    def of(sentences: Iterable[Iterable[Word]]) -> Tagset: ...

def parts_of(tag: tuple[str, str, str]) -> list[tuple[str, object]]: ...
