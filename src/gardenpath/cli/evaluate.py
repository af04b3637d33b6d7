"""`gardenpath evaluate`: score parsed text against gold trees."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from gardenpath.cli.options import (
    ByLength,
    ByProjectivity,
    FullJson,
    MultiRoot,
    NonprojectiveOnly,
    NoPunctuation,
    Subtypes,
)
from gardenpath.cli.tables import Contents, number, show
from gardenpath.evaluation import ArcScore, Attachment, Evaluation
from gardenpath.evaluation import evaluate as evaluate_files

STEPS = {
    "Tokens": "token boundaries right",
    "Sentences": "sentence boundaries right",
    "Words": "syntactic words right",
    "UPOS": "tag right",
    "Lemmas": "lemma right",
}
MEANINGS = {
    "UAS": "head right",
    "LAS": "head and label right",
    "CLAS": "LAS of content words",
    "MLAS": "CLAS with tags, features and function words right",
    "BLEX": "CLAS with lemma right",
}


def command(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="CoNLL-U file with the gold trees; - reads standard input.")
    ],
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="CoNLL-U file with the predicted trees; - reads standard input.")
    ],
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all metrics of CoNLL 2018, with precision and recall.")
    ] = False,
    no_punctuation: NoPunctuation = False,
    subtypes: Subtypes = False,
    nonprojective_only: NonprojectiveOnly = False,
    multi_root: MultiRoot = False,
    by_label: Annotated[bool, typer.Option("--by-label", help="Show scores by label.")] = False,
    by_length: ByLength = False,
    by_projectivity: ByProjectivity = False,
    as_json: FullJson = False,
) -> None:
    """Score parsed text against gold trees. The default metrics are those of the CoNLL 2018 shared task.

    Both files must contain the same text. Their tokenization and sentence splitting may differ. Scores are in per cent.
    The first line states the conditions of the evaluation.

    Example: gardenpath evaluate gold.conllu parsed.conllu --by-label
    """
    result = evaluate_files(
        gold, system, punctuation=not no_punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only,
        multi_root=multi_root,
    )
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
        return
    typer.echo(result.conditions)
    show("Metrics of CoNLL 2018", *(_all_metrics(result) if verbose else _main_metrics(result)))
    show("Over gold words and sentences", *_attachment(result))
    if by_label:
        show("By label: head and label right", *_labels(result))
    if by_length:
        show("By distance from word to head: head and label right", *_arcs("Distance", result.by_length))
        show("By number of words in the sentence", *_attachments("Words", result.by_sentence_length))
    if by_projectivity:
        show("By projectivity of the gold tree", *_attachments("Trees", result.by_projectivity))
        show("By projectivity of the arc: head and label right", *_arcs("Arcs", result.by_crossing))


def _main_metrics(result: Evaluation) -> Contents:
    """Return the scores of the trees, preceded by the scores of those earlier steps that made errors."""
    scores = result.scores
    shown = {name: meaning for name, meaning in STEPS.items() if scores[name].correct < scores[name].gold} | MEANINGS
    return ("Metric", "F1", "Meaning"), [(name, number(scores[name].f1), meaning) for name, meaning in shown.items()]


def _all_metrics(result: Evaluation) -> Contents:
    header = ("Metric", "Precision", "Recall", "F1", "Aligned accuracy")
    return header, [
        (name, number(score.precision), number(score.recall), number(score.f1), number(score.aligned_accuracy))
        for name, score in result.scores.items()
    ]


def _attachment(result: Evaluation) -> Contents:
    scores = result.attachment
    low, high = result.las_interval
    return ("Score", "Per cent", "Meaning"), [
        ("LAS, 95 % interval", f"{low:.2f} to {high:.2f}", "bootstrap over sentences"),
        ("Label accuracy", number(scores.label_accuracy), "label right, whatever the head"),
        ("Exact match, unlabelled", number(scores.exact_unlabelled), "sentences with every head right"),
        ("Exact match, labelled", number(scores.exact_labelled), "sentences with every head and label right"),
    ]


def _labels(result: Evaluation) -> Contents:
    header = ("Label", "Precision", "Recall", "F1", "Gold", "System", "Correct")
    return header, [
        (name, number(score.precision), number(score.recall), number(score.f1), str(score.gold), str(score.system),
         str(score.correct))
        for name, score in result.by_label.items()
    ]


def _arcs(what: str, scores: dict[str, ArcScore]) -> Contents:
    header = (what, "Precision", "Recall", "Gold", "System")
    return header, [
        (name, number(score.precision), number(score.recall), str(score.gold), str(score.system))
        for name, score in scores.items()
    ]


def _attachments(what: str, scores: dict[str, Attachment]) -> Contents:
    header = (what, "UAS", "LAS", "Exact match", "Sentences", "Scored words")
    return header, [
        (name, number(score.uas), number(score.las), number(score.exact_labelled), str(score.sentences),
         str(score.words))
        for name, score in scores.items()
    ]
