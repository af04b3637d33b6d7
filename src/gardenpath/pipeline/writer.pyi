from collections.abc import Iterable, Sequence

from gardenpath.core.calibration import Calibration
from gardenpath.core.draft import Draft
from gardenpath.formats.document import Document, Word
from gardenpath.pipeline.given import Columns

class Writer:
    def __init__(
        self, tags: Iterable[Sequence[str]], labels: Iterable[str], calibration: Calibration | None = None,
    ) -> None: ...
    def conllu(
        self, draft: Draft, number: int = 1, heading: str = "", prefix: str = "", ranges: bool = False,
        confidence: bool = False,
    ) -> bytes: ...
    def document(
        self, draft: Draft, number: int = 1, heading: str = "", prefix: str = "", ranges: bool = False,
        confidence: bool = False,
    ) -> Document: ...
    def fill(
        self, draft: Draft, sentences: Iterable[Iterable[Word]], given: Sequence[Columns] | None = None,
    ) -> None: ...
