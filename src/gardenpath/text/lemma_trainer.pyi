from collections.abc import Iterable

from gardenpath.document import Word
from gardenpath.text.lemmas import Lemmatizer
from gardenpath.text.tagset import Tagset

def train_lemmatizer(
    sentences: Iterable[Iterable[Word]], tagset: Tagset, passes: int = 10, seed: int = 1, margin: int = 50, min_updates: int = 2,
) -> Lemmatizer | None: ...
