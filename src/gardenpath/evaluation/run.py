"""`evaluate` and `compare`: from files or sentences to results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, cast

from gardenpath.formats.document import Document, Sentence
from gardenpath.errors import UsageError
from gardenpath.evaluation.alignment import align
from gardenpath.evaluation.comparison import Comparison
from gardenpath.evaluation.layout import Layout, lay_out
from gardenpath.evaluation.result import Evaluation
from gardenpath.evaluation.selection import select
from gardenpath.formats.conllu import read_conllu

Parsed = str | Path | IO[bytes] | Document | Iterable[Sentence]


def evaluate(gold: Parsed, system: Parsed, *, punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False) -> Evaluation:
    """Score parsed sentences against gold; by default exactly as the CoNLL 2018 shared task did.

    Both are CoNLL-U files (`-` is standard input) or sentences. Their text must be the same; tokens and sentences may be divided differently.
    `punctuation=False` leaves out the words that gold tags PUNCT, `subtypes=True` tells `nsubj:pass` from `nsubj`, and `nonprojective_only=True`
    scores only the sentences whose gold tree is non-projective.
    """
    if gold == "-" and system == "-":
        raise UsageError("only one of gold and system can be `-` (standard input); give the other as a file")
    layouts = [_read(gold, "gold"), _read(system, "system")]
    _are_different(layouts)
    return _score(*layouts, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only)


def compare(
    gold: Parsed, first: Parsed | Sequence[Parsed], second: Parsed | Sequence[Parsed], *,
    punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False, rounds: int = 10_000, seed: int = 1,
) -> Comparison:
    """Compare what two parsers made of the same text, in messages called A and B, with gold as the judge.

    Each is a CoNLL-U file (`-` is standard input) or sentences; where a parser was trained with several seeds, a list of these: the mean is compared.
    Conditions are those of `evaluate`. `rounds` is how often sentences are swapped or drawn at random, which `seed` begins.
    """
    sources = [[gold], _runs(first, "A"), _runs(second, "B")]
    if sum(source == "-" for side in sources for source in side) > 1:
        raise UsageError("only one of gold, A and B can be `-` (standard input); give the others as files")
    layouts = [[_read(source, name) for source in side] for name, side in zip(("gold", "A", "B"), sources, strict=True)]
    _are_different([layout for side in layouts for layout in side])
    (judge,), *sides = layouts
    scored = [
        [_score(judge, system, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only) for system in side] for side in sides
    ]
    return Comparison(*scored, rounds=rounds, seed=seed)


def _score(gold: Layout, system: Layout, *, punctuation: bool, subtypes: bool, nonprojective_only: bool) -> Evaluation:
    chosen = select(align(gold, system), punctuation=punctuation, nonprojective_only=nonprojective_only)
    return Evaluation(chosen, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only)


def _runs(source: Parsed | Sequence[Parsed], side: str) -> list[Parsed]:
    """The runs of one side: a list or tuple that does not hold sentences is several."""
    if not isinstance(source, (list, tuple)) or any(isinstance(item, Sentence) for item in source):
        return [cast("Parsed", source)]
    if not source:
        raise UsageError(f"{side} has no runs; give at least one file")
    return list(source)


def _read(source: Parsed, side: str) -> Layout:
    if isinstance(source, (str, Path)):
        return lay_out(read_conllu(source), side, str(source))
    if hasattr(source, "read"):
        return lay_out(read_conllu(cast("IO[bytes]", source)), side, getattr(source, "name", side))
    sentences = [source] if isinstance(source, Sentence) else list(source)
    if not all(isinstance(sentence, Sentence) for sentence in sentences):
        raise UsageError(f"{side} must be a file, a Document or an iterable of Sentence")
    return lay_out(sentences, side, side)


def _are_different(layouts: list[Layout]) -> None:
    """Refuse the same sentences in two roles: whoever parsed them again has lost what they were before."""
    seen: dict[int, Layout] = {}
    for layout in layouts:
        other = seen.setdefault(id(layout.sentences[0]), layout)
        if other is not layout:
            raise UsageError(f"{other.side} and {layout.side} are the same sentences: parsing fills them in place, so read {other.side} again")
