"""Rules about tags: the UPOS of function words, and features that some words need."""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.evaluation.inventory import UPOS_TAGS
from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Word
from gardenpath.treebank.rules import Finding
from gardenpath.treebank.syntax import SyntaxTree, features

_NOT_CASE = frozenset({"PROPN", "ADJ", "PRON", "DET", "NUM", "AUX"})
_NOT_MARK = _NOT_CASE | {"NOUN", "INTJ"}
_USUAL = {
    "det": frozenset({"DET", "PRON"}),
    "nummod": frozenset({"NUM", "NOUN", "SYM"}),
    "advmod": frozenset({"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"}),
    "expl": frozenset({"PRON", "DET", "PART"}),
    "aux": frozenset({"AUX"}),
    "cop": frozenset({"AUX", "PRON", "DET", "SYM"}),
    "case": UPOS_TAGS - _NOT_CASE,
    "mark": UPOS_TAGS - _NOT_MARK,
    "cc": UPOS_TAGS - _NOT_MARK - {"VERB"},
    "punct": frozenset({"PUNCT"}),
}


def tag_findings(tree: SyntaxTree) -> Iterator[Finding]:
    """Yield the problems of tags and features of a tree."""
    for word in tree.words:
        known = features(word.feats)
        if word.upos in ("PRON", "DET") and "PronType" not in known:
            problem = f"the {word.upos} {word.form!r} has no PronType; add it to FEATS"
            yield Finding("pron-det-without-prontype", word, problem)
        if known.get("VerbForm") == "Fin" and "Mood" not in known:
            problem = f"the finite verb {word.form!r} has no Mood; add it to FEATS"
            yield Finding("verbform-fin-without-mood", word, problem)
        yield from _relation(tree, word)
        if tree.labels[word.id] == "goeswith":
            yield from _part(word)
        if tree.children(word.id, "goeswith"):
            yield from _broken_word(tree, word)


def _relation(tree: SyntaxTree, word: Word) -> Iterator[Finding]:
    """Compare the UPOS of a word, or its ExtPos, with its relation."""
    label = tree.labels[word.id]
    external = features(word.feats).get("ExtPos")
    upos = external or word.upos
    has_fixed = bool(tree.children(word.id, "fixed"))
    if has_fixed and not external:
        problem = f"the fixed expression of word {word.id} has no ExtPos; add it to FEATS of its first word"
        yield Finding("fixed-without-extpos", word, problem)
    if label in _USUAL and upos not in _USUAL[label] and not (label == "advmod" and tree.children(word.id, "goeswith")):
        problem = f"{label} {word.id} {word.form!r} is {upos}; correct UPOS or DEPREL"
        yield Finding(f"rel-upos-{label}", word, problem)
    if upos == "PUNCT" and label not in ("punct", "root"):
        problem = f"PUNCT {word.id} {word.form!r} has DEPREL {word.deprel!r}; use punct"
        yield Finding("upos-rel-punct", word, problem)
    if upos == "PROPN" and (label == "fixed" or has_fixed):
        yield Finding("rel-upos-fixed", word, f"the proper noun {word.form!r} is in a fixed expression; use flat")
    if word.deprel == "flat:foreign" and word.head:
        yield from _foreign(word)
        yield from _foreign(tree.word(word.head))


def _foreign(word: Word) -> Iterator[Finding]:
    if (word.upos, word.feats) != ("X", "Foreign=Yes"):
        problem = f"word {word.id} of flat:foreign is {word.upos} with FEATS {word.feats!r}; use X and Foreign=Yes"
        yield Finding("flat-foreign-upos-feats", word, problem)


def _broken_word(tree: SyntaxTree, word: Word) -> Iterator[Finding]:
    if features(word.feats).get("Typo") != "Yes":
        problem = f"the head {word.id} of goeswith has no Typo=Yes; add it to FEATS"
        yield Finding("goeswith-missing-typo", word, problem)
    parts = [word.id, *tree.children(word.id, "goeswith")]
    if any(items_of(tree.word(part).misc).get("SpaceAfter") == "No" for part in parts[:-1]):
        problem = f"the parts of the goeswith group of word {word.id} are not separated by spaces; make them one word"
        yield Finding("goeswith-nospace", word, problem)


def _part(word: Word) -> Iterator[Finding]:
    """Yield what belongs to the first part of a word that is written as several words."""
    for rule, column, value, expected in (
        ("goeswith-lemma", "LEMMA", word.lemma, EMPTY), ("goeswith-upos", "UPOS", word.upos, "X"),
        ("goeswith-feats", "FEATS", word.feats, EMPTY),
    ):
        if value != expected:
            yield Finding(rule, word, f"goeswith {word.id} has {column} {value!r}; write `{expected}`")
