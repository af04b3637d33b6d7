"""Statements with displaced constituents. Their trees are non-projective."""

from __future__ import annotations

from random import Random

from clauses import Frame, clause, takers
from lexicon import AFTER_VERB, NOUNS
from nominals import common_noun, pick, prepositional, subject
from relatives import relative, stranding_relative
from words import Phrase, adverb, verb


def _arrival(rng: Random, who: Phrase) -> Phrase:
    lemma = pick(rng, "arrive disappear leave smile laugh" if who.kind == "person" else "appear disappear arrive")
    result = Phrase(verb(lemma, "VBD", who.number)).before(who, "nsubj")
    return result.after(adverb(pick(rng, AFTER_VERB)), "advmod") if rng.random() < 0.4 else result


def extraposed_relative(rng: Random) -> Phrase:
    """Example: A man arrived who knew the dog. The verb separates the relative clause from its noun."""
    who = common_noun(rng, pick(rng, NOUNS["person"]), "person")
    result, clause_behind = _arrival(rng, who), relative(rng, who)
    while clause_behind.nodes[0].upos != "PRON" or clause_behind.nodes[0].xpos == "PRP":
        clause_behind = relative(rng, who)
    result.nodes += clause_behind.nodes
    clause_behind.head.attach(who.head, "acl:relcl")
    return result


def extraposed_phrase(rng: Random) -> Phrase:
    """Example: A report appeared about the strike. The verb separates the phrase from its noun."""
    what = common_noun(rng, pick(rng, "report story letter rumour song book"), "text")
    result, phrase = _arrival(rng, what), prepositional(rng, "about", pick(rng, "idea person animal"))
    result.nodes += phrase.nodes
    phrase.head.attach(what.head, "nmod")
    return result


def stranded_in_relative(rng: Random) -> Phrase:
    """Example: She saw the house that he lived in. The verb separates the preposition from its pronoun."""
    kind = pick(rng, "person thing place")
    what = common_noun(rng, pick(rng, NOUNS[kind]), kind)
    what.after(stranding_relative(rng, what) or relative(rng, what), "acl:relcl")
    return clause(rng, subject(rng, 0), Frame(rng.choice(takers(kind)), [(what, "obj")]), adjuncts=False)
