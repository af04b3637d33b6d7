"""Schemas of the requests and responses of /api/search, as /openapi.json shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from gardenpath.web.schemas import EXAMPLE, Request, Text

MOST_SHOWN = 100
PATTERN = "pattern { V [upos=VERB]; e: V -> N }"


class SearchRequest(Request):
    """A pattern, and the text or sentences to search."""

    pattern: Text = Field(description="Pattern in the language of Grew-match.", examples=[PATTERN])
    text: Text = Field(description="Text or CoNLL-U to search.", examples=[EXAMPLE])
    input: Literal["text", "lines", "tokens", "conllu"] = Field(
        "text", description="Format of the text, as for /api/parse. CoNLL-U is parsed only if no word has a head.",
    )
    model: Text | None = Field(
        None, description="Name or alias of the model that parses; null means the default model.", examples=["en"],
    )
    by: list[Text] = Field(
        default_factory=list, max_length=8, description="Keys to count the matches by.", examples=[["V.lemma"]],
    )
    limit: int = Field(20, ge=0, le=MOST_SHOWN, description="Number of matches to return; all of them are counted.")
    svg: bool = Field(False, description="Also draw the tree of each match as SVG.")


class MatchedEdge(BaseModel):
    """A named edge of a match."""

    head: int
    dependent: int
    label: str


class TextPiece(BaseModel):
    """A piece of the text of a sentence."""

    text: str
    name: str = Field(description="Names of the nodes of a matched word; empty for other text.")


class MatchRecord(BaseModel):
    """A match."""

    sentence: int = Field(description="Number of the sentence, from 1.")
    sent_id: str | None
    nodes: dict[str, int] = Field(description="Ids of the words by the names of their nodes; 0 is above the root.")
    edges: dict[str, MatchedEdge]
    text: list[TextPiece] = Field(description="Text of the sentence, with the matched words.")
    svg: str | None = Field(None, description="Drawing with the match highlighted; only if `svg` was set.")


class CountRecord(BaseModel):
    """The number of matches with these values."""

    values: list[str | None] = Field(description="Values of the keys; null if undefined.")
    count: int


class SearchResponse(BaseModel):
    """The first matches, and the counts of all."""

    matches: list[MatchRecord]
    total: int = Field(description="Number of matches.")
    complete: bool = Field(description="Whether all matches were counted; the server stops at a large number.")
    matched_sentences: int = Field(description="Number of sentences with a match.")
    sentences: int = Field(description="Number of sentences that were searched.")
    words: int = Field(description="Number of words that were searched.")
    counts: list[CountRecord] = Field(description="Counts by the keys in `by`, the largest first.")
    notes: list[str] = Field(description="Warnings about the pattern and the keys.")
    warnings: list[str] = Field(description="Warnings: the text is probably not in the language of the model.")
