"""`gardenpath diff`: compare annotations of the same text."""

from __future__ import annotations

import json
from itertools import combinations
from string import ascii_uppercase
from typing import Annotated

import typer

from gardenpath.cli.options import FullJson, NoPunctuation, Subtypes, output
from gardenpath.cli.tables import Contents, Rows, number, show
from gardenpath.errors import UsageError
from gardenpath.evaluation import Difference, Kappa, diff_all
from gardenpath.files import require_other_file
from gardenpath.formats.drawing import plain_text
from gardenpath.report.difference_page import difference_page, word_texts

MEANINGS = {
    "Tokens": "token boundaries", "Sentences": "sentence boundaries", "Words": "syntactic words", "UPOS": "tag",
    "XPOS": "language-specific tag", "UFeats": "universal features", "Lemmas": "lemma", "UAS": "head",
    "LAS": "head and label",
}
MAIN = ("UPOS", "Lemmas", "UAS", "LAS")


def command(
    files: Annotated[
        list[str], typer.Argument(metavar="A B", help="CoNLL-U files with annotations of the same text, two or more.")
    ],
    *,
    report: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the trees that differ side by side, as .html."),
    ] = None,
    sentences: Annotated[
        int, typer.Option("--sentences", "-s", min=0, metavar="N", help="Show the first N sentences that differ.")
    ] = 5,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Number of rows of the tables of labels and confusions.")
    ] = 15,
    no_punctuation: NoPunctuation = False,
    subtypes: Subtypes = True,
    as_json: FullJson = False,
) -> None:
    """Compare annotations of the same text: agreement, Cohen's kappa, confusions, and the words that differ.

    None of the files is gold. Their tokenization and sentence splitting may differ. With more than two files, every
    pair of annotators is compared.

    Example: gardenpath diff anna.conllu ben.conllu -o differences.html
    """
    if report and (not report.endswith(".html") or len(files) != 2):
        raise UsageError("--output writes a page for two annotations; give two files and a name that ends in .html")
    if len(files) > len(ascii_uppercase):
        raise UsageError(f"there are {len(files)} files; give at most {len(ascii_uppercase)}")
    if report:
        require_other_file(report, files, "the page")
    found = diff_all(files, punctuation=not no_punctuation, subtypes=subtypes)
    if report:
        with output(report) as file:
            file.write(difference_page(found[0]))
    if as_json:
        plain = [each.to_dict() for each in found]
        typer.echo(json.dumps(plain[0] if len(files) == 2 else plain, ensure_ascii=False, indent=2))
        return
    for name, file_name in zip(ascii_uppercase, files, strict=False):
        typer.echo(f"{name}: {file_name}")
    if len(files) > 2:
        _show_annotators(files, found)
    else:
        _show_pair(found[0], sentences, most)


def _show_pair(found: Difference, sentences: int, most: int) -> None:
    typer.echo(found.conditions)
    show("Agreement", ("Score", "Per cent", "Meaning"), [
        (name, number(score), MEANINGS[name]) for name, score in found.scores.items()
    ])
    show("Cohen's kappa", ("Of", "Kappa", "Observed", "Expected", "Words"), [
        (name, *_kappa(kappa)) for name, kappa in found.kappa.items()
    ])
    show("Labels: this label or another one", *_by_category(found.by_label, most))
    for column in ("deprel", "upos"):
        rows: Rows = [
            (one, other, str(count)) for (one, other), count in found.confusion(column).most_common() if one != other
        ]
        if rows:
            show(f"Confusions of {column.upper()}", ("A", "B", "Words"), rows[:most])
    for sentence in found.sentences[:sentences]:
        typer.echo(f"\n{sentence.place}\n{plain_text(sentence.first)}")
        show("Words that differ", ("Word", "A", "B"), [word_texts(word) for word in sentence.words], prose=True)
    typer.echo(f"\n{len(found.sentences):,} sentences differ.")


def _by_category(kappas: dict[str, Kappa], most: int) -> Contents:
    rows: Rows = [(name, *_kappa(kappa)[:3]) for name, kappa in list(kappas.items())[:most]]
    return ("Label", "Kappa", "Observed", "Expected"), rows


def _kappa(kappa: Kappa) -> tuple[str, str, str, str]:
    value = "" if kappa.value is None else f"{kappa.value:.3f}"
    return value, f"{kappa.observed:.3f}", f"{kappa.expected:.3f}", f"{kappa.items:,}"


def _show_annotators(files: list[str], found: list[Difference]) -> None:
    """Show the agreement of every pair, and of every annotator with all others."""
    names = ascii_uppercase[: len(files)]
    pairs = dict(zip(combinations(names, 2), found, strict=True))
    header = ("Pair", *MAIN, "Kappa of heads", "Kappa of labels", "Kappa of UPOS")
    show("Agreement of pairs", header, [(f"{one} {other}", *_summary([each])) for (one, other), each in pairs.items()])
    rows: Rows = [(name, *_summary([each for pair, each in pairs.items() if name in pair])) for name in names]
    rows.append(("all", *_summary(found)))
    show("Mean of the pairs of an annotator", ("Annotator", *header[1:]), rows)


def _summary(found: list[Difference]) -> tuple[str, ...]:
    scores = [number(sum(each.scores[name] for each in found) / len(found)) for name in MAIN]
    for name in ("heads", "labels", "upos"):
        values = [value for each in found if (value := each.kappa[name].value) is not None]
        scores.append(f"{sum(values) / len(values):.3f}" if values else "")
    return tuple(scores)
