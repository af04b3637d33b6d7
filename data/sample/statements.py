"""Statements and commands."""

from __future__ import annotations

from random import Random

from clauses import TAKES, Frame, any_clause, clause, complete, frame, infinitive, intransitive, time, transitive
from lexicon import NAMES, NOUNS, SUBORDINATORS
from nominals import common_noun, coordinate, noun_phrase, person_name, pick, place, subject
from words import (
    Node,
    Phrase,
    adjective,
    adverb,
    be,
    conjunction,
    interjection,
    name,
    preposition,
    pronoun,
    punct,
    subordinator,
    verb,
)


def statement(rng: Random) -> Phrase:
    """Make a clause, sometimes with a time or a place in front."""
    result = any_clause(rng)
    if rng.random() < 0.1:
        front, relation = rng.choice([
            (time(rng), "obl"), (place(rng), "obl"), (Phrase(adverb(pick(rng, "yesterday suddenly today"))), "advmod"),
        ])
        result.before(front.comma(result.head), relation)
    return result


def nested(rng: Random) -> Phrase:
    """Make a clause with deep modifiers."""
    return clause(rng, subject(rng, 2), frame(rng, 2))


def shared_subject(rng: Random) -> Phrase:
    """Example: The dog slept and ate the soup."""
    first = clause(rng, subject(rng, 0), rng.choice([transitive, intransitive])(rng, 0), tense="past")
    second = _past_phrase(rng, rng.choice([transitive, intransitive])(rng, 1))
    return first.after(second.before(conjunction(pick(rng, "and and but")), "cc"), "conj")


def _past_phrase(rng: Random, taken: Frame) -> Phrase:
    result = Phrase(verb(taken.lemma, "VBD"))
    complete(rng, result, taken, adjuncts=True)
    return result


def two_clauses(rng: Random) -> Phrase:
    """Example: The dog slept, but the cat ran."""
    first, second = any_clause(rng, 0), any_clause(rng, 0)
    second.before(conjunction(pick(rng, "and but or")), "cc").before(punct(","), "punct")
    return first.after(second, "conj")


def subordinate(rng: Random) -> Phrase:
    """Example: When the dog slept, the cat ran. The cat ran when the dog slept."""
    main, other = any_clause(rng, 0), any_clause(rng, 0).before(subordinator(pick(rng, SUBORDINATORS)), "mark")
    return main.before(other.comma(), "advcl") if rng.random() < 0.5 else main.after(other, "advcl")


def purpose(rng: Random) -> Phrase:
    """Example: The dog left to find the cat."""
    result = clause(rng, subject(rng, 1), rng.choice([transitive, intransitive])(rng, 0), adjuncts=False)
    return result.after(infinitive(rng, 0), "advcl")


def three(rng: Random) -> Phrase:
    """Example: The dog, the cat and the fox slept."""
    kind = pick(rng, "person person animal")
    first, middle = noun_phrase(rng, kind), noun_phrase(rng, kind).before(punct(","), "punct")
    return clause(rng, coordinate(rng, first.after(middle, "conj"), noun_phrase(rng, kind)), frame(rng, 0))


def because_of(rng: Random) -> Phrase:
    """Example: The dog slept because of the accident."""
    because = Node("because", "because", "ADP", "IN", "ExtPos=ADP")
    cause = noun_phrase(rng, "idea").before(Phrase(because).after(preposition("of"), "fixed"), "case")
    return clause(rng, subject(rng), rng.choice([transitive, intransitive])(rng, 0), adjuncts=False).after(cause, "obl")


def existential(rng: Random) -> Phrase:
    """Example: There was a dog in the garden."""
    what = noun_phrase(rng, pick(rng, "animal thing text"), 1)
    while what.nodes[0].lemma not in {"a", "some", "no"}:
        what = noun_phrase(rng, pick(rng, "animal thing text"), 1)
    copula = verb("be", "VBD", what.number)
    copula.form = be("VBD", what.number).form
    there = Node("there", "there", "PRON", "EX", "PronType=Dem")
    return Phrase(copula).before(there, "expl").after(what, "nsubj").after(place(rng), "obl")


def expletive(rng: Random) -> Phrase:
    """Example: It is certain that the dog slept."""
    it = pronoun("it", "Nom")
    result = Phrase(adjective(pick(rng, "certain strange terrible good important")))
    result.before(be(pick(rng, "VBZ VBD")), "cop").before(it, "expl")
    return result.after(any_clause(rng, 0).before(subordinator("that"), "mark"), "csubj")


def imperative(rng: Random) -> Phrase:
    """Example: Give Mary the book, Tom."""
    taken = rng.choice([transitive, frame])(rng, 0)
    result = Phrase(verb(taken.lemma, "VB"))
    result.head.feats = "Mood=Imp|Person=2|VerbForm=Fin"
    if rng.random() < 0.3:
        result.before(interjection("please"), "discourse")
    complete(rng, result, taken, adjuncts=True)
    if rng.random() < 0.3:
        result.after(Phrase(name(pick(rng, NAMES))).before(punct(","), "punct"), "vocative")
    return result


def answer(rng: Random) -> Phrase:
    """Example: Yes, the dog slept."""
    return any_clause(rng, 0).before(Phrase(interjection(pick(rng, "yes no well oh"))).comma(), "discourse")


def speech(rng: Random) -> Phrase:
    """Example: The dog slept, she said."""
    said = clause(rng, subject(rng, 0), Frame(pick(rng, "say think believe claim")), tense="past", adjuncts=False)
    return any_clause(rng, 1).after(said.before(punct(","), "punct"), "parataxis")


def apposition(rng: Random) -> Phrase:
    """Example: Mary, the teacher, slept."""
    who = person_name(rng)
    what = common_noun(rng, pick(rng, NOUNS["person"]), "person", "Sing").before(punct(","), "punct").comma()
    return clause(rng, who.after(what, "appos"), frame(rng, 0))


def gapping(rng: Random) -> Phrase:
    """Example: Mary bought a book and John a lamp. An empty node represents the second verb."""
    lemma = rng.choice(list(TAKES))
    kind = rng.choice(TAKES[lemma])
    one, two, thing, other = person_name(rng), person_name(rng), noun_phrase(rng, kind), noun_phrase(rng, kind)
    result = Phrase(verb(lemma, "VBD")).before(one, "nsubj").after(thing, "obj")
    conj = conjunction("and")
    two.before(conj, "cc")
    two.after(other, "orphan")
    gap = verb(lemma, "VBD").attach(result.head, "conj:and")
    two.nodes[two.nodes.index(other.nodes[0]) - 1].empty = gap
    result.after(two, "conj")
    two.head.enhanced, other.head.enhanced, conj.enhanced = (gap, "nsubj"), (gap, "obj"), (gap, "cc")
    return result
