"""The interface of pipeline steps: the columns that they require and provide, how they run, and how they are stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from gardenpath import plugins
from gardenpath.errors import UsageError

if TYPE_CHECKING:
    from gardenpath.core.draft import Draft
    from gardenpath.core.storage import Arrays

TEXT, WORDS, TAGS, LEMMAS, TREES = "text", "words", "tags", "lemmas", "trees"
COLUMNS = (TEXT, WORDS, TAGS, LEMMAS, TREES)
GROUP = "gardenpath.steps"           # the group of entry points


class DraftStep(Protocol):
    """A step as the pipeline sees it. The tokenizer, the tagger and the parser are steps."""

    @property
    def requires(self) -> tuple[str, ...]:
        """The columns of the draft that must be filled in."""

    @property
    def provides(self) -> tuple[str, ...]:
        """The columns that the step fills in."""

    def run(self, drafts: list[Draft]) -> None:
        """Fill in the columns of some drafts."""


class TaggerStep(DraftStep, Protocol):
    """A step that assigns tags and lemmas."""

    @property
    def tags(self) -> Sequence[Sequence[str]]:
        """The tags by number: triples of UPOS, XPOS and FEATS."""

    @property
    def has_lemmas(self) -> bool:
        """Whether the step assigns lemmas."""

    def tag(self, draft: Draft) -> Any:
        """Fill in the tags and the lemmas of a draft."""


class TaggerPart(TaggerStep, Protocol):
    """A tagger that can be stored in a model file."""

    def record(self) -> dict[str, Any]:
        """Return plain values to store."""

    def arrays(self) -> Arrays:
        """Return arrays to store, by name."""


class PipelineStep(ABC):
    """Base class of a step that is added to a model. Subclasses define `name`, `requires`, `provides` and `run`.

    `record` and `arrays` are what a model file stores of it; `build` makes it again from these.
    """

    name: ClassVar[str]
    requires: ClassVar[tuple[str, ...]]
    provides: ClassVar[tuple[str, ...]]

    @abstractmethod
    def run(self, drafts: list[Draft]) -> None:
        """Fill in the columns of some drafts."""

    def record(self) -> dict[str, Any]:
        """Return plain values to store."""
        return {}

    def arrays(self) -> Arrays:
        """Return arrays to store, by name."""
        return {}

    @classmethod
    def build(cls, record: dict[str, Any], arrays: Arrays) -> PipelineStep:
        """Build the step from its `record()` and `arrays()`; raise `BadModelError` if they are not valid."""
        return cls()


_STEPS: dict[str, type[PipelineStep]] = {}


def register(step: type[PipelineStep]) -> None:
    """Register a kind of step under its name, in this process, so that models with such a step can be loaded."""
    if not (isinstance(step, type) and issubclass(step, PipelineStep)):
        raise UsageError(f"{step!r} is not a pipeline step; give a class derived from PipelineStep")
    if _STEPS.get(step.name, step) is not step:
        raise UsageError(f"there is already a pipeline step called {step.name!r}; give the new one another name")
    for column in (*step.requires, *step.provides):
        if column not in COLUMNS:
            raise UsageError(f"{step.name}: there is no column {column!r}; the columns are {', '.join(COLUMNS)}")
    _STEPS[step.name] = step


def get(name: str) -> type[PipelineStep]:
    """Return the registered kind of step of that name."""
    if name not in _STEPS:
        plugins.find(GROUP, name, lambda _, step: register(step))
    if name not in _STEPS:
        raise UsageError(
            f"there is no pipeline step {name!r}; register it (gardenpath.pipeline.steps.register), "
            "or load its code with --code"
        )
    return _STEPS[name]


def array_prefix(step: str) -> str:
    """Return the prefix of the names of a step's arrays in a model file."""
    return f"step.{step}."


def check_order(steps: Iterable[DraftStep]) -> None:
    """Raise `UsageError` if a step requires a column that no earlier step provides."""
    known = {TEXT, WORDS}            # words can be given
    for step in steps:
        for column in step.requires:
            if column not in known:
                name = getattr(step, "name", type(step).__name__)
                raise UsageError(
                    f"the step {name} requires {column}, which no earlier step provides; change the order of the steps"
                )
        known.update(step.provides)


def needed(steps: list[DraftStep], wanted: set[str]) -> list[DraftStep]:
    """Return the steps that must run, in order, for some columns to be filled in."""
    chosen: list[DraftStep] = []
    wanted = set(wanted)
    for step in reversed(steps):
        if wanted & set(step.provides):
            chosen.append(step)
            wanted |= set(step.requires)
    return chosen[::-1]
