"""Searches in five treebanks find the same as loops that were written by hand."""

import re
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.queries import Index

FOLDER = Path(__file__).parents[3] / "shared" / "treebanks" / "ud-2.16"
LANGUAGES = ["en_ewt", "fr_sequoia", "id_csui", "pt_bosque", "vi_vtb"]


def words_and_heads(sentence):
    for word in sentence.words:
        yield word, sentence.words[word.head - 1] if word.head else None


def dependents(sentence, head):
    return [word for word in sentence.words if word.head == head.id]


def subjects(sentence):
    return [
        (head.id, word.id) for word, head in words_and_heads(sentence)
        if head and head.upos == "VERB" and word.deprel.split(":")[0] == "nsubj"
    ]


def without_subject(sentence):
    return [
        (word.id,) for word in sentence.words
        if word.upos == "VERB" and not any(each.deprel in ("nsubj", "csubj") for each in dependents(sentence, word))
    ]


def objects_before(sentence):
    return [
        (head.id, word.id) for word, head in words_and_heads(sentence) if word.deprel == "obj" and word.id < head.id
    ]


def ditransitive(sentence):
    return [
        (verb.id, one.id, two.id) for verb in sentence.words
        for one in dependents(sentence, verb) if one.deprel == "iobj"
        for two in dependents(sentence, verb) if two.deprel == "obj"
    ]


def noun_pairs(sentence):
    return [
        (one.id, two.id) for one, two in zip(sentence.words, sentence.words[1:], strict=False)
        if one.upos == two.upos == "NOUN"
    ]


def agreement(sentence):
    def number(word):
        found = re.search(r"(?:^|\|)Number=(\w+)", word.feats)
        return found and found[1]

    return [
        (head.id, word.id) for word, head in words_and_heads(sentence)
        if head and word.deprel == "amod" and number(word) and number(head) and number(word) != number(head)
    ]


def long_relatives(sentence):
    return [
        (head.id, word.id) for word, head in words_and_heads(sentence)
        if head and word.deprel.startswith("acl") and abs(word.id - head.id) > 5
    ]


def re_words(sentence):
    return [(word.id,) for word in sentence.words if re.fullmatch("(re|un)[a-z]+", word.form, re.IGNORECASE)]


def crossing(sentence):
    arcs = [(word.head, word.id) for word in sentence.words]
    return [
        (a, b, c, d) for a, b in arcs for c, d in arcs
        if min(a, b) < min(c, d) < max(a, b) < max(c, d) or min(c, d) < min(a, b) < max(c, d) < max(a, b)
    ]


def dominated_negation(sentence):
    found = []
    for word in sentence.words:
        above = word.head
        while "Polarity=Neg" in word.feats.split("|") and above:
            if sentence.words[above - 1].upos == "VERB":
                found.append((above, word.id))
            above = sentence.words[above - 1].head
    return found


def not_spaced(sentence):
    return [(word.id,) for word in sentence.words if "SpaceAfter=No" in word.misc.split("|") and word.upos != "PUNCT"]


def question_roots(sentence):
    asks = (sentence.text or "").endswith("?")
    return [(word.id,) for word in sentence.words if asks and word.head == 0]


def nonprojective(sentence):
    return [] if gp.trees.is_projective(sentence.heads) else [()]


PAIRS = [
    ("pattern { V [upos=VERB]; V -[1=nsubj]-> S }", subjects),
    ("pattern { V [upos=VERB] } without { V -[nsubj|csubj]-> S }", without_subject),
    ("pattern { V -[obj]-> O; O << V }", objects_before),
    ("pattern { V -[iobj]-> I; V -[obj]-> O }", ditransitive),
    ("pattern { X [upos=NOUN]; Y [upos=NOUN]; X < Y }", noun_pairs),
    ("pattern { N -[amod]-> A; N.Number <> A.Number }", agreement),
    ("pattern { N -[/acl.*/]-> V; length(N, V) > 5; N [upos] }", long_relatives),
    ("pattern { X [form=/(re|un)[a-z]+/i] }", re_words),
    ("pattern { e: A -> B; f: C -> D; e >< f }", crossing),
    ("pattern { V [upos=VERB]; N [Polarity=Neg]; V ->> N }", dominated_negation),
    ("pattern { X [SpaceAfter=No, upos<>PUNCT] }", not_spaced),
    (r"global { text = /.*\?/ } pattern { R [upos]; * -[root]-> R }", question_roots),
    ("global { is_not_projective }", nonprojective),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_searches_agree_with_loops(language):
    files = sorted((FOLDER / language).glob("*-test.conllu"))
    if not files:
        pytest.skip("there are no treebanks in ../shared/treebanks")
    sentences = list(gp.read_conllu(files[0]))
    index = Index(sentences)
    for pattern, by_hand in PAIRS:
        expected = [(id(sentence), ids) for sentence in sentences for ids in sorted(by_hand(sentence))]
        found = [(id(match.sentence), tuple(match.ids.values())) for match in gp.search(index, pattern)]
        assert found == expected, pattern
