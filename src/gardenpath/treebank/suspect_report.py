"""Suspects as rows, as CSV and as a page to work through."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

from gardenpath.evaluation.agreement import WordArc
from gardenpath.formats.drawing import plain_text
from gardenpath.report.tree_pages import TreePair, tree_page
from gardenpath.treebank.suspects import Suspect, Suspects

COLUMNS = (
    "rank", "score", "confidence", "kind", "agreeing", "file", "line", "sent_id", "word", "form", "upos",
    "head", "head_form", "deprel", "predicted_head", "predicted_head_form", "predicted_deprel", "variation", "text",
)


def rows(suspects: Suspects, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the first suspects as dictionaries with the keys `COLUMNS`."""
    for rank, suspect in enumerate(islice(suspects, most), 1):
        sentence = suspects.sentences[suspect.sentence]
        word = sentence.words[suspect.word - 1]
        yield dict(zip(COLUMNS, (
            rank, round(suspect.score, 3), round(suspect.confidence, 4), suspect.kind, suspect.agreeing,
            sentence.place.rpartition(":")[0], suspects.line(suspect), sentence.sent_id or "",
            word.id, word.form, word.upos,
            suspect.head, suspects.form(suspect, suspect.head), suspect.label,
            suspect.predicted_head, suspects.form(suspect, suspect.predicted_head), suspect.predicted_label,
            variation_of(suspects, suspect), plain_text(sentence),
        ), strict=True))


def write_csv(suspects: Suspects, file: IO[str], most: int | None = None) -> None:
    """Write the first suspects as CSV, with a header."""
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(suspects, most))


def to_html(suspects: Suspects, most: int | None = None) -> str:
    """Return a page with the first suspects: the annotated and the predicted tree side by side."""
    pairs = [
        _pair(suspects, suspect, row)
        for suspect, row in zip(suspects.found[:most], rows(suspects, most), strict=True)
    ]
    about = (
        f"{len(pairs):,} of {len(suspects):,} suspects in {len(suspects.sentences):,} sentences, the most suspicious "
        f"first. Predictions by cross-validation with {', '.join(suspects.systems)}. Tick what is done. "
        "A suspect is not always an error: the prediction may be wrong."
    )
    return tree_page("Suspects", about, pairs)


def _pair(suspects: Suspects, suspect: Suspect, row: dict[str, Any]) -> TreePair:
    sentence = suspects.sentences[suspect.sentence]
    heading = f"{row['form']}: {annotated_arc(row)} → {predicted_arc(row)}"
    place = f"{row['file']}:{row['line']}" + (f", sent_id {row['sent_id']}" if row["sent_id"] else "")
    lines = [f"{place}; probability of the prediction {row['confidence']:.2f}, score {row['score']:.2f}", row["text"]]
    lines += [row["variation"]] if row["variation"] else []
    trees = (("Annotated", sentence), ("Predicted", suspects.predicted(suspect)))
    labels = frozenset({suspect.label, suspect.predicted_label})
    return TreePair(heading, lines, trees, ([suspect.word], [suspect.word]), labels)


def annotated_arc(row: dict[str, Any]) -> str:
    """Return the annotated arc of a row as text, such as `obj of 3 saw`."""
    return str(WordArc(row["head"], row["head_form"], row["deprel"]))


def predicted_arc(row: dict[str, Any]) -> str:
    """Return the predicted arc of a row as text."""
    return str(WordArc(row["predicted_head"], row["predicted_head_form"], row["predicted_deprel"]))


def variation_of(suspects: Suspects, suspect: Suspect) -> str:
    """Describe the variation of a suspect, with the place of an example; an empty string without one."""
    variation = suspect.variation
    if variation is None:
        return ""
    usual = variation.label or "no arc"
    example = suspects.sentences[variation.example.sentence].place
    return f"the same words elsewhere: {usual} {variation.others} times, as here {variation.same} times; see {example}"
