from collections.abc import Container, Iterable, Iterator, Sequence

from gardenpath.constraints.base import GivenArcs
from gardenpath.core.calibration import Calibration
from gardenpath.core.draft import Draft
from gardenpath.core.given_tags import GivenTags
from gardenpath.core.storage import Arrays
from gardenpath.formats.document import Word
from gardenpath.parsing.guides import Guide
from gardenpath.parsing.scorer import Scorer
from gardenpath.parsing.trace import TraceStep
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

MAX_BEAM: int

def checked_width(beam: int) -> int: ...

class Trees: ...

class Parser:
    scorer: Scorer
    system: TransitionSystem
    classes: Classes
    single_root: bool
    nonprojective: str
    width: int
    calibration: Calibration | None
    def __init__(
        self, scorer: Scorer, single_root: bool = True, nonprojective: str = "lift", width: int = 1,
        calibration: Calibration | None = None,
    ) -> None: ...
    @property
    def batch_words(self) -> int: ...
    def with_beam(self, width: int) -> Parser: ...
    def calibrated(self, calibration: Calibration) -> Parser: ...
    def arrays(self) -> Arrays: ...
    def parse(
        self, sentences: list[list[Word]], given: list[GivenArcs | None] | None = None, tags: GivenTags | None = None,
    ) -> list[list[Word]]: ...
    def margins(self, sentences: list[list[Word]]) -> list[tuple[float, float, float]]: ...
    def for_drafts(self, tags: Iterable[Sequence[str]]) -> DraftParser: ...
    def kbest(
        self, words: list[Word], k: int, given: GivenArcs | None = None, tags: GivenTags | None = None,
    ) -> list[tuple[float, list[int], list[str]]]: ...
    def lowered(self, heads: list[int], labels: list[str]) -> tuple[list[int], list[str]]: ...
    def trace(
        self, words: list[Word], policy: bool = False, guide: Guide | None = None, reasons: bool | Container[int] = (),
        given: GivenArcs | None = None, tags: GivenTags | None = None,
    ) -> Iterator[TraceStep]: ...

class DraftParser:
    requires: tuple[str, ...]
    provides: tuple[str, ...]
    parser: Parser
    labels: list[str]
    def __init__(self, parser: Parser, tags: Iterable[Sequence[str]]) -> None: ...
    def run(self, drafts: list[Draft]) -> None: ...
