"""What requests to the JSON API look like, and its answers: the schemas that /openapi.json shows."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from gardenpath import systems

EXAMPLE = "The old man the boat."
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
        raise ValueError(f"character {error.start + 1} is half of a surrogate pair; give whole characters") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]


class Request(BaseModel):
    """What is asked for: names and types as they are described, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Failure(BaseModel):
    """Why there is no answer."""

    error: str = Field(description="What is wrong, where, and what to do about it.", examples=["a sentence has 2,000 words; this server takes 1,000 at most"])


class Health(BaseModel):
    """The server is there."""

    status: Literal["ok"]
    version: str = Field(description="The version of gardenpath.")
    models: list[str] = Field(description="The names of the models that are served.", examples=[["en"]])


class Scores(BaseModel):
    """What a model scored on the dev set that it was trained with."""

    uas: float = Field(description="Words with the right head, in per cent.")
    las: float = Field(description="Words with the right head and label, in per cent.")
    conditions: str = Field(description="What was given, and what was counted.")


class ModelRecord(BaseModel):
    """A model that is served."""

    name: str = Field(examples=["en"])
    aliases: list[str] = Field(description="Other names that it answers to.", examples=[["english-ewt-ud-2.16", "english-ewt-ud", "english-ewt", "english"]])
    steps: list[Literal["tokenizer", "tagger", "parser"]] = Field(description="What it can do.")
    system: str = Field(description="Its transition system.", examples=[systems.DEFAULT])
    treebank: str | None = Field(description="What it was trained on.")
    licence: str | None = Field(description="The licence of the treebank.")
    citation: str | None = Field(description="How to cite the treebank.")
    scores: Scores | None = Field(description="Scores on the dev set; null if there was none.")


class ModelList(BaseModel):
    """The models that are served."""

    models: list[ModelRecord]
    default: str = Field(description="The model for requests that name none.", examples=["en"])


class SystemRecord(BaseModel):
    """A transition system."""

    name: str = Field(examples=[systems.DEFAULT])
    title: str = Field(description="The first line of its definition.")
    definition: str = Field(description="Its moves as the paper defines them, in plain text.")
    moves: list[str] = Field(description="Its kinds of moves, in the paper's order.", examples=[["shift", "left-arc", "right-arc", "reduce"]])
    oracles: list[str] = Field(description="The kinds of oracles that it has.", examples=[["static", "nondet", "dynamic", "exact"]])
    projective: bool = Field(description="Does it build projective trees only?")
    single_root_mode: bool = Field(description="Has it a mode of its own in which there is one root word?")


class SystemList(BaseModel):
    """The transition systems."""

    systems: list[SystemRecord]


class ParseRequest(Request):
    """What to parse, and how."""

    text: Text = Field(description="What to parse.", examples=[EXAMPLE])
    input: Literal["text", "lines", "tokens", "conllu"] = Field(
        "text", description="What the text is: running `text`; `lines`, a sentence each; `tokens`, such lines with a space between tokens; or `conllu`.",
    )
    model: Text | None = Field(None, description="The model: its name or an alias; the default one if it is null.", examples=["en"])
    retag: bool = Field(False, description="With `conllu`: predict tags and lemmas, though there are some.")
    svg: bool = Field(False, description="Draw the trees, too.")
    compact: bool = Field(False, description="Draw them with right-angled arcs, which need less room.")


class WordRecord(BaseModel):
    """A word: the columns of CoNLL-U, null for `_`."""

    id: int
    form: str
    lemma: str | None
    upos: str | None
    xpos: str | None
    feats: dict[str, str | None] | str | None
    head: int | None = Field(description="The id of its head; 0 for the root.")
    deprel: str | None
    deps: str | None
    misc: dict[str, str | None] | str | None
    start: int | None = Field(None, description="Where its token begins in the text, in characters; only if text was given.")
    end: int | None = Field(None, description="Where its token ends.")


class NodeRecord(BaseModel):
    """A multiword token (its first and last word) or an empty node (the word before it and its number), with the columns that are not empty."""

    model_config = ConfigDict(extra="allow")

    id: tuple[int, int]
    form: str


class SentenceRecord(BaseModel):
    """A sentence with its tree."""

    metadata: dict[str, Any] = Field(description="The comments by their keys.", examples=[{"sent_id": "1", "text": EXAMPLE}])
    words: list[WordRecord]
    ranges: list[NodeRecord] = Field(description="Multiword tokens.")
    empty_nodes: list[NodeRecord] = Field(description="Empty nodes.")


class ParseAnswer(BaseModel):
    """The trees, as CoNLL-U and word by word."""

    model: str = Field(description="The name of the model.", examples=["en"])
    conllu: str = Field(description="The sentences in CoNLL-U.", examples=[PARSED])
    sentences: list[SentenceRecord]
    svg: list[str] | None = Field(None, description="A picture of each sentence; only if asked for.")


class EvaluateRequest(Request):
    """Parsed text to score against gold."""

    gold: Text = Field(description="The right trees, in CoNLL-U.", examples=[PARSED])
    system: Text = Field(description="The trees to score, in CoNLL-U, of the same text.", examples=[PARSED])
    punctuation: bool = Field(True, description="Count the words that gold tags PUNCT.")
    subtypes: bool = Field(False, description="Tell nsubj:pass from nsubj.")


class Evaluation(BaseModel):
    """Scores in per cent, with the conditions they hold under; all that `gardenpath evaluate --json` prints."""

    conditions: str = Field(description="Under which conditions the scores hold.")
    settings: dict[str, bool]
    scores: dict[str, dict[str, float | None]] = Field(description="The metrics of CoNLL 2018: precision, recall, F1 and counts.")
    attachment: dict[str, float | None] = Field(description="Attachment scores over gold words and sentences.")
    las_interval: list[float] = Field(description="The 95 % interval of LAS, by bootstrap over sentences.")
    by_label: dict[str, dict[str, float | None]]
    by_length: dict[str, dict[str, float | None]]
    by_sentence_length: dict[str, dict[str, float | None]]
    by_projectivity: dict[str, dict[str, float | None]]
    by_crossing: dict[str, dict[str, float | None]]
