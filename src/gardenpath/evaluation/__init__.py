"""Scores of parsed text against gold, each with its conditions.

`evaluate` gives the metrics of the CoNLL 2018 shared task, equal to the official scorer; `Evaluation.attachment` the attachment scores of parsing
research; `significance.compare` says whether two systems differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, cast

from gardenpath.document import Document, Sentence
from gardenpath.errors import UsageError
from gardenpath.evaluation.alignment import align
from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.breakdown import LengthScore
from gardenpath.evaluation.layout import Layout, lay_out
from gardenpath.evaluation.result import Evaluation
from gardenpath.evaluation.scores import METRICS, Score
from gardenpath.evaluation.selection import select
from gardenpath.evaluation.significance import Comparison, bootstrap_interval, compare
from gardenpath.formats.conllu import read_conllu

__all__ = [
    "METRICS", "Attachment", "Comparison", "Evaluation", "LengthScore", "Score",
    "bootstrap_interval", "compare", "evaluate",
]

Parsed = str | Path | IO[bytes] | Document | Iterable[Sentence]


def evaluate(gold: Parsed, system: Parsed, *, punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False) -> Evaluation:
    """Score parsed sentences against gold; by default exactly as the CoNLL 2018 shared task did.

    Both are CoNLL-U files (`-` is standard input) or sentences. Their text must be the same; tokens and sentences may be divided differently.
    `punctuation=False` leaves out the words that gold tags PUNCT, `subtypes=True` tells `nsubj:pass` from `nsubj`, and `nonprojective_only=True`
    scores only the sentences whose gold tree is non-projective.
    """
    if gold == "-" and system == "-":
        raise UsageError("only one of gold and system can be `-` (standard input); give the other as a file")
    layouts = _read(gold, "gold"), _read(system, "system")
    if layouts[0].sentences[0] is layouts[1].sentences[0]:
        raise UsageError("gold and system are the same sentences: parsing fills them in place, so read gold again")
    alignment = align(*layouts)
    chosen = select(alignment, punctuation=punctuation, nonprojective_only=nonprojective_only)
    return Evaluation(chosen, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only)


def _read(source: Parsed, side: str) -> Layout:
    if isinstance(source, (str, Path)):
        return lay_out(read_conllu(source), side, str(source))
    if hasattr(source, "read"):
        return lay_out(read_conllu(cast("IO[bytes]", source)), side, getattr(source, "name", side))
    sentences = [source] if isinstance(source, Sentence) else list(source)
    if not all(isinstance(sentence, Sentence) for sentence in sentences):
        raise UsageError(f"{side} must be a file, a Document or an iterable of Sentence")
    return lay_out(sentences, side, side)
