"""The forms of English nouns and verbs."""

from __future__ import annotations

from lexicon import DOUBLING, IRREGULAR_PLURALS, IRREGULAR_VERBS


def plural(lemma: str) -> str:
    """Return the plural of a noun."""
    if lemma in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[lemma]
    return third(lemma) if not lemma.endswith("o") or lemma == "potato" else lemma + "s"


def third(lemma: str) -> str:
    """Return the third person singular of a verb."""
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.endswith(("s", "sh", "ch", "x", "o")) else "s")


def past(lemma: str) -> str:
    """Return the past tense of a verb."""
    return IRREGULAR_VERBS[lemma].split()[0] if lemma in IRREGULAR_VERBS else _regular_past(lemma)


def participle(lemma: str) -> str:
    """Return the past participle of a verb."""
    return IRREGULAR_VERBS[lemma].split()[1] if lemma in IRREGULAR_VERBS else _regular_past(lemma)


def gerund(lemma: str) -> str:
    """Return the -ing form of a verb."""
    if lemma.endswith("e") and not lemma.endswith("ee"):
        return lemma[:-1] + "ing"
    return lemma + (lemma[-1] if lemma in DOUBLING else "") + "ing"


def _regular_past(lemma: str) -> str:
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in DOUBLING else "") + ("d" if lemma.endswith("e") else "ed")
