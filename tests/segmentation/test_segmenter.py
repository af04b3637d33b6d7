"""The segmenter: odd texts come through whole, and what a treebank shows is learnt."""

import io
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.formats.document import Sentence, Token, Word
from gardenpath.segmentation.expansion_rules import WHOLE, learn_rules
from gardenpath.segmentation.raw import raw_text
from gardenpath.segmentation.segmenter import Segmenter
from gardenpath.segmentation.segmenter_training import train_segmenter
from sample import DEV, TRAIN

ODD = "aAé. ,'\"-()09\n\r\t\u00a0\u200b\u200d\u0301\u2026\u05d0\u0634\u4e2d\u3002\u3000\ufeff\x00\x1c\x85\U0001f600\U0001f468\ud7ff"


@cache
def trained() -> Segmenter:
    return train_segmenter(gp.read_conllu(TRAIN), passes=4)


@cache
def trained_on_numbers() -> Segmenter:
    """A segmenter whose treebank has tokens with spaces inside."""
    return train_segmenter(treebank([["a", "2 000", "b", "."], ["31", "in", "10 500", "!"]] * 40), passes=4)


def treebank(forms) -> list[Sentence]:
    """Sentences of tokens; one that is given as (form, words) is a multiword token."""
    sentences = []
    for tokens in forms:
        sentence = Sentence()
        for token in tokens:
            form, words = (token, [token]) if isinstance(token, str) else token
            first = len(sentence) + 1
            sentence.words += [Word(first + i, word) for i, word in enumerate(words)]
            if len(words) > 1:
                sentence.ranges.append(Token(first, len(sentence), form))
        sentences.append(sentence)
    return sentences


def tokens_of(draft):
    return [[draft.text[start:end] for start, end, _ in sentence] for sentence in draft.spans]


def check_whole(draft):
    """Tokens are in order, hold every character that is no space, begin and end with none, and each stands for words."""
    end = 0
    for start, stop, words in (span for sentence in draft.spans for span in sentence):
        assert not draft.text[end:start].strip()
        assert start < stop
        assert draft.text[start:stop] == draft.text[start:stop].strip()
        assert words >= 1
        end = stop
    assert not draft.text[end:].strip()
    assert all(draft.spans)
    assert all(form for sentence in draft.forms for form in sentence)
    for spans, forms in zip(draft.spans, draft.forms, strict=True):
        assert sum(words for _, _, words in spans) == len(forms)
        if all(words == 1 for _, _, words in spans):
            assert forms == [" ".join(draft.text[start:stop].split()) for start, stop, _ in spans]


@given(st.text(alphabet=st.sampled_from(ODD), max_size=60) | st.text(max_size=40), st.booleans())
@settings(max_examples=300, deadline=None)
def test_odd_text_comes_through_whole(text, by_line):
    text = text.encode("utf-8", "replace").decode()
    for segmenter in (trained(), trained_on_numbers()):
        draft = segmenter.segment_text(text, by_line)
        check_whole(draft)
        if by_line:
            assert len(draft) == sum(1 for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\r\n \u00a0\t\r\n"])
def test_a_text_of_nothing_but_space_has_no_sentences(text):
    assert trained().segment_text(text).spans == trained().segment_text(text, by_line=True).spans == []


@pytest.mark.parametrize("text", ["a" * 100_000, "a.-b'" * 20_000, "." * 100_000, " " * 1_000_000 + "a", "a\n" * 50_000, "a\n\n" * 50_000, "1 " * 50_000])
def test_long_texts_take_no_longer_than_their_length(text):
    for segmenter in (trained(), trained_on_numbers()):
        check_whole(segmenter.segment_text(text))


def test_lines_are_sentences_if_told_so():
    draft = trained().segment_text("A dog. A cat.\n \r\nTwo\nthree", by_line=True)
    assert tokens_of(draft) == [["A", "dog", ".", "A", "cat", "."], ["Two"], ["three"]]


def test_a_blank_line_ends_a_sentence_and_a_newline_does_not():
    draft = trained().segment_text("the doctor\nswam\r\n\r\nthe\n \t\nhouse")
    assert tokens_of(draft) == [["the", "doctor", "swam"], ["the"], ["house"]]


@pytest.mark.parametrize(("by_line", "openings"), [(False, [True, False, True, True]), (True, [True, True, True])])
def test_paragraphs_open_after_blank_lines(by_line, openings):
    segmenter = train_segmenter(treebank([["A", "b", "."]] * 100), passes=3)
    assert opening_marks(segmenter, "A b . A b .\n\nA b .\n\n\nA b .", by_line) == openings


def test_lines_that_follow_each_other_are_one_paragraph():
    assert opening_marks(trained(), "a\nb\n\nc\nd", by_line=True) == [True, False, True, False]


def opening_marks(segmenter, text, by_line):
    """Which sentences open a paragraph, as the output says."""
    from gardenpath.pipeline.writer import Writer

    document = Writer([], []).document(segmenter.segment_text(text, by_line), 1, False, False)
    return [any(line.startswith("# newpar") for line in sentence.comments) for sentence in document]


def test_the_sample_is_learnt():
    dev = list(gp.read_conllu(DEV))
    draft = trained().segment_text(raw_text(dev))
    assert [[word.form for word in sentence] for sentence in dev] == draft.forms
    assert tokens_of(draft) == [[token.form for token in sentence.tokens] for sentence in dev]


def test_training_on_the_same_gives_the_same_bytes():
    sentences = list(gp.read_conllu(TRAIN))[:60]
    one, other = (train_segmenter(sentences, passes=2, seed=3) for _ in range(2))
    assert one.record() == other.record()
    assert [(name, array.tobytes()) for name, array in one.arrays().items()] == [(name, array.tobytes()) for name, array in other.arrays().items()]


def test_a_segmenter_is_its_arrays_and_its_record():
    segmenter = trained()
    text = raw_text(gp.read_conllu(DEV))
    again = Segmenter.build(segmenter.record(), segmenter.arrays())
    assert again.segment_text(text).spans == segmenter.segment_text(text).spans
    assert again.segment_text(text).forms == segmenter.segment_text(text).forms


@pytest.mark.parametrize("name", list(trained().arrays()))
def test_arrays_that_do_not_fit_are_refused(name):
    arrays = trained().arrays()
    with pytest.raises(LookupError):
        Segmenter.build(trained().record(), {other: array for other, array in arrays.items() if other != name})
    with pytest.raises(ValueError, match=r"."):
        Segmenter.build(trained().record(), arrays | {name: arrays[name][:0]})


IMPOSSIBLE = [[-2, "a", [], "b", True, 0], [1, "", [""], "b", True, 0], [WHOLE, "", [], "b", True, 0], [1, "", [], "", True, 0], [1, "", [], "", True, -1]]


@pytest.mark.parametrize("rule", IMPOSSIBLE)
def test_rules_that_cannot_be_are_refused(rule):
    record = trained().record()
    with pytest.raises(ValueError, match="a rule for multiword tokens"):
        Segmenter.build(record | {"expansions": [rule] * len(record["expansions"])}, trained().arrays())


def test_rules_keep_what_can_be_kept():
    forms = {"don't": ("do", "n't"), "Can't": ("Ca", "n't"), "du": ("de", "le"), "Du": ("De", "le"), "aux": ("à", "les"), "dunno": ("du", "n", "no")}
    rules, numbers = learn_rules(list(forms.items()))
    of = dict(zip(forms, (rules[number - 1] for number in numbers), strict=True))
    assert of["don't"] == of["Can't"] == (3, "", (), "", True, 3)
    assert of["du"] == of["Du"] == (1, "e", (), "le", True, 0)
    assert of["aux"] == (WHOLE, "à", (), "les", True, 0)
    assert of["dunno"] == (3, "", ("n",), "", True, 2)


def test_the_rule_that_explains_most_is_chosen():
    rules, numbers = learn_rules([("wab", ("w", "ab")), ("wcde", ("w", "cde")), ("wfghi", ("w", "fghi"))])
    assert rules == [(WHOLE, "w", (), "", False, 1)]
    assert numbers == [1, 1, 1]


def test_multiword_tokens_are_expanded_by_rules_that_fit_new_forms():
    seen = [(f"{word}n't", [word, "n't"]) for word in ("do", "did", "is", "are", "was", "has")]
    segmenter = train_segmenter(treebank([["they", token, "sing", "rent", "."] for token in seen] * 20), passes=5)
    assert segmenter.segment_text("they hadn't rent").forms == [["they", "had", "n't", "rent"]]
    assert segmenter.segment_text("n't N'T").forms == [["n't", "N'T"]]


def test_multiword_tokens_depend_on_what_is_around():
    sentences = treebank([["vient", ("des", ["de", "les"]), "champs"], ["mange", "des", "pommes"]] * 50)
    segmenter = train_segmenter(sentences, passes=5)
    assert segmenter.segment_text("vient des pommes").forms == [["vient", "de", "les", "pommes"]]
    assert segmenter.segment_text("mange des pommes").forms == [["mange", "des", "pommes"]]


def test_tokens_with_spaces_inside_are_found_and_have_single_spaces():
    draft = trained_on_numbers().segment_text("a 2 \u00a0 000 b ! 31 in 10\n500 .")
    assert [form for sentence in draft.forms for form in sentence] == ["a", "2 000", "b", "!", "31", "in", "10 500", "."]


def test_a_word_that_breaks_a_rule_is_an_exception():
    glued = "1\tcan\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tnot\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    plain = "".join(f"{i}\tword\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in range(1, 3000)) + "\n"
    segmenter = train_segmenter(gp.read_conllu(io.BytesIO((plain + glued * 2).encode())), passes=3)
    assert tokens_of(segmenter.segment_text("word cannot cannon", by_line=True)) == [["word", "can", "not", "cannon"]]


def test_a_treebank_of_single_sentences_teaches_where_they_end():
    sentences = treebank([["A", "b", "."], ["Who", "is", "b", "?"]] * 50)
    for sentence in sentences:
        sentence.comments.append("# newpar")
    assert len(train_segmenter(sentences, passes=3).segment_text("Who is b ? A b . A b .")) == 3


def test_training_needs_sentences_and_passes():
    with pytest.raises(gp.InputError, match="no sentences"):
        train_segmenter([])
    with pytest.raises(gp.UsageError, match="passes"):
        train_segmenter(treebank([["a"]]), passes=0)
