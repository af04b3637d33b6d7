"""Rules about function words: most of them have no dependents, apart from a few kinds.

See https://universaldependencies.org/u/overview/syntax.html#function-word-modifiers.
"""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.treebank.rules import Finding
from gardenpath.treebank.syntax import SyntaxTree, features

_PARTS = frozenset({"goeswith", "fixed", "reparandum", "conj", "cc", "punct"})
_MODIFIED = _PARTS | {"advmod", "obl"}
_ALLOWED = {
    "mark": _MODIFIED,
    "case": _MODIFIED,
    "clf": _MODIFIED,
    "aux": _PARTS,
    "cop": _PARTS,
    "det": _MODIFIED | {"det", "case", "clf", "flat", "compound", "discourse", "parataxis"},
    "cc": _PARTS - {"cc"},
    "fixed": _PARTS - {"cc", "fixed"},
    "goeswith": frozenset[str](),
    "punct": frozenset({"punct"}),
}
_RULES = {"mark": "leaf-mark-case", "case": "leaf-mark-case", "aux": "leaf-aux-cop", "cop": "leaf-aux-cop"}
_OF_POSSESSIVES = frozenset({"appos", "acl", "nmod"})


def leaf_findings(tree: SyntaxTree) -> Iterator[Finding]:
    """Yield the dependents that a function word should not have."""
    for number, label in enumerate(tree.labels):
        if label not in _ALLOWED:
            continue
        for child in tree.children(number):
            if not _is_allowed(tree, number, child):
                rule = _RULES.get(label, f"leaf-{label}")
                problem = f"{tree.labels[child]} {child} depends on {label} {number}; attach it to a content word"
                yield Finding(rule, tree.word(child), problem)


def _is_allowed(tree: SyntaxTree, number: int, child: int) -> bool:
    label, below, word = tree.labels[number], tree.labels[child], tree.word(child)
    is_negation = below == "advmod" and word.upos in ("PART", "ADV") and features(word.feats).get("Polarity") == "Neg"
    is_possessive = label == "det" and features(tree.word(number).feats).get("Poss") == "Yes"
    return (
        below in _ALLOWED[label]
        or (is_negation and label != "punct")
        or (is_possessive and below in _OF_POSSESSIVES)
        or (below == "punct" and number in tree.nonprojective)
    )
