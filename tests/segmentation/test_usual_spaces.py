"""A tokenizer for ordinary text from a treebank that does not record spaces."""

import warnings

import pytest

import gardenpath as gp
from gardenpath.errors import GardenpathWarning
from gardenpath.segmentation import tokenizers
from gardenpath.segmentation.raw import gold_text
from gardenpath.segmentation.settings import TokenizerSettings
from gardenpath.segmentation.usual_spaces import glued_usually, with_usual_spaces

SEGMENTER = TokenizerSettings(tokenizer="gardenpath")


def treebank(*sentences, comments=()):
    return [
        gp.Sentence([gp.Word(i, form) for i, form in enumerate(text.split("|"), 1)], list(comments))
        for text in sentences
    ]


def text_of(sentences):
    """The text of the copies."""
    with pytest.warns(GardenpathWarning, match="no token of the treebank has SpaceAfter=No; the tokenizer also learns"):
        found = with_usual_spaces(sentences)
    assert list(found[: len(sentences)]) == sentences
    return gold_text(found[len(sentences) :]).text


@pytest.mark.parametrize("forms, text", [
    ("He|said|:|\"|Yes|,|no|!|\"|(|twice|)|...", 'He said: "Yes, no!" (twice)...'),
    ("„|Ja|“|,|sagte|er|.", "„Ja“, sagte er."), ("¿|Qué|?|«|Sí|»|.", "¿Qué? «Sí»."),
    ("L'|homme|qu'|il|voit|.", "L'homme qu'il voit."), ("She|'s|John|'s|``|friend|''|.", "She's John's ``friend''."),
    ("5|%|of|A|&|B|-|C|/|D|.", "5% of A & B - C / D."), ("यह|है|।", "यह है।"), (".|A|.", ". A."), ("?", "?"),
])
def test_usual_spaces(forms, text):
    forms = forms.split("|")
    signs = ["" if is_glued else " " for is_glued in glued_usually(forms)]
    assert "".join(form + sign for form, sign in zip(forms, signs, strict=True)).rstrip() == text


@pytest.mark.parametrize("sentences, text", [
    (("我|爱|北京|。", "他|用|Windows|XP|系统|。"), "我爱北京。他用Windows XP系统。"),
    (("ฉัน|รัก|เธอ", "เขา|มา"), "ฉันรักเธอ เขามา"),
])
def test_scripts_without_spaces(sentences, text):
    assert text_of(treebank(*sentences)) == text


def test_the_comment_has_the_spaces():
    assert text_of(treebank("A|b|-|c|.", comments=["# sent_id = 1", "# text = A b-c ."])) == "A b-c ."
    assert text_of(treebank("A|b|.", comments=["# text = A b ."])) == "A b."


def test_multi_word_tokens():
    sentence = gp.Sentence([gp.Word(1, "à"), gp.Word(2, "le"), gp.Word(3, ".")], ranges=[gp.Token(1, 2, "au")])
    assert text_of([sentence]) == "au."


@pytest.mark.parametrize("sentences", [
    treebank("no|punctuation|here"), [gp.Sentence([gp.Word(1, "b", misc="SpaceAfter=No"), gp.Word(2, ".")])], [],
])
def test_nothing_is_copied(sentences):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_usual_spaces(sentences) is sentences


def test_a_tokenizer_for_both_kinds_of_text():
    sentences = treebank(*["the|dog|barked|,|and|the|cat|ran|.", "who|saw|it|?"] * 40)
    with pytest.warns(GardenpathWarning):
        tokenizer = tokenizers.train(sentences, None, SEGMENTER, seed=1)
    expected = [["the", "cat", "ran", ",", "and", "it", "barked", "."], ["who", "ran", "?"]]
    for text in ("the cat ran, and it barked. who ran?", "the cat ran , and it barked . who ran ?"):
        assert tokenizer.segment_text(text).forms == expected
