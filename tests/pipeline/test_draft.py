"""Drafts: what native code fills in, and what is printed of it."""

import pytest

import gardenpath as gp
from gardenpath.core.draft import Draft
from gardenpath.pipeline.writer import Writer

WRITER = Writer([("NOUN", "NN", "_")], ["root"])


def test_lines_of_tokens():
    text = "a bé  c\r\n\n d\n🙂 x"
    draft = Draft(text)
    draft.split_lines()
    assert draft.forms == [["a", "bé", "c"], ["d"], ["🙂", "x"]]
    assert [[text[start:end] for start, end, _ in sentence] for sentence in draft.spans] == draft.forms
    assert len(draft) == 3
    first, second, third = WRITER.document(draft)
    assert first.comments == ["# newpar", "# sent_id = 1", "# text = a bé c"]
    assert second.comments[0] == "# newpar"
    assert third.comments == ["# sent_id = 3", "# text = 🙂 x"]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "a", "a\u00a0b\u2028c", "\x00 \x01", "عربي نص\n\nעברית", "e\u0301 \u200d x\u200b"]
)
def test_conllu_at_once_is_that_of_the_document(text):
    draft = Draft(text, 100)
    draft.split_lines()
    for options in ({}, {"number": 7, "heading": "# newdoc id = x", "prefix": "part-"}, {"ranges": True}):
        document = WRITER.document(draft, **options)
        assert WRITER.conllu(draft, **options).decode() == document.to_conllu()
        assert [word.form for sentence in document for word in sentence] == text.split()
        assert all(text[word.start - 100 : word.end - 100] == word.form for sentence in document for word in sentence)


def test_ranges_are_those_of_the_document():
    draft = Draft("x yy", 5)
    draft.split_lines()
    assert [line.split("\t")[9] for line in WRITER.conllu(draft, ranges=True).decode().splitlines()[3:5]] == [
        "TokenRange=5:6",
        "TokenRange=7:9",
    ]


def test_a_piece_that_continues_opens_no_paragraph():
    draft = Draft("a\n\nb", 100, True)
    draft.split_lines()
    assert [sentence.comments[0] for sentence in WRITER.document(draft, 3)] == ["# sent_id = 3", "# newpar"]


def test_drafts_of_words():
    draft = Draft.of([["a b", "c"], []])
    assert draft.forms == [["a b", "c"], []]
    first, second = WRITER.document(draft)
    assert (first.text, first.words[0].start, len(second)) == ("a b c", None, 0)


@pytest.mark.parametrize("text", ["a\ud800", "\udfff"])
def test_half_a_surrogate_pair_is_refused(text):
    with pytest.raises(gp.InputError, match=rf"character {len(text)} of the text is half of a surrogate pair \(U\+D"):
        Draft(text)
    with pytest.raises(gp.InputError, match="surrogate"):
        Draft.of([[text]])
