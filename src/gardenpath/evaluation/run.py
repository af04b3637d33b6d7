"""`evaluate`, `compare` and `diff`, which read files or sentences and return the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import IO, cast

from gardenpath.errors import UsageError
from gardenpath.evaluation.alignment import align
from gardenpath.evaluation.comparison import Comparison
from gardenpath.evaluation.difference import Difference
from gardenpath.evaluation.layout import TextLayout, lay_out
from gardenpath.evaluation.result import Evaluation
from gardenpath.evaluation.selection import select
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Document, Sentence

Parsed = str | Path | IO[bytes] | Document | Iterable[Sentence]


def evaluate(
    gold: Parsed, system: Parsed, *, punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False,
    multi_root: bool = False,
) -> Evaluation:
    """Score parsed sentences against gold, by default exactly as in the CoNLL 2018 shared task.

    Both are CoNLL-U files (`-` is standard input) or sentences. Their text must be the same, but tokenization and
    sentence splitting may differ. `punctuation=False` leaves out words with the gold UPOS PUNCT. `subtypes=True` treats
    `nsubj:pass` and `nsubj` as different labels. `nonprojective_only=True` scores only sentences with a non-projective
    gold tree. `multi_root=True` accepts sentences with several roots, which the shared task does not allow.
    """
    if gold == "-" and system == "-":
        raise UsageError("only one of gold and system can be `-` (standard input); give the other as a file")
    layouts = [_read(gold, "gold", multi_root), _read(system, "system", multi_root)]
    _are_different(layouts)
    return _score(*layouts, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only)


def compare(
    gold: Parsed, first: Parsed | Sequence[Parsed], second: Parsed | Sequence[Parsed], *,
    punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False, multi_root: bool = False,
    rounds: int = 10_000, seed: int = 1,
) -> Comparison:
    """Compare the output of two parsers on the same text against gold. Messages call the parsers A and B.

    Each output is a CoNLL-U file (`-` is standard input) or sentences, or a list of these if a parser was trained with
    several seeds; then the means are compared. The conditions are those of `evaluate`. `rounds` is the number of rounds
    of approximate randomisation and of the bootstrap, and `seed` is their random seed.
    """
    sources = [[gold], _runs(first, "A"), _runs(second, "B")]
    if sum(source == "-" for side in sources for source in side) > 1:
        raise UsageError("only one of gold, A and B can be `-` (standard input); give the others as files")
    layouts = [
        [_read(source, name, multi_root) for source in side]
        for name, side in zip(("gold", "A", "B"), sources, strict=True)
    ]
    _are_different([layout for side in layouts for layout in side])
    (flat_gold,), *sides = layouts
    conditions = {"punctuation": punctuation, "subtypes": subtypes, "nonprojective_only": nonprojective_only}
    scored = [[_score(flat_gold, system, **conditions) for system in side] for side in sides]
    return Comparison(*scored, rounds=rounds, seed=seed)


def diff(first: Parsed, second: Parsed, *, punctuation: bool = True, subtypes: bool = True) -> Difference:
    """Compare two annotations of the same text, neither of which is gold.

    Both are CoNLL-U files (`-` is standard input) or sentences, with trees. Their tokenization and sentence splitting
    may differ; words are aligned as in `evaluate`. `punctuation=False` leaves out words with the UPOS PUNCT in the
    first annotation. `subtypes=False` treats `nsubj:pass` and `nsubj` as the same label.
    """
    return diff_all([first, second], punctuation=punctuation, subtypes=subtypes)[0]


def diff_all(sources: Sequence[Parsed], *, punctuation: bool = True, subtypes: bool = True) -> list[Difference]:
    """Compare every pair of annotations of the same text, as `diff` does. The pairs are in order: AB, AC, BC."""
    if len(sources) < 2:
        raise UsageError("a comparison needs at least two annotations; give another file")
    if sum(source == "-" for source in sources) > 1:
        raise UsageError("only one annotation can be `-` (standard input); give the others as files")
    layouts = [_read(source, f"annotation {number}") for number, source in enumerate(sources, 1)]
    _are_different(layouts)
    return [
        Difference(_score(one, other, punctuation=punctuation, subtypes=subtypes, nonprojective_only=False))
        for one, other in combinations(layouts, 2)
    ]


def _score(
    gold: TextLayout, system: TextLayout, *, punctuation: bool, subtypes: bool, nonprojective_only: bool,
) -> Evaluation:
    chosen = select(align(gold, system), punctuation=punctuation, nonprojective_only=nonprojective_only)
    return Evaluation(chosen, punctuation=punctuation, subtypes=subtypes, nonprojective_only=nonprojective_only)


def _runs(source: Parsed | Sequence[Parsed], side: str) -> list[Parsed]:
    """Return the runs of one side. A list or tuple that does not contain sentences is a list of runs."""
    if not isinstance(source, (list, tuple)) or any(isinstance(item, Sentence) for item in source):
        return [cast("Parsed", source)]
    if not source:
        raise UsageError(f"{side} has no runs; give at least one file")
    return list(source)


def _read(source: Parsed, side: str, multi_root: bool = False) -> TextLayout:
    return lay_out(*_sentences(source, side), multi_root=multi_root)


def _sentences(source: Parsed, side: str) -> tuple[Iterable[Sentence], str, str]:
    """Return the sentences of a source, its side, and its name for messages."""
    if isinstance(source, (str, Path)):
        return read_conllu(source), side, str(source)
    if hasattr(source, "read"):
        return read_conllu(cast("IO[bytes]", source)), side, getattr(source, "name", side)
    sentences = [source] if isinstance(source, Sentence) else list(source)
    if not all(isinstance(sentence, Sentence) for sentence in sentences):
        raise UsageError(f"{side} must be a file, a Document or an iterable of Sentence")
    return sentences, side, side


def _are_different(layouts: list[TextLayout]) -> None:
    """Raise an error if two layouts have the same sentences, because parsing them again overwrites the first parse."""
    seen: dict[int, TextLayout] = {}
    for layout in layouts:
        other = seen.setdefault(id(layout.sentences[0]), layout)
        if other is not layout:
            problem = f"{other.side} and {layout.side} are the same sentences"
            raise UsageError(f"{problem}; parsing changes sentences in place, so read {other.side} again")
