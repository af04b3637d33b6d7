from collections.abc import Iterable

from gardenpath.formats.document import Word
from gardenpath.tagging.lemmas import Lemmatizer
from gardenpath.tagging.tagset import Tagset

def train_lemmatizer(
    sentences: Iterable[Iterable[Word]], tagset: Tagset, passes: int = 10, seed: int = 1, margin: int = 50,
    min_updates: int = 2,
) -> Lemmatizer | None: ...
