from collections.abc import Iterable, Sequence

from gardenpath.document import Word
from gardenpath.search.greedy import GreedyParser
from gardenpath.text.draft import Draft

def tag_words(tags: Iterable[Sequence[str]]) -> list[Word]: ...

class DraftParser:
    parser: GreedyParser
    labels: list[str]
    def __init__(self, parser: GreedyParser, tags: Iterable[Sequence[str]]) -> None: ...
    def parse(self, draft: Draft) -> None: ...
