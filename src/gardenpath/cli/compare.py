"""`gardenpath compare`: compare the output of two parsers."""

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
from gardenpath.cli.tables import Contents, Rows, number, show
from gardenpath.evaluation import Comparison, Contrast
from gardenpath.evaluation import compare as compare_files
from gardenpath.evaluation.agreement import SentenceContrast, WordArc
from gardenpath.evaluation.contrasts import ArcContrast, AttachmentContrast

NAMES = {"uas": "UAS", "las": "LAS", "label_accuracy": "Label accuracy", "exact_labelled": "Exact match, labelled"}
BOTH = ("A", "B", "B - A")


def command(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD", help="CoNLL-U file with the gold trees; - reads standard input.")
    ],
    a: Annotated[
        str, typer.Argument(metavar="A", help="CoNLL-U file with the output of parser A; - reads standard input.")
    ],
    b: Annotated[
        str, typer.Argument(metavar="B", help="CoNLL-U file with the output of parser B; - reads standard input.")
    ],
    *,
    also_a: Annotated[
        list[str] | None,
        typer.Option("--also-a", metavar="FILE", help="Output of A with another seed; may be repeated."),
    ] = None,
    also_b: Annotated[
        list[str] | None,
        typer.Option("--also-b", metavar="FILE", help="Output of B with another seed; may be repeated."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all tables.")] = False,
    no_punctuation: NoPunctuation = False,
    subtypes: Subtypes = False,
    nonprojective_only: NonprojectiveOnly = False,
    multi_root: MultiRoot = False,
    by_label: Annotated[bool, typer.Option("--by-label", help="Show scores and p-values by label.")] = False,
    by_length: ByLength = False,
    by_projectivity: ByProjectivity = False,
    sentences: Annotated[
        int, typer.Option("--sentences", "-s", min=0, metavar="N", help="Show the N sentences that differ most.")
    ] = 5,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Number of random permutations and bootstrap samples.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 1,
    as_json: FullJson = False,
) -> None:
    """Compare the output of two parsers on the same text.

    Shows the scores of both, whether their difference is significant, and where they differ. All files must contain the
    same text. Scores are in per cent of the gold words. The first line states the conditions of the evaluation.

    Example: gardenpath compare gold.conllu first.conllu second.conllu --by-label
    """
    result = compare_files(
        gold, [a, *(also_a or ())], [b, *(also_b or ())],
        punctuation=not no_punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only,
        multi_root=multi_root, rounds=rounds, seed=seed,
    )
    if as_json:
        typer.echo(json.dumps(result.to_dict(sentences), ensure_ascii=False, indent=2))
        return
    typer.echo(result.conditions)
    for name, files in zip("AB", result.files, strict=True):
        typer.echo(f"{name}: {', '.join(files)}")
    show("Scores over gold words and sentences, with 95 % intervals", *_scores(result))
    show("Right in both, one or neither", *_agreement(result))
    if by_label or verbose:
        show("By label: F1 of head and label", *_labels(result))
    if by_length or verbose:
        show("By distance from word to head: head and label right", *_arcs("Distance", result.by_length))
        show("By number of words in the sentence", *_attachments("Words", result.by_sentence_length))
    if by_projectivity or verbose:
        show("By projectivity of the gold tree", *_attachments("Trees", result.by_projectivity))
        show("By projectivity of the arc: head and label right", *_arcs("Arcs", result.by_crossing))
    for sentence in result.most_different(sentences):
        _show_sentence(sentence)


def _scores(result: Comparison) -> Contents:
    header = ("Score", "A", "Interval", "B", "Interval", "B - A", "Interval", "p", "Holm p")
    return header, [
        (NAMES[name], number(score.first), _interval(score.first_interval), number(score.second),
         _interval(score.second_interval), f"{score.difference:+.2f}", _interval(score.interval), _p(score.p),
         _p(score.holm_p))
        for name, score in result.scores.items()
    ]


def _agreement(result: Comparison) -> Contents:
    header = ("Right", "Both", "Only A", "Only B", "Neither", "Sentences better in A", "In B", "Equal")
    meanings = {"uas": "head", "las": "head and label"}
    return header, [
        (meanings[name], _count(found.both), _count(found.only_first), _count(found.only_second),
         _count(found.neither), _count(found.first_better), _count(found.second_better), _count(found.equal))
        for name, found in result.agreement.items()
    ]


def _labels(result: Comparison) -> Contents:
    return ("Label", "Gold", *BOTH, "p", "Holm p"), [
        (name, str(label.gold), *_both(label.f1), _p(label.p), _p(label.holm_p))
        for name, label in result.by_label.items()
    ]


def _arcs(what: str, contrasts: dict[str, ArcContrast]) -> Contents:
    header = (what, "Gold", *(f"{rate} {side}" for rate in ("Precision", "Recall") for side in BOTH))
    return header, [
        (name, str(arcs.gold), *_both(arcs.precision), *_both(arcs.recall)) for name, arcs in contrasts.items()
    ]


def _attachments(what: str, contrasts: dict[str, AttachmentContrast]) -> Contents:
    header = (what, "Sentences", "Scored words", *(f"{score} {side}" for score in ("UAS", "LAS") for side in BOTH))
    return header, [
        (name, str(scores.sentences), str(scores.words), *_both(scores.uas), *_both(scores.las))
        for name, scores in contrasts.items()
    ]


def _show_sentence(sentence: SentenceContrast) -> None:
    right = f"A has {_count(sentence.first)} of {sentence.words} words right, B {_count(sentence.second)}"
    typer.echo(f"\n{sentence.place}: {right}\n{sentence.text}")
    rows: Rows = [
        (f"{word.id} {word.form}", _arc(word.gold), _arcs_of_runs(word.first), _arcs_of_runs(word.second))
        for word in sentence.differing
    ]
    show("Words that make the difference", ("Word", "Gold", "A", "B"), rows, prose=True)


def _arcs_of_runs(arcs: list[WordArc | None]) -> str:
    """Format the distinct arcs of all runs."""
    return " / ".join(dict.fromkeys(_arc(arc) for arc in arcs))


def _arc(arc: WordArc | None) -> str:
    return "no such word" if arc is None else str(arc)


def _both(scores: Contrast) -> tuple[str, str, str]:
    return number(scores.first), number(scores.second), f"{scores.difference:+.2f}"


def _interval(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.2f} to {interval[1]:.2f}"


def _p(p: float | None) -> str:
    return "" if p is None else f"{p:.4f}"


def _count(value: float) -> str:
    """Format a count. The mean count of several runs may have decimals."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
