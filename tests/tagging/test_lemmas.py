"""Edit rules and the lemmatizer."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.core.draft import Draft
from gardenpath.formats.document import Word
from gardenpath.pipeline.writer import Writer
from gardenpath.tagging.edits import IDENTITY, Edits, in_case, rule_of
from gardenpath.tagging.lemma_trainer import train_lemmatizer
from gardenpath.tagging.tag_trainer import train_tagger
from gardenpath.tagging.tagset import Tagset
from sample import TRAIN

AS_IS, LOWERED, CAPITALISED, REPLACED = range(4)
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r")
texts = st.text(CHARACTERS, min_size=1, max_size=12)
affixes = st.text(CHARACTERS, max_size=4)


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("dogs", "dog", (LOWERED, 0, "", 1, "")),
        ("Dogs", "dog", (LOWERED, 0, "", 1, "")),
        ("London", "London", (AS_IS, 0, "", 0, "")),
        ("LONDON", "London", (CAPITALISED, 0, "", 0, "")),
        ("cities", "city", (LOWERED, 0, "", 3, "y")),
        ("gesehen", "sehen", (LOWERED, 2, "", 0, "")),
        ("gegangen", "gehen", (REPLACED, 0, "gehen", 0, "")),
        ("went", "go", (REPLACED, 0, "go", 0, "")),
        ("MÄUSEN", "mäuse", (LOWERED, 0, "", 1, "")),
        ("Ärzte", "Arzt", (LOWERED, 1, "A", 1, "")),
        ("McDonalds", "McDonald", (AS_IS, 0, "", 1, "")),
        ("ΛΌΓΟΥ", "λόγος", (LOWERED, 0, "", 1, "ς")),
        ("!", "!", (LOWERED, 0, "", 0, "")),
        ("🐈s", "🐈", (LOWERED, 0, "", 1, "")),
    ],
)
def test_rules(form, lemma, rule):
    assert rule_of(form, lemma) == rule
    assert Edits([rule]).lemma(0, form) == lemma


@given(texts, texts)
def test_a_rule_turns_the_form_into_the_lemma(form, lemma):
    assert Edits([rule_of(form, lemma)]).lemma(0, form) == lemma


@given(texts, affixes, affixes)
def test_prefixes_and_suffixes(stem, front, back):
    form = front + stem + back
    assert Edits([rule_of(form, stem)]).lemma(0, form) == stem
    assert Edits([rule_of(stem, form)]).lemma(0, stem) == form


@given(texts)
def test_case_is_mapped_character_by_character(form):
    for case in (AS_IS, LOWERED, CAPITALISED):
        assert len(in_case(form, case)) == len(form)
    if form.isascii():
        assert (in_case(form, LOWERED), in_case(form, CAPITALISED)) == (form.lower(), form.capitalize())


def test_rules_with_an_empty_lemma_are_not_applicable():
    edits = Edits([IDENTITY, (AS_IS, 1, "", 1, ""), (AS_IS, 2, "", 0, "x"), (REPLACED, 0, "be", 0, "")])
    expected = {"a": ["a", None, None, "be"], "ab": ["ab", None, "x", "be"], "äöü": ["äöü", "ö", "üx", "be"]}
    for form, rule in product(expected, range(4)):
        assert edits.lemma(rule, form) == expected[form][rule]


INVALID = [
    (4, 0, "", 0, ""), (-1, 0, "", 0, ""), (0, -1, "", 0, ""), (0, 0, "", 1 << 31, ""), (REPLACED, 0, "", 0, ""),
    (0, 0, ""),
]


@pytest.mark.parametrize("rule", INVALID)
def test_invalid_rules_raise_errors(rule):
    with pytest.raises(ValueError, match=r"the edit rule .* is invalid|unpack"):
        Edits([rule])


def lemmas(tagger, *forms):
    draft = Draft.of([[form] for form in forms])
    tagger.tag(draft)
    words = [[Word(1, form)] for form in forms]
    Writer(tagger.tags, ()).fill(draft, words)
    return [sentence[0].lemma for sentence in words]


def noun(form, lemma):
    return [Word(1, form, lemma, "NOUN")]


def test_known_forms_are_looked_up_and_others_are_predicted():
    verbs = [[Word(1, form, "be", "AUX")] for form in ("is", "are", "was", "were")]
    nouns = [noun(f"{stem}s", stem) for stem in ("cat", "dog", "bird", "stone", "tree", "house")]
    nouns += [noun(f"{stem}ies", f"{stem}y") for stem in ("cit", "bab", "pon")]
    tagger = train_tagger((verbs + nouns) * 2)
    found = lemmas(tagger, "were", "is", "cities", "Cities", "lakes", "ladies", "LADIES")
    assert found == ["be", "be", "city", "city", "lake", "lady", "lady"]


def test_the_most_frequent_lemma_of_a_form_is_kept():
    axes = [noun("axes", "axe"), noun("axes", "axis"), noun("axes", "axis")]
    tagger = train_tagger([*axes, noun("cats", "cat"), noun("dogs", "dog")])
    assert lemmas(tagger, "axes") == ["axis"]


def test_the_lemma_of_a_form_depends_on_its_tag():
    the_noun = [Word(1, "a", "a", "DET"), Word(2, "saw", "saw", "NOUN")]
    the_verb = [Word(1, "we", "we", "PRON"), Word(2, "saw", "see", "VERB")]
    tagger = train_tagger([the_noun, the_verb] * 3)
    draft = Draft.of([["a", "saw"], ["we", "saw"]])
    tagger.tag(draft)
    words = [[Word(1, "a"), Word(2, "saw")], [Word(1, "we"), Word(2, "saw")]]
    Writer(tagger.tags, ()).fill(draft, words)
    assert [sentence[1].lemma for sentence in words] == ["saw", "see"]


def test_a_treebank_without_lemmas():
    sentences = [[Word(1, "a", upos="DET"), Word(2, "_", "_", "PUNCT")]]
    assert train_lemmatizer(sentences, Tagset.of(sentences)) is None
    tagger = train_tagger(sentences)
    assert not tagger.has_lemmas
    assert tagger.record()["lemmas"] is None
    assert lemmas(tagger, "a") == ["_"]


def test_words_without_a_lemma_are_not_used_in_training():
    tagger = train_tagger([noun("cats", "cat"), noun("dogs", "dog"), noun("birds", "_"), noun("birds", "_")])
    assert lemmas(tagger, "birds", "cats") == ["bird", "cat"]


def test_an_underscore_is_its_own_lemma():
    tagger = train_tagger([noun("cats", "cat"), noun("_", "_"), noun("dogs", "dog")])
    assert lemmas(tagger, "_") == ["_"]


def test_rare_rules_occur_only_in_the_lexicon():
    sentences = [sentence.words for sentence in gp.read_conllu(TRAIN)]
    lemmatizer = train_lemmatizer(sentences, Tagset.of(sentences))
    assert 0 < lemmatizer.weights.classes < len(lemmatizer.edits.rules)
    assert lemmatizer.edits.rules[0] == IDENTITY
