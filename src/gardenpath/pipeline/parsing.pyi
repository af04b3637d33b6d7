from collections.abc import Iterable, Sequence

from gardenpath.formats.document import Word
from gardenpath.search import Parser
from gardenpath.search.greedy import GreedyParser
from gardenpath.pipeline.draft import Draft

def tag_words(tags: Iterable[Sequence[str]]) -> list[Word]: ...
def possible_labels(labels: Iterable[str]) -> list[str]: ...

class DraftParser:
    parser: GreedyParser
    labels: list[str]
    def __init__(self, parser: GreedyParser, tags: Iterable[Sequence[str]]) -> None: ...
    def parse(self, drafts: Sequence[Draft]) -> None: ...

class WordParser:
    parser: Parser
    labels: list[str]
    def __init__(self, parser: Parser, tags: Iterable[Sequence[str]]) -> None: ...
    def parse(self, drafts: Sequence[Draft]) -> None: ...
