"""Verbs with their auxiliaries, negations and contractions."""

from __future__ import annotations

from random import Random

from lexicon import MODALS, NEGATED_MODALS
from nominals import pick
from words import Node, Phrase, auxiliary, be, join, verb

SHORT = {"will": "'ll", "have": "'ve", "has": "'s", "is": "'s", "are": "'re", "am": "'m", "would": "'d"}


def conjugate(
    rng: Random, lemma: str, subj: Phrase, *, passive: bool, inverted: bool, tense: str | None
) -> tuple[list[Node], Node]:
    """Return the auxiliaries with their relations, including a negation, and the main verb."""
    tense = tense or rng.choices(["past", "present", "modal", "perfect", "progressive"], (45, 18, 15, 12, 10))[0]
    negated = rng.random() < 0.14
    chain = {"modal": ["modal"], "perfect": ["have"], "progressive": ["be"]}.get(tense, [])
    if passive:
        chain = [*chain, "pass"] if tense != "progressive" else ["pass"]
    if not chain and (negated or inverted):
        chain = ["do"]
    if tense == "modal":
        form = "MD"
    else:
        form = "VBZ" if tense == "present" or (tense != "past" and rng.random() < 0.6) else "VBD"
    nodes = []
    for link in chain:
        node, form = _auxiliary(rng, link, form, subj)
        nodes.append(node)
    if negated:
        nodes.insert(1, negation(rng, nodes[0]))
    return nodes, verb(lemma, form, subj.number, subj.person)


def _auxiliary(rng: Random, link: str, form: str, subj: Phrase) -> tuple[Node, str]:
    """Return an auxiliary in this form, and the form that it requires of the next verb."""
    if link == "modal":
        node, following = auxiliary(pick(rng, MODALS), "MD"), "VB"
    elif link in {"be", "pass"}:
        node, following = be(form, subj.number, subj.person), "VBG" if link == "be" else "pass"
    else:
        node, following = auxiliary(link, form, subj.number, subj.person), "VBN" if link == "have" else "VB"
    node.deprel = "aux:pass" if link == "pass" else "aux"
    return node, following


def negation(rng: Random, first: Node) -> Node:
    """Make the negation after an auxiliary, sometimes joined to it (`don't`)."""
    short = rng.random() < 0.6 and first.form not in {"might", "may", "must", "am"}
    node = Node("n't" if short else "not", "not", "PART", "RB", "Polarity=Neg")
    node.deprel = "advmod"
    if short:
        first.form = NEGATED_MODALS.get(first.form, first.form)
        join([first, node])
    return node


def contract(rng: Random, subj: Phrase, auxiliaries: list[Node], inverted: bool) -> None:
    """Join an auxiliary to the pronoun before it (`I'll`)."""
    if inverted or not auxiliaries or auxiliaries[0].joined or subj.head.xpos != "PRP" or len(subj.nodes) > 1:
        return
    if rng.random() < 0.45:
        return
    first = auxiliaries[0]
    if first.form in SHORT:
        first.form = SHORT[first.form]
        join([subj.head, first])
