"""The inventories of UD: relations, tags, universal features as in the CoNLL 2018 metrics, and attributes of MISC."""

from __future__ import annotations

from functools import lru_cache

CONTENT = frozenset({
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse", "dislocated",
    "expl", "fixed", "flat",
    "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl", "orphan", "parataxis", "reparandum", "root",
    "vocative", "xcomp",
})
FUNCTIONAL = frozenset({"aux", "case", "cc", "clf", "cop", "det", "mark"})
RELATIONS = CONTENT | FUNCTIONAL | {"punct"}
UPOS_TAGS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
})
UNIVERSAL_FEATURES = frozenset({
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "Number",
    "NumType", "Person", "Polarity",
    "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice",
})
MISC_ATTRIBUTES = ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")


def base(label: str) -> str:
    """Return the label without its subtype."""
    return label.partition(":")[0]


@lru_cache(maxsize=4096)
def universal(feats: str) -> str:
    """Return the universal features of a FEATS column, sorted."""
    features = [feature for feature in feats.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(features))
