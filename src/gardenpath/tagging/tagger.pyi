from collections.abc import Mapping
from typing import Any

from gardenpath.core.draft import Draft
from gardenpath.core.storage import Arrays
from gardenpath.features.clusters import Clusters
from gardenpath.perceptron.weights import Weights
from gardenpath.tagging.lemmas import Lemmatizer
from gardenpath.tagging.tag_dictionary import TagDictionary
from gardenpath.tagging.tagset import Tagset
from gardenpath.tagging.window import Window

TEMPLATES: list[str]

class Tagger:
    requires: tuple[str, ...]
    provides: tuple[str, ...]
    def run(self, drafts: list[Draft]) -> None: ...
    tagset: Tagset
    dictionary: TagDictionary
    window: Window
    weights: Weights
    lemmatizer: Lemmatizer | None
    clusters: Clusters | None
    has_lemmas: bool
    def __init__(
        self, dictionary: TagDictionary, window: Window, weights: Weights, lemmatizer: Lemmatizer | None = None,
        clusters: Clusters | None = None,
    ) -> None: ...
    @property
    def tags(self) -> list[tuple[str, str, str]]: ...
    def tag(self, draft: Draft) -> None: ...
    def arrays(self) -> Arrays: ...
    def record(self) -> dict[str, Any]: ...
    @staticmethod
    def build(record: Mapping[str, Any], arrays: Arrays, clusters: Clusters | None = None) -> Tagger: ...
