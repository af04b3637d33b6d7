"""Verb frames and clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import lexicon
from lexicon import DITRANSITIVE, PARTICLE, PREPOSITIONAL
from nominals import common_noun, from_town, noun_phrase, object_of, pick, place, prepositional, subject
from verbs import conjugate, contract, negation
from words import Node, Phrase, adjective, adverb, be, determiner, name, noun, particle, preposition, subordinator, verb

TAKES = {entry.partition(":")[0]: entry.partition(":")[2].split() for entry in lexicon.TRANSITIVE}
TO_NOUN = {"tool": 0.08, "mark": 0.95, "place": 0.35, "town": 0.85}


@dataclass
class Frame:
    """A verb and its arguments with their relations. `stranded` is a preposition whose noun is elsewhere."""

    lemma: str
    parts: list[tuple[Phrase | Node, str]] = field(default_factory=list)
    passive: bool = False
    stranded: Node | None = None
    agent: Phrase | None = None


def clause(
    rng: Random, subj: Phrase, frame: Frame, *, inverted: bool = False, tense: str | None = None, adjuncts: bool = True
) -> Phrase:
    """Make a finite clause."""
    auxiliaries, main = conjugate(rng, frame.lemma, subj, passive=frame.passive, inverted=inverted, tense=tense)
    relation = "nsubj:pass" if frame.passive else "nsubj"
    result = Phrase(main)
    for node in reversed(auxiliaries[1:] if inverted else auxiliaries):
        result.before(node, node.deprel)
    contract(rng, subj, auxiliaries, inverted)
    if rng.random() < 0.1 and not frame.passive:
        _before_main(result, adverb(pick(rng, lexicon.BEFORE_VERB)))
    result.before(subj, relation)
    if inverted:
        _invert(result, auxiliaries)
    complete(rng, result, frame, adjuncts)
    return result


def _invert(result: Phrase, auxiliaries: list[Node]) -> None:
    """Put the first auxiliary, and a negation that is joined to it, before the subject."""
    result.before(auxiliaries[0], auxiliaries[0].deprel)
    if auxiliaries[0].joined:
        result.nodes.remove(auxiliaries[1])
        result.nodes.insert(1, auxiliaries[1])


def _before_main(result: Phrase, node: Node) -> None:
    result.nodes.insert(result.nodes.index(result.head), node.attach(result.head, "advmod"))


def complete(rng: Random, result: Phrase, frame: Frame, adjuncts: bool) -> None:
    """Add the arguments of the verb and adjuncts. A phrase after the object depends on the verb or on the object."""
    for part, relation in frame.parts:
        result.after(part, relation)
    if frame.stranded:
        result.nodes.append(frame.stranded)
    if frame.agent:
        result.after(frame.agent, "obl:agent")
    heavy = any(relation in {"ccomp", "xcomp"} for _, relation in frame.parts)
    if adjuncts and not heavy and not frame.stranded:
        _adjuncts(rng, result, frame)


def _adjuncts(rng: Random, result: Phrase, frame: Frame) -> None:
    last = frame.parts[-1] if frame.parts and not frame.agent else (None, "")
    thing = last[0] if last[1] == "obj" and isinstance(last[0], Phrase) and last[0].head.upos == "NOUN" else None
    draw = rng.random()
    if draw < 0.22:
        _ambiguous(rng, result, thing)
    elif draw < 0.32:
        result.after(adverb(pick(rng, lexicon.AFTER_VERB)), "advmod")
    elif draw < 0.4:
        result.after(time(rng), "obl")
    elif draw < 0.43:
        result.after(Phrase(noun("day")).before(determiner("every"), "det"), "obl:tmod")


def _ambiguous(rng: Random, result: Phrase, thing: Phrase | None) -> None:
    """Add a prepositional phrase to the verb or to the object. The kind of its noun makes one of them more likely."""
    if thing is None:
        result.after(place(rng), "obl")
        return
    kind = pick(rng, "tool mark place town")
    phrase = from_town(rng) if kind == "town" else place(rng) if kind == "place" else prepositional(rng, "with", kind)
    result.nodes += phrase.nodes
    if rng.random() < TO_NOUN[kind]:
        phrase.head.attach(thing.head, "nmod")
    else:
        phrase.head.attach(result.head, "obl")


def time(rng: Random) -> Phrase:
    """Make a time: on Monday, in winter."""
    if rng.random() < 0.5:
        return Phrase(name(pick(rng, lexicon.DAYS))).before(preposition("on"), "case")
    month = pick(rng, lexicon.MONTHS)
    return Phrase(name(month) if month[0].isupper() else noun(month)).before(preposition("in"), "case")


def takers(*kinds: str) -> list[str]:
    """Return the verbs that take one of these kinds as their object."""
    return [lemma for lemma, taken in TAKES.items() if set(taken) & set(kinds)]


def frame(rng: Random, depth: int = 1) -> Frame:
    """Make a verb with its arguments."""
    makers = [transitive, intransitive, ditransitive, prepositional_verb, particle_verb, saying, wanting, making]
    weights = (40, 12, 9, 9, 6, 9 * (depth > 0), 9 * (depth > 0), 6 * (depth > 0))
    return rng.choices(makers, weights)[0](rng, depth)


def transitive(rng: Random, depth: int = 1) -> Frame:
    """Example: see the dog."""
    lemma = rng.choice(list(TAKES))
    return Frame(lemma, [(object_of(rng, rng.choice(TAKES[lemma]), depth), "obj")])


def intransitive(rng: Random, depth: int = 1) -> Frame:
    """Example: sleep."""
    return Frame(pick(rng, lexicon.INTRANSITIVE))


def animal_frame(rng: Random, depth: int = 1) -> Frame:
    """Make a frame for animals: chase the mouse, sleep."""
    lemma = pick(rng, lexicon.ANIMAL_VERBS)
    return Frame(lemma, [(object_of(rng, rng.choice(TAKES[lemma]), depth), "obj")] if lemma in TAKES else [])


def ditransitive(rng: Random, depth: int = 1) -> Frame:
    """Example: give Mary a book, give a book to Mary."""
    lemma = rng.choice(list(DITRANSITIVE))
    thing = noun_phrase(rng, pick(rng, "food" if lemma == "bake" else "text thing food"), depth)
    if rng.random() < 0.5:
        return Frame(lemma, [(object_of(rng, "person", 0), "iobj"), (thing, "obj")])
    return Frame(lemma, [(thing, "obj"), (prepositional(rng, DITRANSITIVE[lemma], "person"), "obl")])


def prepositional_verb(rng: Random, depth: int = 1) -> Frame:
    """Example: wait for the doctor."""
    lemma, form, kind = rng.choice(PREPOSITIONAL).split()
    return Frame(lemma, [(prepositional(rng, form, kind, depth), "obl")])


def particle_verb(rng: Random, depth: int = 1) -> Frame:
    """Example: pick up the box, pick the box up."""
    lemma, form, kind = rng.choice(PARTICLE).split()
    parts: list[tuple[Phrase | Node, str]] = [
        (Node(form, form, "ADP", "RP"), "compound:prt"), (noun_phrase(rng, kind, 0), "obj"),
    ]
    return Frame(lemma, parts if rng.random() < 0.6 else parts[::-1])


def saying(rng: Random, depth: int = 1) -> Frame:
    """Example: say that the dog slept."""
    said = any_clause(rng, depth - 1)
    if rng.random() < 0.6:
        said.before(subordinator("that"), "mark")
    return Frame(pick(rng, lexicon.SAYING), [(said, "ccomp")])


def wanting(rng: Random, depth: int = 1) -> Frame:
    """Example: want to see the dog."""
    return Frame(pick(rng, lexicon.WANTING), [(infinitive(rng, depth - 1), "xcomp")])


def making(rng: Random, depth: int = 1) -> Frame:
    """Example: see the dog sleep, ask the doctor to leave."""
    bare = rng.random() < 0.5
    who = object_of(rng, "person", 0)
    return Frame(
        pick(rng, lexicon.MAKING if bare else lexicon.ASKING),
        [(who, "obj"), (infinitive(rng, depth - 1, bare), "xcomp")],
    )


def infinitive(rng: Random, depth: int, bare: bool = False) -> Phrase:
    """Example: to see the dog."""
    taken = frame(rng, max(depth, 0))
    result = Phrase(verb(taken.lemma, "VB"))
    if not bare:
        result.before(particle("to"), "mark")
    complete(rng, result, taken, adjuncts=True)
    return result


def any_clause(rng: Random, depth: int = 1, *, inverted: bool = False) -> Phrase:
    """Make an active, passive or copular clause."""
    draw = rng.random()
    if draw < 0.14 and not inverted:
        return copular(rng, subject(rng, depth), depth)
    if draw < 0.26:
        undergone, what = passive(rng)
        return clause(rng, noun_phrase(rng, what, depth), undergone, inverted=inverted)
    kind = "animal" if rng.random() < 0.12 else "person"
    taken = animal_frame(rng, depth) if kind == "animal" else frame(rng, depth)
    return clause(rng, subject(rng, depth, kind), taken, inverted=inverted)


def passive(rng: Random) -> tuple[Frame, str]:
    """Make a passive frame (be seen, be seen by the dog), and return the kind of its subject as well."""
    lemma = rng.choice(list(TAKES))
    agent = prepositional(rng, "by", pick(rng, "person person animal")) if rng.random() < 0.5 else None
    return Frame(lemma, passive=True, agent=agent), rng.choice(TAKES[lemma])


def copular(rng: Random, subj: Phrase, depth: int) -> Phrase:
    """Example: be tired, be a teacher, be in the garden."""
    draw = rng.random()
    if draw < 0.5:
        result = Phrase(adjective(pick(rng, lexicon.STATES)))
        if rng.random() < 0.3:
            result.before(adverb(pick(rng, "very too so")), "advmod")
    elif draw < 0.75:
        result = place(rng)
    else:
        number = "Sing" if subj.person == 2 else subj.number
        result = common_noun(rng, pick(rng, "teacher doctor farmer lawyer artist friend thief"), "person", number)
    copula = be(pick(rng, "VBD VBD VBZ"), subj.number, subj.person)
    if rng.random() < 0.15:
        result.before(negation(rng, copula), "advmod")
    contract(rng, subj, [copula], inverted=False)
    return result.before(copula, "cop").before(subj, "nsubj")
