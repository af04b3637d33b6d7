"""The difference of two annotations as a page with the trees side by side."""

from __future__ import annotations

from gardenpath.evaluation.difference import COLUMNS, Difference, SentenceDifference, WordDifference
from gardenpath.formats.drawing import plain_text
from gardenpath.report.tree_pages import TreePair, tree_page


def difference_page(difference: Difference, most: int | None = None) -> str:
    """Return a page with the sentences that differ, or the first of them."""
    first, second = difference.files
    scores = difference.scores
    about = (
        f"A is {first}, B is {second}. Agreement: UPOS {scores['UPOS']:.2f}, UAS {scores['UAS']:.2f}, "
        f"LAS {scores['LAS']:.2f} per cent. {difference.conditions} Tick what is done."
    )
    return tree_page("Differences", about, [_pair(sentence) for sentence in difference.sentences[:most]])


def _pair(sentence: SentenceDifference) -> TreePair:
    lines = [plain_text(sentence.first), *(f"{name}: {a} / {b}" for name, a, b in map(word_texts, sentence.words))]
    arcs = [word for word in sentence.words if {"head", "deprel"} & set(word.columns)]
    first = [word.first.id for word in arcs if word.first]
    trees = [("A", sentence.first), *(("B", other) for other in sentence.second)]
    # If the sentences are split differently, the numbers of the words are not those of one tree.
    second = [word.second.id for word in arcs if word.second] if len(sentence.second) == 1 else []
    labels = {arc.label for word in sentence.words for arc in (word.first_arc, word.second_arc) if arc}
    return TreePair(sentence.place, lines, trees, [first, *([second] * len(sentence.second))], frozenset(labels))


def word_texts(word: WordDifference) -> tuple[str, str, str]:
    """Return a word, and what is different about it in the first and in the second annotation."""
    known = word.first or word.second
    assert known is not None
    return f"{known.id} {known.form}", _side(word, first=True), _side(word, first=False)


def _side(difference: WordDifference, *, first: bool) -> str:
    word, arc = (
        (difference.first, difference.first_arc) if first else (difference.second, difference.second_arc)
    )
    if word is None or arc is None:
        return "no such word"
    parts = [str(arc)] if {"head", "deprel", "word"} & set(difference.columns) else []
    parts += [
        f"{column.upper()} {getattr(word, column)}" for column in COLUMNS if column in difference.columns
    ]
    return ", ".join(parts)
