"""The rules of `check`: names, groups and meanings.

A rule has the name of the test of the official UD validator (`udtools`) that finds the same, if there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from gardenpath.errors import UsageError
from gardenpath.formats.document import EmptyNode, Token, Word

ERROR, WARNING = "error", "warning"

Node = Word | Token | EmptyNode


class Finding(NamedTuple):
    """A violation of a rule, at a line of the sentence or, without a node, at its first line."""

    rule: str
    node: Node | None
    problem: str                # with a remedy


class Rule(NamedTuple):
    """A rule: its group, its level (`error` or `warning`) and what it finds."""

    name: str
    group: str
    level: str
    meaning: str


_TABLE = {
    ("training", ERROR): {
        "unreadable": "a sentence that is not CoNLL-U",
        "no-sentences": "a file without sentences",
        "tree": "heads that are not a tree with one root",
        "missing-deprel": "a word with a head and without DEPREL",
        "non-unique-sent-id": "a sent_id that an earlier sentence has",
    },
    ("training", WARNING): {
        "no-tags": "a file in which no word has UPOS, XPOS or FEATS",
        "large-inventory": "a column with very many different values",
    },
    ("metadata", WARNING): {
        "missing-sent-id": "a sentence without sent_id",
        "multiple-sent-id": "a sentence with several sent_ids",
        "invalid-sent-id": "a sent_id that is empty or has spaces",
        "slash-in-sent-id": "a sent_id with several slashes",
        "missing-text": "a sentence without `# text`",
        "multiple-text": "a sentence with several `# text`",
        "empty-text": "an empty `# text`",
        "text-trailing-whitespace": "a `# text` that ends with a space",
        "text-form-mismatch": "a token that is not in `# text` at its place",
        "text-extra-chars": "characters in `# text` after the last token",
        "missing-spaceafter": "no space after a token in `# text`, but no `SpaceAfter=No` either",
        "spaceafter-value": "a value of `SpaceAfter` other than `No`",
        "nospaceafter-yes": "`NoSpaceAfter=Yes` instead of `SpaceAfter=No`",
        "spaceafter-mwt-node": "`SpaceAfter=No` at a word of a multi-word token",
        "spaceafter-empty-node": "`SpaceAfter=No` at an empty node",
        "spaceafter-newdocpar": "`SpaceAfter=No` before a new document or paragraph",
        "invalid-utf": "a line with U+FFFD, the sign for characters that were lost in a conversion",
        "multiple-newdoc": "a sentence with several `# newdoc`",
        "multiple-newpar": "a sentence with several `# newpar`",
    },
    ("columns", WARNING): {
        "unknown-upos": "a UPOS that is not one of the 17 tags of UD",
        "invalid-feature": "an item of FEATS that is not of the form `Name=Value`",
        "repeated-feature": "a feature that occurs twice",
        "repeated-feature-value": "a value of a feature that occurs twice",
        "unsorted-features": "features that are not in alphabetical order",
        "unsorted-feature-values": "values of a feature that are not in alphabetical order",
        "invalid-deprel": "a DEPREL that is not of the form `relation` or `relation:subtype` in lower case",
        "unknown-udeprel": "a DEPREL whose relation is not one of the 37 of UD",
        "mwt-nonempty-field": "a multi-word token with more than FORM and MISC",
        "empty-node-nonempty-field": "an empty node with HEAD or DEPREL",
        "invalid-deps": "a DEPS that is not of the form `head:relation|...`",
        "unknown-ehead": "a head in DEPS that does not exist",
        "unsorted-deps": "heads in DEPS that are not in order",
        "unsorted-deps-2": "relations to one head in DEPS that are not in order",
        "repeated-deps": "a relation in DEPS that occurs twice",
        "deps-self-loop": "a word that is its own head in DEPS",
        "unknown-eudeprel": "a relation in DEPS that UD does not have",
        "empty-misc": "an empty item of MISC",
        "empty-misc-key": "an item of MISC without a name",
        "misc-extra-space": "an item of MISC with a space at the edge of its name or value",
        "misc-attr-typo": "an attribute of UD in MISC that is misspelt",
        "repeated-misc": "an attribute of UD in MISC that occurs twice",
    },
    ("relations", WARNING): {
        "0-is-not-root": "HEAD 0 with a DEPREL other than `root`",
        "root-is-not-0": "DEPREL `root` with a HEAD other than 0",
        "too-many-subjects": "a predicate with two subjects that are not `:outer`",
        "too-many-objects": "a predicate with two `obj`",
        "obl-should-be-nmod": "`obl` of a nominal that is not a predicate",
        "orphan-parent": "`orphan` of a word that is not the head of a clause or conjunct",
        "right-to-left-conj": "`conj` before its head",
        "right-to-left-fixed": "`fixed` before its head",
        "right-to-left-flat": "`flat` before its head",
        "right-to-left-goeswith": "`goeswith` before its head",
        "right-to-left-appos": "`appos` before its head",
        "punct-is-nonproj": "punctuation with a non-projective arc",
        "punct-causes-nonproj": "punctuation that makes other arcs non-projective",
        "fixed-gap": "a fixed expression with other words in between",
        "goeswith-gap": "a `goeswith` group with other words in between",
    },
    ("leaves", WARNING): {
        "leaf-mark-case": "`mark` or `case` with a dependent that it should not have",
        "leaf-aux-cop": "`aux` or `cop` with a dependent that it should not have",
        "leaf-det": "`det` with a dependent that it should not have",
        "leaf-clf": "`clf` with a dependent that it should not have",
        "leaf-cc": "`cc` with a dependent that it should not have",
        "leaf-fixed": "`fixed` with a dependent that it should not have",
        "leaf-goeswith": "`goeswith` with a dependent",
        "leaf-punct": "`punct` with a dependent other than `punct`",
    },
    ("tags", WARNING): {
        "rel-upos-advmod": "`advmod` with an unusual UPOS",
        "rel-upos-aux": "`aux` with another UPOS than AUX",
        "rel-upos-case": "`case` with an unusual UPOS",
        "rel-upos-cc": "`cc` with an unusual UPOS",
        "rel-upos-cop": "`cop` with an unusual UPOS",
        "rel-upos-det": "`det` with an unusual UPOS",
        "rel-upos-expl": "`expl` with an unusual UPOS",
        "rel-upos-fixed": "a proper noun in a fixed expression",
        "rel-upos-mark": "`mark` with an unusual UPOS",
        "rel-upos-nummod": "`nummod` with an unusual UPOS",
        "rel-upos-punct": "`punct` with another UPOS than PUNCT",
        "upos-rel-punct": "PUNCT with another relation than `punct`",
        "flat-foreign-upos-feats": "`flat:foreign` between words that are not X with `Foreign=Yes` alone",
        "fixed-without-extpos": "a fixed expression without `ExtPos`",
        "pron-det-without-prontype": "PRON or DET without `PronType`",
        "verbform-fin-without-mood": "`VerbForm=Fin` without `Mood`",
        "goeswith-missing-typo": "the head of `goeswith` without `Typo=Yes`",
        "goeswith-nospace": "a `goeswith` group with `SpaceAfter=No`",
        "goeswith-lemma": "`goeswith` with a lemma",
        "goeswith-upos": "`goeswith` with another UPOS than X",
        "goeswith-feats": "`goeswith` with features",
    },
}
RULES = {
    name: Rule(name, group, level, meaning)
    for (group, level), meanings in _TABLE.items() for name, meaning in meanings.items()
}
GROUPS = tuple(dict.fromkeys(rule.group for rule in RULES.values()))
# These rules do not apply to treebanks without features.
FEATURE_RULES = frozenset({"pron-det-without-prontype", "goeswith-missing-typo"})


def disabled(names: Iterable[str]) -> Collection[str]:
    """Return the names of rules for a list of names of rules and groups."""
    found: set[str] = set()
    for name in names:
        chosen = [rule.name for rule in RULES.values() if name in (rule.name, rule.group)]
        if not chosen:
            raise UsageError(
                f"there is no rule or group of rules {name!r}; `gardenpath check --rules` lists them"
            )
        found.update(chosen)
    return found
