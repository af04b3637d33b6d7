"""Schemas of the requests and responses of /api/trace, as /openapi.json shows them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, FailFast, Field

from gardenpath import systems
from gardenpath.web.schemas import DROP_CONFLICTS, KEEP_HEADS, PARSED, Request, Text

ArcPair = tuple[int, int]
ArcTriple = tuple[int, int, str | None]


class GivenTransition(Request):
    """A transition that is applied regardless of its score."""

    move: Text = Field(description="Name of the transition, as in `moves` of a response.", examples=["left-arc"])
    label: Text | None = Field(
        None, description="Label of the arc; null means the label with the best score, or the gold label.",
        examples=["nsubj"],
    )


class TraceRequest(Request):
    """A sentence to derive, and the model or oracle that chooses the transitions."""

    conllu: Text = Field(description="CoNLL-U; the first sentence is parsed.", examples=[PARSED])
    model: Text | None = Field(
        None, description="Name of the model; if `system` is null, too, the default model is used.", examples=["en"],
    )
    system: Text | None = Field(
        None, description="Without a model: transition system whose oracle derives the tree in HEAD.",
        examples=[None, systems.DEFAULT],
    )
    oracle: Text = Field("dynamic", description="Oracle, if an oracle is followed.", examples=["dynamic"])
    gold: bool = Field(False, description="Use HEAD as the gold tree, and return losses and costs.")
    moves: Annotated[list[GivenTransition], FailFast()] = Field(
        default_factory=list, description="Transitions that are applied first, instead of those of the parser.",
        examples=[[]],
    )
    then: Literal["parser", "oracle"] | None = Field(
        None, description="What continues after `moves`; null means the model, if any, otherwise the oracle.",
    )
    keep_heads: bool | None = KEEP_HEADS
    drop_conflicts: bool = DROP_CONFLICTS


class ReasonsRequest(TraceRequest):
    """A derivation, and the step to explain."""

    step: int = Field(description="Number of the transition, from 1.", ge=1, le=1_000_000, examples=[1])


class WordForm(BaseModel):
    """A word of the sentence."""

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str


class ConfigurationRecord(BaseModel):
    """The words in the data structures of a configuration."""

    stack: list[int] = Field(description="Stack, the top last; λ₁ in Covington's parser.")
    buffer: list[int] = Field(description="Buffer, the front first.")
    lambda2: list[int] | None = Field(description="λ₂ of Covington's parser; null for other systems.")
    spines: list[list[list[int]]] | None = Field(
        description="Left and right spine of each word on the stack, for systems with deep arcs; else null.",
    )


class ValidTransition(BaseModel):
    """A valid transition of a configuration."""

    move: str
    label: str | None = Field(description="Label of the arc that the transition builds.")
    arc: ArcPair | None = Field(description="Head and dependent of the arc that the transition builds.")
    repair: bool = Field(description="Whether the transition undoes an earlier decision.")
    score: float | None = Field(description="Best score over all labels; null if nothing was scored.")
    cost: int | None = Field(
        description="Number of gold arcs that the transition makes unreachable; null without gold."
    )
    chosen: bool = Field(description="Whether this transition is applied.")


class StepRecord(ConfigurationRecord):
    """A step: the configuration before the transition, and the transition."""

    move: str
    label: str | None
    text: str = Field(description="Transition with its label.", examples=["LEFT-ARC(nsubj)"])
    arc: ArcPair | None
    repair: bool
    given: bool = Field(description="Whether the request or the oracle chose the transition instead of the parser.")
    policy: bool = Field(description="Whether this is a change after the last transition, and not a transition.")
    score: float | None
    moves: list[ValidTransition] = Field(description="All valid transitions, the best first.")
    loss: int | None = Field(description="Number of gold arcs that are unreachable before the step; null without gold.")
    added: list[ArcTriple] = Field(description="Arcs that the step adds: head, dependent, label.")
    removed: list[ArcTriple] = Field(description="Arcs that the step removes.")


class OutcomeRecord(ConfigurationRecord):
    """The final configuration and the tree."""

    heads: list[int | None]
    labels: list[str]
    loss: int | None = Field(description="Number of words whose head is not gold; null without gold.")


class TraceResponse(BaseModel):
    """A derivation step by step."""

    model: str | None
    system: str
    oracle: str | None = Field(description="Oracle that chose transitions, if any.")
    gold: list[int] | None = Field(description="Gold heads for losses and costs.")
    lifted: bool = Field(
        description="Whether arcs of the tree in HEAD were lifted because the system cannot build them."
    )
    strange_tags: list[str] = Field(
        description="Tags of the sentence that the model does not know; many of them make the parse unreliable."
    )
    text: str
    right_to_left: bool
    words: list[WordForm]
    svg: str = Field(description="Drawing of the words with the arcs of all steps.")
    steps: list[StepRecord]
    final: OutcomeRecord
    conllu: str = Field(description="Sentence with the resulting tree.")


class ReasonRecord(BaseModel):
    """An input of the scorer, and its contribution to the difference between two scores."""

    input: str = Field(description="Feature template or slot.", examples=["S0w N0w"])
    value: str = Field(description="Value of the input.", examples=["saw, Jack"])
    words: list[int] = Field(description="Words that the input looks at; 0 is the root.")
    contribution: float = Field(description="Positive if the input speaks for the transition.")


class ComparisonRecord(BaseModel):
    """The transition compared with another valid one."""

    move: str
    label: str | None
    text: str = Field(description="The other transition with its label.", examples=["SHIFT"])
    margin: float = Field(description="Score of the transition minus score of the other; the sum of all contributions.")
    reasons: list[ReasonRecord] = Field(description="The largest absolute contribution first.")


class ReasonsResponse(BaseModel):
    """What spoke for a transition."""

    step: int
    text: str = Field(description="Transition with its label.", examples=["LEFT-ARC(nsubj)"])
    comparisons: list[ComparisonRecord] = Field(
        description="The other valid transitions, each with its best label, and the next best label of the transition "
        "itself, the best first. Empty if nothing was scored, or if the scorer has no reasons.",
    )
