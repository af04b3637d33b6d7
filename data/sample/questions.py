"""Questions. Those with a displaced question word are non-projective."""

from __future__ import annotations

from random import Random

from clauses import Frame, any_clause, clause, frame, intransitive, takers, transitive
from lexicon import DITRANSITIVE, PREPOSITIONAL
from nominals import noun_phrase, pick, subject
from words import Phrase, preposition, subordinator, wh, wh_adverb


def polar_question(rng: Random) -> Phrase:
    """Example: Did the dog sleep?"""
    return any_clause(rng, 1, inverted=True)


def object_question(rng: Random) -> Phrase:
    """Example: What did the dog eat?"""
    form = pick(rng, "what who")
    lemma = rng.choice(takers("person") if form == "who" else takers("thing", "text", "food"))
    return clause(rng, subject(rng, 0), Frame(lemma), inverted=True).before(wh(form, "Int"), "obj")


def subject_question(rng: Random) -> Phrase:
    """Example: Who saw the dog?"""
    return clause(rng, Phrase(wh("who", "Int")), frame(rng, 1))


def adverb_question(rng: Random) -> Phrase:
    """Example: Why did the dog sleep?"""
    why = wh_adverb(pick(rng, "why when where how"))
    result = clause(
        rng, subject(rng, 1), rng.choice([transitive, intransitive])(rng, 0), inverted=True, adjuncts=False
    )
    return result.before(why, "advmod")


def stranding_question(rng: Random) -> Phrase:
    """Example: Who did you send the letter to? The preposition depends on the first word."""
    if rng.random() < 0.5:
        lemma = rng.choice(list(DITRANSITIVE))
        thing = noun_phrase(rng, "food" if lemma == "bake" else "text", 0)
        taken, form, who = Frame(lemma, [(thing, "obj")]), DITRANSITIVE[lemma], wh("who", "Int")
    else:
        lemma, form, kind = rng.choice(PREPOSITIONAL).split()
        taken, who = Frame(lemma), wh("who" if kind == "person" else "what", "Int")
    taken.stranded = preposition(form).attach(who, "case")
    return clause(rng, subject(rng, 0), taken, inverted=True).before(who, "obl")


def far_question(rng: Random) -> Phrase:
    """Example: What did you say that the dog ate? The first word depends on the second verb."""
    inner = clause(rng, subject(rng, 0), Frame(rng.choice(takers("thing", "text", "food"))), adjuncts=False)
    if rng.random() < 0.5:
        inner.before(subordinator("that"), "mark")
    result = clause(
        rng, subject(rng, 0), Frame(pick(rng, "say think believe know hope claim"), [(inner, "ccomp")]), inverted=True
    )
    result.nodes.insert(0, wh("what", "Int").attach(inner.head, "obj"))
    return result
