from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from gardenpath.constraints.base import GivenArcs
from gardenpath.core.given_tags import GivenTags
from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.guides import Guide
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.reasons import Comparison
from gardenpath.systems.base import Configuration

SINGLE_ROOT: str
LOWER: str

@dataclass(slots=True)
class TraceStep:
    configuration: Configuration
    move: str
    label: str | None
    arc: tuple[int, int] | None
    repair: bool
    score: float | None = None
    scores: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)
    given: bool = False
    loss: int | None = None
    costs: dict[str, int] | None = None
    reasons: list[Comparison] = field(default_factory=list)
    valid: list[str] = field(default_factory=list)
    @property
    def text(self) -> str: ...

class Tracer:
    def __init__(
        self, parser: Parser, words: list[Word], given: GivenArcs | None = None, tags: GivenTags | None = None,
    ) -> None: ...
    def steps(self, guide: Guide | None, reasons: bool | Container[int] = ()) -> Iterator[TraceStep]: ...
    def last_steps(self) -> Iterator[TraceStep]: ...

def trace_parser(
    parser: Parser, words: list[Word], policy: bool = False, guide: Guide | None = None,
    reasons: bool | Container[int] = (), given: GivenArcs | None = None, tags: GivenTags | None = None,
) -> Iterator[TraceStep]: ...
def trace_oracle(
    oracle: Oracle, gold: Sequence[int], labels: Sequence[str], guide: Guide | None = None,
) -> Iterator[TraceStep]: ...
def with_costs(steps: Iterable[TraceStep], oracle: Oracle, gold: Sequence[int]) -> Iterator[TraceStep]: ...
