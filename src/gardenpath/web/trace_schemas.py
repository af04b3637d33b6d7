"""What a request for a derivation looks like, and the answer: schemas that /openapi.json shows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from gardenpath import systems
from gardenpath.web.schemas import PARSED, Request, Text

ArcPair = tuple[int, int]
ArcTriple = tuple[int, int, str | None]


class GivenMove(Request):
    """A move to be made, whatever its score."""

    move: Text = Field(description="Its name, as in `moves` of an answer.", examples=["left-arc"])
    label: Text | None = Field(None, description="The label of its arc; null: the one that scores best, or the gold one.", examples=["nsubj"])


class TraceRequest(Request):
    """Which sentence to follow, and who moves."""

    conllu: Text = Field(description="CoNLL-U; its first sentence is parsed.", examples=[PARSED])
    model: Text | None = Field(None, description="Follow this model; the default one if neither a model nor a system is named.", examples=["en"])
    system: Text | None = Field(None, description="Without a model: follow the oracle of this system to the tree in HEAD.", examples=[None, systems.DEFAULT])
    oracle: Text = Field("dynamic", description="Which oracle moves, where one does.", examples=["dynamic"])
    gold: bool = Field(False, description="HEAD holds the gold tree: tell the loss, and what every move would cost.")
    moves: list[GivenMove] = Field(default_factory=list, description="Make these moves first: what if the parser had chosen otherwise?", examples=[[]])
    then: Literal["parser", "oracle"] | None = Field(None, description="Who goes on after them; the model if there is one.")


class WordForm(BaseModel):
    """A word of the sentence."""

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str


class State(BaseModel):
    """Where the words are."""

    stack: list[int] = Field(description="The stack, its top last; in Covington's parser λ₁.")
    buffer: list[int] = Field(description="The buffer, its front first.")
    lambda2: list[int] | None = Field(description="λ₂ of Covington's parser.")
    spines: list[list[list[int]]] | None = Field(description="In systems with deep arcs: the left and the right spine of each word on the stack.")


class PermittedMove(BaseModel):
    """A move that the configuration permits."""

    move: str
    label: str | None = Field(description="The label that its arc would have.")
    arc: ArcPair | None = Field(description="Head and dependent of the arc that it would build.")
    repair: bool = Field(description="Would it take back an earlier decision?")
    score: float | None = Field(description="Its best score; null where nothing was scored.")
    cost: int | None = Field(description="How many gold arcs it puts out of reach; null without gold.")
    chosen: bool = Field(description="Is it the one that is made?")


class Step(State):
    """A step: the configuration before the move, and the move."""

    move: str
    label: str | None
    text: str = Field(description="The move as people write it.", examples=["LEFT-ARC(nsubj)"])
    arc: ArcPair | None
    repair: bool
    given: bool = Field(description="Was it named, by the request or by the oracle, in place of the parser's own?")
    policy: bool = Field(description="Is it no move, but what is changed after the last one?")
    score: float | None
    moves: list[PermittedMove] = Field(description="All moves that are permitted, the best first.")
    loss: int | None = Field(description="How many gold arcs are out of reach already; null without gold.")
    added: list[ArcTriple] = Field(description="The arcs that it makes: head, dependent, label.")
    removed: list[ArcTriple] = Field(description="The arcs that it breaks.")


class Outcome(State):
    """How it ends."""

    heads: list[int | None]
    labels: list[str]
    loss: int | None = Field(description="How many words have a wrong head; null without gold.")


class TraceAnswer(BaseModel):
    """A derivation step by step."""

    model: str | None
    system: str
    oracle: str | None = Field(description="The oracle that moved, if one did.")
    gold: list[int] | None = Field(description="The gold heads that costs are told by.")
    lifted: bool = Field(description="Were arcs lifted in the tree in HEAD, since the system cannot build them?")
    strange_tags: list[str] = Field(description="Tags of the sentence that the model has never seen; if there are many, it cannot parse it well.")
    text: str
    right_to_left: bool
    words: list[WordForm]
    svg: str = Field(description="The words with every arc that is there at any time: a picture to show and hide arcs in.")
    steps: list[Step]
    final: Outcome
    conllu: str = Field(description="The sentence with the tree that came out.")
