"""Sentences from words that are given in Python."""

import pytest

from gardenpath import InputError, Sentence, UsageError
from gardenpath.formats.given import token_lists


def test_forms_and_tags():
    sentence = Sentence.from_words(
        [
            "I", ("saw", "VERB"), ("her", "PRON", "PRP"),
            {"form": "fall", "lemma": "fall", "head": 2, "feats": {"A": "b"}},
        ],
        sent_id="s1",
    )
    assert sentence.comments == ["# sent_id = s1"]
    assert [word.columns()[:7] for word in sentence] == [
        ("1", "I", "_", "_", "_", "_", "_"), ("2", "saw", "_", "VERB", "_", "_", "_"),
        ("3", "her", "_", "PRON", "PRP", "_", "_"), ("4", "fall", "fall", "_", "_", "A=b", "2"),
    ]
    assert sentence.text == "I saw her fall"
    assert len(Sentence.from_words(word for word in ("a", "b"))) == 2
    assert Sentence.from_words([("a", None), {"form": "New York", "upos": ""}])[1].upos == "_"


def test_a_text_gives_offsets_and_spaces():
    sentence = Sentence.from_words(["I", "fell", "."], text=" I  fell.")
    assert [(word.start, word.end, word.misc) for word in sentence] == [
        (1, 2, "_"), (4, 8, "SpaceAfter=No"), (8, 9, "_"),
    ]
    assert sentence[1:].text == "fell."
    for text in ("I fell", "I fell. She", "fell I."):
        with pytest.raises(InputError, match="does not consist of the words, in this order"):
            Sentence.from_words(["I", "fell", "."], text=text)


@pytest.mark.parametrize("words, problem", [
    ("I fell", "takes a list of strings, not a string; split 'I fell' into tokens first"),
    (b"I fell", "takes a list of strings, not bytes"), (None, "takes a list of strings, not NoneType"),
    ([], "at least one word, but the list is empty"), (["a", ""], "word 2 is ''"), (["a\tb"], "word 1 is 'a.tb'"),
    ([b"a"], "word 1 is b'a', which is not a string; decode it first"), ([None], "word 1 is None"),
    ([("a", "b", "c", "d")], "give a form, .form, UPOS."), ([{"upos": "X"}], "word 1 is None"),
    ([{"form": "a", "pos": "X"}], "word 1 has no column 'pos'; the columns are form, lemma"),
    ([{"form": "a", "head": "2"}], "the head of word 1 is '2'"), ([("a", 3)], "the column upos of word 1 is 3"),
])
def test_mistakes(words, problem):
    with pytest.raises(UsageError, match=problem):
        Sentence.from_words(words)


def test_comments_have_one_line():
    with pytest.raises(UsageError, match=r"sent_id is 'a.nb'; give a string of one line"):
        Sentence.from_words(["a"], sent_id="a\nb")


def test_strings_are_not_words():
    with pytest.raises(UsageError, match=r"for strings use `Sentence.from_words`"):
        Sentence(["I", "fell"])


def test_lists_of_tokens():
    assert token_lists(["a", "b"]) == [["a", "b"]]
    assert token_lists((("a",), ["b", "c"])) == [["a"], ["b", "c"]]
    for wrong in ("a b", [["a"], "b"], ["a", ["b"]], [["a"], []], [], 3, [1], [[b"a"]], [[" "]]):
        with pytest.raises(UsageError):
            token_lists(wrong)
