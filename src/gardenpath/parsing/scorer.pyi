from collections.abc import Iterable, Sequence
from typing import Any

from gardenpath.core.draft import Draft
from gardenpath.core.given_tags import GivenTags
from gardenpath.core.storage import Arrays
from gardenpath.formats.document import Word
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

class EncodedBatch:
    size: int

class WordBatch(EncodedBatch):
    sentences: list[list[Word]]
    def __init__(self, sentences: list[list[Word]]) -> None: ...

class Session:
    has_memory: bool
    rows: int

class Scorer:
    lanes: int
    batch_words: int
    is_normalised: bool
    beam_margin: float
    prefers_trained_beam: bool
    reads_tags: bool
    predicts_tags: bool
    system: TransitionSystem
    classes: Classes
    def __init__(self, system: TransitionSystem, classes: Classes) -> None: ...
    def encode(self, sentences: list[list[Word]]) -> EncodedBatch: ...
    def encode_given(self, sentences: list[list[Word]], tags: GivenTags | None = None) -> EncodedBatch: ...
    def draft_encoder(self, tags: Iterable[Sequence[str]]) -> DraftEncoder: ...
    def tagger(self) -> Any: ...
    def arrays(self) -> Arrays: ...
    def record(self) -> dict[str, Any]: ...
    def summary(self, settings: Any, about: Any) -> list[tuple[str, Any]]: ...

class ZeroScorer(Scorer): ...

class ZeroSession(Session):
    def __init__(self, classes: int) -> None: ...

class DraftEncoder:
    def __init__(self, scorer: Scorer, tags: Iterable[Sequence[str]]) -> None: ...
    def encode(self, drafts: list[Draft]) -> EncodedBatch: ...
