"""Variation n-grams: the same words in the same context, annotated in different ways.

After Dickinson and Meurers (TLT 2003), and Boyd, Dickinson and Meurers (Research on Language and Computation 6, 2008)
for dependencies. A nucleus is a pair of words. Its context is all words between the two and one word on each side, or
the edge of the sentence. The annotation of a pair is the direction and label of its arc, or none (NIL). If the pairs of
one context have different annotations, those that are not more frequent than another one are suspects.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gardenpath.formats.document import Sentence

MAX_SPAN = 8              # the largest distance between the words of a pair
EDGE = ""

Context = tuple[str, ...]
Annotation = tuple[bool, str] | None          # whether the left word is the head, and the label; or no arc


class Occurrence(NamedTuple):
    """A pair of words in a sentence, given by its number, and its annotation."""

    sentence: int
    left: int
    right: int
    annotation: Annotation


class Variation(NamedTuple):
    """An occurrence whose context has another annotation elsewhere, at least as often.

    `word` is the word whose arc is in doubt, `head` and `label` are its arc in the other occurrences (None if those
    have no arc). `same` and `others` are the numbers of occurrences with this and with the other annotation, and
    `example` is one of the latter.
    """

    sentence: int
    word: int
    head: int | None
    label: str | None
    same: int
    others: int
    example: Occurrence


def find_variations(sentences: Sequence[Sentence]) -> list[Variation]:
    """Return the variations of a treebank in the order of the text."""
    found = []
    for occurrences in _by_context(sentences).values():
        counts = Counter(each.annotation for each in occurrences)
        for each in occurrences if len(counts) > 1 else ():
            usual = next(annotation for annotation, _ in counts.most_common(2) if annotation != each.annotation)
            if counts[usual] >= counts[each.annotation]:
                example = next(other for other in occurrences if other.annotation == usual)
                found.append(_variation(each, counts[each.annotation], counts[usual], example))
    return sorted(found, key=lambda variation: variation[:2])


def _variation(each: Occurrence, same: int, others: int, example: Occurrence) -> Variation:
    left_is_head, label = example.annotation or each.annotation or (True, "")
    head, word = (each.left, each.right) if left_is_head else (each.right, each.left)
    if example.annotation is None:
        return Variation(each.sentence, word, None, None, same, others, example)
    return Variation(each.sentence, word, head, label, same, others, example)


def _by_context(sentences: Sequence[Sentence]) -> dict[Context, list[Occurrence]]:
    """Return the occurrences of all contexts in which at least one pair has an arc."""
    forms = [[EDGE, *(word.form.lower() for word in sentence), EDGE] for sentence in sentences]
    known = {
        _context(forms[number], left, right) for number, sentence in enumerate(sentences)
        for left, right, _ in _arcs(sentence)
    }
    found: dict[Context, list[Occurrence]] = defaultdict(list)
    for number, sentence in enumerate(sentences):
        arcs = {(left, right): annotation for left, right, annotation in _arcs(sentence)}
        for left in range(1, len(sentence)):
            for right in range(left + 1, min(left + MAX_SPAN, len(sentence)) + 1):
                context = _context(forms[number], left, right)
                if context in known:
                    found[context].append(Occurrence(number, left, right, arcs.get((left, right))))
    return found


def _arcs(sentence: Sentence) -> Iterator[tuple[int, int, Annotation]]:
    for word in sentence:
        if word.head and abs(word.head - word.id) <= MAX_SPAN:
            yield min(word.id, word.head), max(word.id, word.head), (word.head < word.id, word.deprel)


def _context(forms: list[str], left: int, right: int) -> Context:
    return tuple(forms[left - 1:right + 2])
