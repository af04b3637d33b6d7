"""Schemas of the requests and responses of the JSON API, as /openapi.json shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from gardenpath import systems

MOST_FIELDS = 50         # maximum number of fields of an object in a request
EXAMPLE = "She gave him a book."
PARSED = """\
# newdoc
# newpar
# sent_id = 1
# text = I fell.
1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing|Person=1|PronType=Prs\t2\tnsubj\t_\t_
2\tfell\tfall\tVERB\tVBD\tMood=Ind|Number=Sing|Person=1|Tense=Past|VerbForm=Fin\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start + 1} is a lone surrogate; remove it") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]


class Request(BaseModel):
    """Base class of requests. Unknown fields and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _check_number(cls, data: Any) -> Any:
        """Reject a request with many fields at once. Otherwise each unknown field would get an error of its own."""
        if isinstance(data, dict) and len(data) > MOST_FIELDS:
            raise ValueError(f"the object has {len(data):,} fields; the operation has {len(cls.model_fields)}")
        return data


class Failure(BaseModel):
    """An error."""

    error: str = Field(
        description="What is wrong, where, and how to fix it.",
        examples=["a sentence has 2,000 words; this server accepts at most 1,000"],
    )


class Health(BaseModel):
    """The state of the server."""

    status: Literal["ok"]
    version: str = Field(description="Version of gardenpath.")
    models: list[str] = Field(description="Names of the models.", examples=[["en"]])


class DevScores(BaseModel):
    """Scores of a model on its dev set."""

    uas: float = Field(description="Unlabelled attachment score in per cent.")
    las: float = Field(description="Labelled attachment score in per cent.")
    conditions: str = Field(description="Conditions of the evaluation.")


class ModelRecord(BaseModel):
    """A model of the server."""

    name: str = Field(examples=["en"])
    aliases: list[str] = Field(
        description="Other names of the model.",
        examples=[["english-ewt-ud-2.16", "english-ewt-ud", "english-ewt", "english"]],
    )
    steps: list[Literal["tokenizer", "tagger", "parser"]] = Field(description="Steps that the model can run.")
    system: str = Field(description="Transition system.", examples=[systems.DEFAULT])
    reads_tags: bool = Field(description="Whether the parser reads the tags of the words.")
    treebank: str | None = Field(description="Training treebank.")
    licence: str | None = Field(description="Licence of the treebank.")
    citation: str | None = Field(description="Citation of the treebank.")
    scores: DevScores | None = Field(description="Scores on the dev set; null if the model has none.")


class ModelList(BaseModel):
    """The models of the server."""

    models: list[ModelRecord]
    default: str = Field(description="Model for requests that name none.", examples=["en"])


class TagList(BaseModel):
    """The tags that the tagger of a model can assign."""

    tags: list[list[str]] = Field(description="UPOS, XPOS and FEATS of each tag, `_` where empty.")


class SystemRecord(BaseModel):
    """A transition system."""

    name: str = Field(examples=[systems.DEFAULT])
    title: str = Field(description="First line of the definition.")
    definition: str = Field(description="Definition of the transitions as in the paper, in plain text.")
    moves: list[str] = Field(
        description="Transitions, in the order of the paper.", examples=[["shift", "left-arc", "right-arc", "reduce"]],
    )
    oracles: list[str] = Field(description="Oracles.", examples=[["static", "nondet", "dynamic", "exact"]])
    projective: bool = Field(description="Whether the system can only build projective trees.")
    single_root_mode: bool = Field(description="Whether the system has a mode in which trees get exactly one root.")


class SystemList(BaseModel):
    """The transition systems."""

    systems: list[SystemRecord]


KEEP_HEADS = Field(
    None, description="With `conllu`: keep all given heads (true) or none (false). Null keeps them in sentences in "
    "which other words have none.",
)
DROP_CONFLICTS = Field(
    False, description="With `conllu`: ignore given heads that contradict others, instead of an error.",
)


class ParseRequest(Request):
    """Text or sentences to parse."""

    text: Text = Field(description="Text or CoNLL-U to parse.", examples=[EXAMPLE])
    input: Literal["text", "lines", "tokens", "conllu"] = Field(
        "text",
        description="Format of the text: `text`; `lines` (one sentence per line); `tokens` (one sentence per line, "
        "tokens separated by spaces); or `conllu`.",
    )
    model: Text | None = Field(
        None, description="Name or alias of a model; null means the default model.", examples=["en"],
    )
    retag: bool = Field(False, description="With `conllu`: replace existing tags and lemmas by predicted ones.")
    keep_heads: bool | None = KEEP_HEADS
    drop_conflicts: bool = DROP_CONFLICTS
    svg: bool = Field(False, description="Also draw the trees as SVG.")
    compact: bool = Field(False, description="Draw the trees with right-angled arcs, which need less space.")
    confidence: bool = Field(False, description="Mark arcs, labels and tags with low confidence in the drawings.")


class ConfidenceRecord(BaseModel):
    """Probabilities that the annotations of a word are right; null if unknown."""

    upos: float | None = Field(description="UPOS is right.")
    tag: float | None = Field(description="UPOS, XPOS and FEATS are right.")
    head: float | None = Field(description="The head is right.")
    label: float | None = Field(description="The label is right, if the head is right.")


class WordRecord(BaseModel):
    """A word: the columns of CoNLL-U, null for `_`."""

    id: int
    form: str
    lemma: str | None
    upos: str | None
    xpos: str | None
    feats: dict[str, str | None] | str | None
    head: int | None = Field(description="Id of the head; 0 for the root.")
    deprel: str | None
    deps: str | None
    misc: dict[str, str | None] | str | None
    start: int | None = Field(None, description="Character offset of the start of the token; only for text input.")
    end: int | None = Field(None, description="Character offset of the end of the token; only for text input.")
    confidence: ConfidenceRecord | None = Field(None, description="Confidence; only for calibrated models.")


class NodeRecord(BaseModel):
    """A multi-word token or an empty node, with its columns that are not empty.

    The id of a multi-word token is its first and last word. The id of an empty node is the word before it and a number.
    """

    model_config = ConfigDict(extra="allow")

    id: tuple[int, int]
    form: str


class SentenceRecord(BaseModel):
    """A sentence with its tree."""

    metadata: dict[str, Any] = Field(description="Comments by key.", examples=[{"sent_id": "1", "text": EXAMPLE}])
    words: list[WordRecord]
    ranges: list[NodeRecord] = Field(description="Multi-word tokens.")
    empty_nodes: list[NodeRecord] = Field(description="Empty nodes.")


class ParseResponse(BaseModel):
    """The parsed sentences as CoNLL-U and as JSON."""

    model: str = Field(description="Name of the model.", examples=["en"])
    warnings: list[str] = Field(description="Warnings: the text is probably not in the language of the model.")
    conllu: str = Field(description="Sentences in CoNLL-U.", examples=[PARSED])
    sentences: list[SentenceRecord]
    svg: list[str] | None = Field(None, description="A drawing of each sentence; only if `svg` was set.")


class EvaluateRequest(Request):
    """Gold trees and predicted trees to score."""

    gold: Text = Field(description="Gold trees in CoNLL-U.", examples=[PARSED])
    system: Text = Field(description="Predicted trees of the same text in CoNLL-U.", examples=[PARSED])
    punctuation: bool = Field(True, description="Count words whose gold UPOS is PUNCT.")
    subtypes: bool = Field(False, description="Compare label subtypes: nsubj:pass differs from nsubj.")


class EvaluateResponse(BaseModel):
    """Scores in per cent and their conditions, the same as from `gardenpath evaluate --json`."""

    conditions: str = Field(description="Conditions of the evaluation.")
    settings: dict[str, bool]
    scores: dict[str, dict[str, float | None]] = Field(
        description="The metrics of CoNLL 2018: precision, recall, F1 and counts.",
    )
    attachment: dict[str, float | None] = Field(description="Attachment scores over gold words and sentences.")
    las_interval: list[float] = Field(description="95 % interval of LAS, by bootstrap over sentences.")
    by_label: dict[str, dict[str, float | None]]
    by_length: dict[str, dict[str, float | None]]
    by_sentence_length: dict[str, dict[str, float | None]]
    by_projectivity: dict[str, dict[str, float | None]]
    by_crossing: dict[str, dict[str, float | None]]
