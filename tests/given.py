"""Random given heads, and what a parse with them must fulfil."""

from __future__ import annotations

from brute import random_projective_tree, random_tree
from gardenpath import constraints
from gardenpath.constraints.conflicts import without_conflicts
from gardenpath.parsing.parser import Parser
from gardenpath.trees import is_tree


def give_heads(rng, parser: Parser, words, labels=()) -> list[int | None]:
    """Give some words the heads of a random tree that the system can build, and return the given heads.

    Some of them also get a label.
    """
    tree = (random_projective_tree if parser.system.is_projective else random_tree)(rng, len(words))
    share = rng.random()
    wanted = [head if rng.random() < share else None for head in tree]
    heads, _ = without_conflicts(wanted, constraints.of(parser.system), single_root=parser.single_root)
    for word, head in zip(words, heads, strict=True):
        word.head, word.deprel = head, "_"
        if head is not None and labels and rng.random() < 0.5:
            word.deprel = "root" if head == 0 else rng.choice(labels)
    return heads


def check_kept(parser: Parser, words, given) -> None:
    """Assert that words have a tree with the given heads and labels: pairs as they were before parsing."""
    assert is_tree([word.head for word in words], single_root=parser.single_root)
    for word, (head, label) in zip(words, given, strict=True):
        assert head in (None, word.head)
        assert head is None or label in ("_", word.deprel)
        assert word.deprel != "_"
        assert (word.deprel == "root") is (word.head == 0)
