"""Rules about relations: subjects and objects, order, non-projective punctuation, fixed and `goeswith` groups."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gardenpath.evaluation.inventory import base
from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.treebank.rules import Finding
from gardenpath.treebank.syntax import SyntaxTree
from gardenpath.trees import listed

_AFTER_HEAD = frozenset({"conj", "fixed", "flat", "goeswith", "appos"})
_NOMINAL_TAGS = frozenset({"NOUN", "PROPN", "PRON"})
_NOMINAL_RELATIONS = frozenset({"nsubj", "obj", "iobj", "obl", "vocative", "dislocated", "expl", "nmod"})
_HEADS_OF_ORPHANS = frozenset({"conj", "parataxis", "root", "csubj", "ccomp", "advcl", "acl", "reparandum"})


def root_findings(sentence: Sentence) -> Iterator[Finding]:
    """Yield the words for which only one of HEAD 0 and DEPREL `root` holds. The sentence need not be a tree."""
    for word in sentence:
        is_root = base(word.deprel) == "root"
        if word.head is None or word.deprel == EMPTY or is_root == (word.head == 0):
            continue
        if is_root:
            problem = f"word {word.id} has DEPREL {word.deprel!r} but HEAD {word.head}; use `root` for HEAD 0 only"
            yield Finding("root-is-not-0", word, problem)
        else:
            problem = f"word {word.id} has HEAD 0 but DEPREL {word.deprel!r}; use `root` for HEAD 0"
            yield Finding("0-is-not-root", word, problem)


def relation_findings(tree: SyntaxTree) -> Iterator[Finding]:
    """Yield the problems of the relations of a tree."""
    for number in range(1, len(tree.words) + 1):
        label = tree.labels[number]
        if tree.children(number):
            yield from _arguments(tree, number)
            yield from _groups(tree, number)
        if label in _AFTER_HEAD and number < tree.heads[number - 1]:
            problem = f"{label} {number} is before its head {tree.heads[number - 1]}; the first word is the head"
            yield Finding(f"right-to-left-{label}", tree.word(number), problem)
        elif label == "obl":
            yield from _oblique(tree, number)
        elif label == "orphan" and tree.label_of_head(number) not in _HEADS_OF_ORPHANS:
            problem = f"the head of orphan {number} is {tree.label_of_head(number)}; use conj or the head of a clause"
            yield Finding("orphan-parent", tree.word(number), problem)
        elif label == "punct" and tree.nonprojective:
            yield from _punctuation(tree, number)


def _arguments(tree: SyntaxTree, number: int) -> Iterator[Finding]:
    subjects = [child for child in tree.children(number, "nsubj", "csubj") if not _is_outer(tree, child)]
    objects = tree.children(number, "obj")
    if len(subjects) > 1:
        problem = f"word {number} has {len(subjects)} subjects, {listed(subjects)}; keep one, or mark one as :outer"
        yield Finding("too-many-subjects", tree.word(number), problem)
    if len(objects) > 1:
        problem = f"word {number} has {len(objects)} objects, {listed(objects)}; keep one `obj`"
        yield Finding("too-many-objects", tree.word(number), problem)


def _is_outer(tree: SyntaxTree, number: int) -> bool:
    word = tree.word(number)
    return word.deprel.endswith("subj:outer") or items_of(word.misc).get("Subject") == "Outer"


def _oblique(tree: SyntaxTree, number: int) -> Iterator[Finding]:
    """Yield `obl` if its head is a nominal that is not the predicate of a clause."""
    head = tree.heads[number - 1]
    if (
        head and tree.word(head).upos in _NOMINAL_TAGS and tree.labels[head] in _NOMINAL_RELATIONS
        and head not in tree.predicates
    ):
        problem = f"obl {number} depends on {head}, a nominal that is not a predicate; use nmod"
        yield Finding("obl-should-be-nmod", tree.word(number), problem)


def _punctuation(tree: SyntaxTree, number: int) -> Iterator[Finding]:
    crossing = _crossing(tree, number)
    if crossing:
        problem = f"punct {number} makes the arcs of {listed(crossing)} non-projective; attach it elsewhere"
        yield Finding("punct-causes-nonproj", tree.word(number), problem)
    if number in tree.nonprojective:
        gap = _gap(tree, number)
        problem = f"the arc of punct {number} is non-projective because of {listed(gap)}; attach it elsewhere"
        yield Finding("punct-is-nonproj", tree.word(number), problem)


def _crossing(tree: SyntaxTree, number: int) -> list[int]:
    """Return the words whose arcs go over a word that their heads do not dominate.

    The arc must not go over the head of the word too: then the head is the cause.
    """
    head, place, arcs = tree.heads[number - 1], tree.dominance.order[number], tree.crossed
    over_word = (arcs.first < number) & (number < arcs.last)
    over_head = (arcs.first <= head) & (head <= arcs.last)
    dominated = (arcs.begin <= place) & (place < arcs.end)
    found: list[int] = arcs.words[over_word & ~over_head & ~dominated].tolist()
    return found


def _gap(tree: SyntaxTree, number: int) -> list[int]:
    """Return the words under the arc of a word that its head does not dominate."""
    head = tree.heads[number - 1]
    first = min(number, head) + 1
    outside = tree.dominance.outside(head, first, max(number, head))
    found: list[int] = (first + np.flatnonzero(outside)).tolist()
    return found


def _groups(tree: SyntaxTree, number: int) -> Iterator[Finding]:
    """Yield fixed expressions and `goeswith` groups with other words in between."""
    for label, others in (("fixed", {"punct"}), ("goeswith", set())):
        members = tree.children(number, label)
        if not members:
            continue
        between = set(range(number + 1, members[-1])) - set(members)
        gap = [word for word in sorted(between) if tree.labels[word] not in others]
        if gap:
            problem = f"the {label} group of word {number} has other words in between, {listed(gap)}; change its arcs"
            yield Finding(f"{label}-gap", tree.word(number), problem)
