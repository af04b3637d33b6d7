"""The lemma rules of a treebank, by pair of form and tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gardenpath.formats.document import EMPTY, Word
from gardenpath.tagging.edits import rule_of

Tag = tuple[str, str, str]
Rule = tuple[int, int, str, int, str]


def has_lemma(word: Word) -> bool:
    """Return whether a word has a lemma. The lemma `_` means that there is none, unless the form is `_` as well."""
    return word.lemma != EMPTY or word.form == EMPTY


def rules_of_pairs(sentences: Iterable[Iterable[Word]]) -> dict[tuple[str, Tag], Counter[Rule]]:
    """Return the frequencies of lemma rules by pair of form and tag; nothing if no form but `_` has a lemma."""
    rules: dict[tuple[str, str], Rule] = {}
    found: dict[tuple[str, Tag], Counter[Rule]] = {}
    for sentence in sentences:
        for word in sentence:
            if has_lemma(word):
                pair = (word.form, word.lemma)
                if pair not in rules:
                    rules[pair] = rule_of(*pair)
                counts = found.setdefault((word.form, (word.upos, word.xpos, word.raw_feats)), Counter())
                counts[rules[pair]] += 1
    return {} if all(form == EMPTY for form, _ in found) else found


def most_frequent(counts: Counter[Rule]) -> Rule:
    """Return the most frequent rule. Ties go to the first rule in order."""
    return min(counts, key=lambda rule: (-counts[rule], rule))
