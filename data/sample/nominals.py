"""Noun phrases and prepositional phrases."""

from __future__ import annotations

from random import Random

from lexicon import ADJECTIVES, FAMILY, MODIFYING_NOUNS, NAMES, NOUNS, NUMBERS, PLACE_PREPOSITIONS, TOWNS
from words import (
    Node,
    Phrase,
    adjective,
    conjunction,
    determiner,
    join,
    name,
    noun,
    numeral,
    possessive,
    preposition,
    pronoun,
)

OF = {"text": "person animal place", "idea": "person text", "place": "person", "thing": "person place"}


def pick(rng: Random, words: str) -> str:
    """Choose one of the words in a string."""
    return rng.choice(words.split())


def noun_phrase(rng: Random, kind: str, depth: int = 0) -> Phrase:
    """Make a noun phrase of a kind. With a positive `depth`, it can have modifiers after the noun."""
    if kind == "person" and rng.random() < 0.3:
        return person_name(rng)
    phrase = common_noun(rng, pick(rng, NOUNS[kind]), kind)
    if depth > 0:
        _modify(rng, phrase, kind, depth)
    if depth > 0 and rng.random() < 0.1:
        return coordinate(rng, phrase, noun_phrase(rng, kind, 0))
    return phrase


def common_noun(rng: Random, lemma: str, kind: str, number: str | None = None) -> Phrase:
    """Make a noun with a determiner and modifiers before it."""
    number = number or ("Plur" if rng.random() < 0.25 else "Sing")
    phrase = Phrase(noun(lemma, number), number, 3, kind)
    if kind in MODIFYING_NOUNS and rng.random() < 0.12:
        phrase.before(noun(pick(rng, MODIFYING_NOUNS[kind])), "compound")
    for _ in range(rng.choices((0, 1, 2), (0.62, 0.32, 0.06))[0]):
        word = pick(rng, ADJECTIVES[kind])
        if word not in {node.form for node in phrase.nodes}:
            phrase.before(adjective(word), "amod")
    if number == "Plur" and rng.random() < 0.15:
        phrase.before(numeral(pick(rng, NUMBERS)), "nummod")
    return _determine(rng, phrase, number)


def _determine(rng: Random, phrase: Phrase, number: str) -> Phrase:
    draw = rng.random()
    if draw < 0.1:
        return phrase.before(possessive(pick(rng, "I we he she they")), "nmod:poss")
    if draw < 0.15:
        owner = Phrase(name(pick(rng, NAMES)))
        owner.after(Node("'s", "'s", "PART", "POS"), "case")
        join(owner.nodes)
        return phrase.before(owner, "nmod:poss")
    if number == "Plur":
        form = rng.choices(["the", "", "some", "these", "those", "no"], (6, 3, 2, 1, 1, 0.3))[0]
        if form == "the" and rng.random() < 0.08:
            return phrase.before(determiner("the"), "det").before(determiner("all"), "det:predet")
    else:
        form = rng.choices(["the", "a", "this", "that", "every"], (6, 4, 0.8, 0.5, 0.5))[0]
    if form == "a" and phrase.nodes[0].form.startswith((*"aeiou", "honest")):
        form = "an"
    return phrase.before(determiner(form, number), "det") if form else phrase


def person_name(rng: Random) -> Phrase:
    """Make the name of a person, sometimes with a family name."""
    phrase = Phrase(name(pick(rng, NAMES)), kind="person")
    if rng.random() < 0.2:
        phrase.after(name(pick(rng, FAMILY)), "flat")
    return phrase


def _modify(rng: Random, phrase: Phrase, kind: str, depth: int) -> None:
    draw = rng.random()
    if kind in OF and draw < 0.15:
        phrase.after(prepositional(rng, "of", pick(rng, OF[kind]), depth - 1), "nmod")
    elif kind == "person" and draw < 0.1:
        phrase.after(prepositional(rng, "with", "mark"), "nmod")
    elif kind in {"person", "animal", "thing"} and draw < 0.2:
        phrase.after(place(rng) if rng.random() < 0.6 else from_town(rng), "nmod")
    elif draw < 0.32:
        from relatives import participial, relative

        if rng.random() < 0.75:
            phrase.after(relative(rng, phrase, depth - 1), "acl:relcl")
        else:
            phrase.after(participial(rng, phrase), "acl")


def coordinate(rng: Random, first: Phrase, second: Phrase) -> Phrase:
    """Join two phrases by a conjunction. The result is plural."""
    second.before(conjunction(rng.choices(["and", "or"], (5, 1))[0]), "cc")
    first.after(second, "conj")
    first.number, first.person = "Plur", 3
    return first


def prepositional(rng: Random, form: str, kind: str, depth: int = 0) -> Phrase:
    """Make a prepositional phrase."""
    return noun_phrase(rng, kind, depth).before(preposition(form), "case")


def place(rng: Random) -> Phrase:
    """Make a place: in the garden, near the old church."""
    return prepositional(rng, pick(rng, PLACE_PREPOSITIONS), "place")


def from_town(rng: Random) -> Phrase:
    """Make a phrase with a town: from Paris."""
    return Phrase(name(pick(rng, TOWNS))).before(preposition("from"), "case")


def subject(rng: Random, depth: int = 1, kind: str = "person") -> Phrase:
    """Make a subject: a pronoun, a name or a noun phrase."""
    if kind == "person" and rng.random() < 0.3:
        return pronoun(pick(rng, "I you we he she they"))
    return noun_phrase(rng, kind, depth)


def object_of(rng: Random, kind: str, depth: int = 1) -> Phrase:
    """Make an object: a noun phrase or, sometimes, a pronoun."""
    if rng.random() < 0.12:
        return pronoun(pick(rng, "I he she we they") if kind == "person" else pick(rng, "it they"), "Acc")
    return noun_phrase(rng, kind, depth)
