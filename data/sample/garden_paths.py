"""Garden-path sentences."""

from __future__ import annotations

from random import Random

from clauses import Frame, clause
from lexicon import DRESSING, HAPPENING, MANNING, NOUNS, RACING, RICH
from nominals import common_noun, pick, subject
from words import Phrase, adjective, determiner, preposition, subordinator, verb


def manned_boat(rng: Random) -> Phrase:
    """Example: The old man the boat."""
    who = Phrase(adjective(pick(rng, RICH)), "Plur", kind="person").before(determiner("the"), "det")
    lemma, _, things = rng.choice(MANNING).partition(": ")
    return clause(rng, who, Frame(lemma, [(known_noun(rng, pick(rng, things)), "obj")]), tense="present")


def dressed_child(rng: Random) -> Phrase:
    """Example: While Anna dressed the child cried."""
    lemma, _, others = rng.choice(DRESSING).partition(": ")
    other = known_noun(rng, pick(rng, others))
    before = clause(rng, subject(rng, 0), Frame(lemma), tense="past", adjuncts=False)
    before.before(subordinator(pick(rng, "while when as after")), "mark")
    main = clause(rng, other, Frame(pick(rng, HAPPENING[other.kind])), tense="past")
    return main.before(before.comma() if rng.random() < 0.3 else before, "advcl")


def raced_horse(rng: Random) -> Phrase:
    """Example: The horse raced past the barn fell. The horse raced past the barn."""
    lemma, what, form, where = rng.choice(RACING).split()
    who = known_noun(rng, what)
    phrase = common_noun(rng, where, "place").before(preposition(form), "case")
    if rng.random() < 0.35:
        return Phrase(verb(lemma, "VBD", who.number)).before(who, "nsubj").after(phrase, "obl")
    who.after(Phrase(verb(lemma, "pass")).after(phrase, "obl"), "acl")
    return clause(rng, who, Frame(pick(rng, HAPPENING[who.kind])), tense="past")


def known_noun(rng: Random, lemma: str) -> Phrase:
    """Make a noun phrase from a noun of the lexicon, with its kind."""
    return common_noun(rng, lemma, next(kind for kind, lemmas in NOUNS.items() if lemma in lemmas.split()))
