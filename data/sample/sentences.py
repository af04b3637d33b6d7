"""Complete sentences: the kinds and their shares."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import displaced
import garden_paths
import questions
import statements
from words import Phrase, punct

Maker = Callable[[Random], Phrase]
KINDS: dict[Maker, float] = {
    statements.statement: 30, statements.nested: 8, statements.shared_subject: 6, statements.two_clauses: 6,
    statements.subordinate: 7, statements.purpose: 3, statements.three: 3, statements.because_of: 2,
    statements.existential: 3, statements.expletive: 2, statements.imperative: 3, statements.answer: 2,
    statements.speech: 2.5, statements.apposition: 2.5, questions.polar_question: 4, questions.object_question: 2.5,
    questions.subject_question: 1.5, questions.adverb_question: 1.5, questions.stranding_question: 2.2,
    questions.far_question: 1.2, displaced.extraposed_relative: 2.4, displaced.extraposed_phrase: 1,
    displaced.stranded_in_relative: 1.6, garden_paths.manned_boat: 2, garden_paths.dressed_child: 2,
    garden_paths.raced_horse: 2, statements.gapping: 2.5,
}


def shuffled_kinds(rng: Random, size: int) -> list[Maker]:
    """Return as many of each kind as its share requires, in random order. Statements fill the rest."""
    scale = size / sum(KINDS.values())
    others = {maker: share for maker, share in KINDS.items() if maker is not statements.statement}
    kinds = [maker for maker, share in others.items() for _ in range(round(share * scale))]
    kinds += [statements.statement] * (size - len(kinds))
    rng.shuffle(kinds)
    return kinds


def sentence(rng: Random, maker: Maker) -> tuple[str, Phrase]:
    """Return the name of a kind and a sentence of this kind with final punctuation."""
    result = maker(rng)
    asks = maker.__name__.endswith("question")
    mark = punct("?" if asks else "!" if maker is statements.imperative and rng.random() < 0.3 else ".")
    return maker.__name__.replace("_", "-"), result.after(mark, "punct")
