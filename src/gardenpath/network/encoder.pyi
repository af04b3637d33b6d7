from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gardenpath.core.given_tags import GivenTags
from gardenpath.network.heads import Heads
from gardenpath.network.member import Member

CACHED_FORMS: int

class NativeEncoder:
    count: int
    networks: Member
    heads: Heads
    def __init__(self, arrays: Mapping[str, Any], cached_forms: int = ...) -> None: ...
    def encode(
        self, sentences: Sequence[Sequence[str]], given: GivenTags | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
