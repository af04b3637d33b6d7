"""Relative clauses, full and reduced."""

from __future__ import annotations

from random import Random

from clauses import Frame, animal_frame, clause, complete, copular, intransitive, prepositional_verb, takers, transitive
from lexicon import PREPOSITIONAL
from nominals import pick, prepositional, subject
from words import Node, Phrase, preposition, verb, wh


def relative(rng: Random, antecedent: Phrase, depth: int = 0) -> Phrase:
    """Make a relative clause: who saw it, which she bought, she waited for."""
    options = [_subject_relative, _object_relative, _object_relative]
    return rng.choice(options)(rng, antecedent, depth)


def _relative_pronoun(rng: Random, kind: str) -> Node:
    return wh(pick(rng, "who who that" if kind == "person" else "which that"), "Rel")


def _subject_relative(rng: Random, antecedent: Phrase, depth: int) -> Phrase:
    who = Phrase(_relative_pronoun(rng, antecedent.kind), antecedent.number)
    if antecedent.kind == "animal":
        return clause(rng, who, animal_frame(rng, 0))
    if antecedent.kind == "person":
        return clause(rng, who, rng.choice([transitive, intransitive, prepositional_verb])(rng, 0))
    verbs = takers(antecedent.kind)
    if not verbs:
        return copular(rng, who, 0)
    return clause(rng, who, Frame(rng.choice(verbs), passive=True, agent=prepositional(rng, "by", "person")))


def _object_relative(rng: Random, antecedent: Phrase, depth: int) -> Phrase:
    verbs = takers(antecedent.kind)
    if not verbs:
        return _subject_relative(rng, antecedent, depth)
    result = clause(rng, subject(rng, 0), Frame(rng.choice(verbs)), adjuncts=rng.random() < 0.3)
    return result.before(_relative_pronoun(rng, antecedent.kind), "obj") if rng.random() < 0.55 else result


def stranding_relative(rng: Random, antecedent: Phrase) -> Phrase | None:
    """Make a relative clause with a stranded preposition: that she lived in. It is non-projective."""
    entries = [entry.split() for entry in PREPOSITIONAL if entry.split()[2] == antecedent.kind]
    if not entries:
        return None
    lemma, form, kind = rng.choice(entries)
    pronoun_node = wh("that" if kind != "person" else pick(rng, "who that"), "Rel")
    stranded = preposition(form).attach(pronoun_node, "case")
    return clause(rng, subject(rng, 0), Frame(lemma, stranded=stranded)).before(pronoun_node, "obl")


def participial(rng: Random, antecedent: Phrase) -> Phrase:
    """Make a reduced relative clause: sold by the baker, waiting for the doctor."""
    verbs = takers(antecedent.kind)
    if not verbs or (antecedent.kind in {"person", "animal"} and rng.random() < 0.5):
        make = animal_frame if antecedent.kind == "animal" else rng.choice([transitive, prepositional_verb])
        taken = make(rng, 0)
        result = Phrase(verb(taken.lemma, "VBG"))
    else:
        taken = Frame(rng.choice(verbs), agent=prepositional(rng, "by", "person"))
        result = Phrase(verb(taken.lemma, "pass"))
    complete(rng, result, taken, adjuncts=False)
    return result
