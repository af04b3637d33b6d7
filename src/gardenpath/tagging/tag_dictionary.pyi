from collections.abc import Iterable
from typing import Any

from gardenpath.core.lexicon import Lexicon
from gardenpath.formats.document import Word
from gardenpath.tagging.tagset import Tagset

class TagDictionary:
    tagset: Tagset
    lexicon: Lexicon
    entries_array: Any
    def __init__(self, tagset: Tagset, lexicon: Lexicon, entries: Any) -> None: ...
    @staticmethod
    def of(sentences: Iterable[Iterable[Word]], tagset: Tagset) -> TagDictionary: ...
