"""The segmenter: no text is lost, and a treebank can be learnt."""

import io
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.core.stored import BadModelError
from gardenpath.formats.document import Sentence, Token, Word
from gardenpath.segmentation.expansion_rules import WHOLE, learn_rules
from gardenpath.segmentation.raw import raw_text
from gardenpath.segmentation.segmenter import Segmenter
from gardenpath.segmentation.segmenter_training import train_segmenter
from sample import DEV, TRAIN

ODD = (
    "aAé. ,'\"-()09\n\r\t\u00a0\u200b\u200d\u0301\u2026\u05d0\u0634\u4e2d\u3002\u3000\ufeff\x00\x1c\x85"
    "\U0001f600\U0001f468\ud7ff"
)


@cache
def trained() -> Segmenter:
    return train_segmenter(gp.read_conllu(TRAIN), passes=4)


@cache
def trained_on_numbers() -> Segmenter:
    """Train a segmenter on a treebank with tokens that contain spaces."""
    return train_segmenter(treebank([["a", "2 000", "b", "."], ["31", "in", "10 500", "!"]] * 40), passes=4)


def treebank(forms) -> list[Sentence]:
    """Make sentences from tokens. A token is a form or, for a multi-word token, a pair (form, words)."""
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


def check_complete(draft):
    """Check that the tokens cover all non-space characters in order, without outer spaces, and have words."""
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
def test_no_text_is_lost(text, by_line):
    text = text.encode("utf-8", "replace").decode()
    for segmenter in (trained(), trained_on_numbers()):
        draft = segmenter.segment_text(text, by_line)
        check_complete(draft)
        if by_line:
            assert len(draft) == sum(1 for line in text.split("\n") if line.strip())


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\r\n \u00a0\t\r\n"])
def test_blank_text_has_no_sentences(text):
    assert trained().segment_text(text).spans == trained().segment_text(text, by_line=True).spans == []


LONG = [
    "a" * 100_000, "a.-b'" * 20_000, "." * 100_000, " " * 1_000_000 + "a", "a\n" * 50_000, "a\n\n" * 50_000,
    "1 " * 50_000,
]


@pytest.mark.parametrize("text", LONG)
def test_long_texts(text):
    for segmenter in (trained(), trained_on_numbers()):
        check_complete(segmenter.segment_text(text))


def test_by_line_makes_each_line_a_sentence():
    draft = trained().segment_text("A dog. A cat.\n \r\nTwo\nthree", by_line=True)
    assert tokens_of(draft) == [["A", "dog", ".", "A", "cat", "."], ["Two"], ["three"]]


def test_a_blank_line_ends_a_sentence_and_a_newline_does_not():
    draft = trained().segment_text("the doctor\nswam\r\n\r\nthe\n \t\nhouse")
    assert tokens_of(draft) == [["the", "doctor", "swam"], ["the"], ["house"]]


@pytest.mark.parametrize(("by_line", "openings"), [(False, [True, False, True, True]), (True, [True, True, True])])
def test_paragraphs_begin_after_blank_lines(by_line, openings):
    segmenter = train_segmenter(treebank([["A", "b", "."]] * 100), passes=3)
    assert opening_marks(segmenter, "A b . A b .\n\nA b .\n\n\nA b .", by_line) == openings


def test_consecutive_lines_are_one_paragraph():
    assert opening_marks(trained(), "a\nb\n\nc\nd", by_line=True) == [True, False, True, False]


def opening_marks(segmenter, text, by_line):
    """Return for each sentence whether the output marks it as the beginning of a paragraph."""
    from gardenpath.pipeline.writer import Writer

    document = Writer([], []).document(segmenter.segment_text(text, by_line))
    return [any(line.startswith("# newpar") for line in sentence.comments) for sentence in document]


def test_the_segmenter_learns_the_sample():
    dev = list(gp.read_conllu(DEV))
    draft = trained().segment_text(raw_text(dev))
    assert [[word.form for word in sentence] for sentence in dev] == draft.forms
    assert tokens_of(draft) == [[token.form for token in sentence.tokens] for sentence in dev]


def test_training_is_reproducible_to_the_byte():
    sentences = list(gp.read_conllu(TRAIN))[:60]
    one, other = (train_segmenter(sentences, passes=2, seed=3) for _ in range(2))
    assert one.record() == other.record()
    first, second = ([(name, array.tobytes()) for name, array in made.arrays().items()] for made in (one, other))
    assert first == second


def test_build_restores_a_segmenter():
    segmenter = trained()
    text = raw_text(gp.read_conllu(DEV))
    again = Segmenter.build(segmenter.record(), segmenter.arrays())
    assert again.segment_text(text).spans == segmenter.segment_text(text).spans
    assert again.segment_text(text).forms == segmenter.segment_text(text).forms


@pytest.mark.parametrize("name", list(trained().arrays()))
def test_missing_and_invalid_arrays_raise_errors(name):
    arrays = trained().arrays()
    with pytest.raises(BadModelError):
        Segmenter.build(trained().record(), {other: array for other, array in arrays.items() if other != name})
    with pytest.raises(BadModelError, match=r"."):
        Segmenter.build(trained().record(), arrays | {name: arrays[name][:0]})


INVALID = [
    [-2, "a", [], "b", True, 0], [1, "", [""], "b", True, 0], [WHOLE, "", [], "b", True, 0], [1, "", [], "", True, 0],
    [1, "", [], "", True, -1],
    [["w"], "", -1, 1, "", ["h"]], [["w"], "", 1, -1, "", ["h"]], [["w"], "", 1, 1, "", [""]], [[""], "", 1, 1, "", []],
    [[], "a", 1, 1, "b", []],
]


@pytest.mark.parametrize("rule", INVALID)
def test_invalid_rules_raise_errors(rule):
    record = trained().record()
    with pytest.raises(ValueError, match=r"the rule .* for multi-word tokens is invalid"):
        Segmenter.build(record | {"expansions": [rule] * len(record["expansions"])}, trained().arrays())


UNUSABLE = [
    [["w"], "", 1, 1, "", "h"], [["w"], "", 1, True, "", ["h"]], [["w"], "", 1, 1.0, "", ["h"]],
    [["w"], "", 1, 2**31, "", ["h"]], [["w"], "", 1, 1, None, ["h"]],
    [["w"], "", 1, 1, ""], [["w"], "", 1, [], "", 1], [[1], "", 1, 1, "", ["h"]],
    [True, "a", [], "b", True, 1], [["w"] * 60, "", 1, 1, "", ["h"] * 60], [["w"], "", 1, 1, "a" * 1001, ["h"]],
    [["a\tb"], "", 1, 1, "", ["h"]], [["w"], "\ud800", 1, 1, "", ["h"]], [], "rule", None,
]


@pytest.mark.parametrize("rule", UNUSABLE, ids=range(len(UNUSABLE)))
def test_rules_with_other_types_and_long_rules_raise_errors(rule):
    record = trained().record()
    with pytest.raises(BadModelError):
        Segmenter.build(record | {"expansions": [rule] * len(record["expansions"])}, trained().arrays())


SLICES = [
    [["w"], "", 1, 1, "", ["h"]], [[], "x", 2, 3, "", ["h"]], [["w"], "", 2**31 - 1, 2**31 - 1, "", []],
    [["w"], "a", 2**31 - 1, 0, "b", ["h"]], [["w"], "", 0, 2**31 - 1, "", []], [["w", "v"], "", 0, 0, "", []],
]


@pytest.mark.parametrize("rule", SLICES)
def test_stored_slices_of_any_size_give_no_empty_words(rule):
    record = trained().record()
    segmenter = Segmenter.build(record | {"expansions": [rule] * len(record["expansions"])}, trained().arrays())
    check_complete(segmenter.segment_text("They didn't n't 't t dn't \u05d0n't \U0001f600n't don't"))


def test_a_stored_slice_is_applied():
    record = trained().record()
    rule = [["w", "v"], "<", 1, 2, ">", ["h"]]
    segmenter = Segmenter.build(record | {"expansions": [rule] * len(record["expansions"])}, trained().arrays())
    assert segmenter.segment_text("They didn't swim").forms == [["They", "w", "v", "<idn>", "h", "swim"]]


def test_rules_reuse_as_much_of_the_form_as_possible():
    forms = {
        "don't": ("do", "n't"), "Can't": ("Ca", "n't"), "du": ("de", "le"), "Du": ("De", "le"), "aux": ("à", "les"),
        "dunno": ("du", "n", "no"),
    }
    rules, numbers = learn_rules(list(forms.items()))
    of = dict(zip(forms, (rules[number - 1] for number in numbers), strict=True))
    assert of["don't"] == of["Can't"] == (3, "", (), "", True, 3)
    assert of["du"] == of["Du"] == (1, "e", (), "le", True, 0)
    assert of["aux"] == (WHOLE, "à", (), "les", True, 0)
    assert of["dunno"] == (3, "", ("n",), "", True, 2)


def test_the_rule_that_fits_most_forms_is_chosen():
    rules, numbers = learn_rules([("wab", ("w", "ab")), ("wcde", ("w", "cde")), ("wfghi", ("w", "fghi"))])
    assert rules == [(WHOLE, "w", (), "", False, 1)]
    assert numbers == [1, 1, 1]


def test_a_word_between_others_is_a_slice_of_the_form():
    tokens = {
        "wktabh": ("w", "ktab", "h"), "wbyth": ("w", "byt", "h"), "wwladh": ("w", "wlad", "h"),
        "wmdrsth": ("w", "mdrsp", "h"), "wsaeth": ("w", "saep", "h"),
        "whktab": ("w", "h", "ktab"), "whbyt": ("w", "h", "byt"), "ktabhm": ("ktab", "hm"), "bythm": ("byt", "hm"),
    }
    rules, numbers = learn_rules(list(tokens.items()))
    of = dict(zip(tokens, (rules[number - 1] for number in numbers), strict=True))
    assert of["wktabh"] == of["wbyth"] == of["wwladh"] == (("w",), "", 1, 1, "", ("h",))
    assert of["wmdrsth"] == of["wsaeth"] == (("w",), "", 1, 2, "p", ("h",))
    assert of["whktab"] == of["whbyt"] == (WHOLE, "w", ("h",), "", False, 2)
    assert of["ktabhm"] == of["bythm"] == (2, "", (), "", True, 2)


def test_the_beginning_of_the_slice_that_fits_most_forms_is_chosen():
    """The stem of `wwh` could also be the first `w`."""
    rules, numbers = learn_rules([("wabh", ("w", "ab", "h")), ("wwh", ("w", "w", "h")), ("wcdeh", ("w", "cde", "h"))])
    assert rules == [(("w",), "", 1, 1, "", ("h",))]
    assert numbers == [1, 1, 1]


def test_a_slice_has_to_fit_more_forms_than_any_other_rule():
    rules, _ = learn_rules([("dunno", ("du", "n", "no"))])
    assert rules == [(3, "", ("n",), "", True, 2)]


def test_long_tokens_can_be_learnt():
    form = "ab" * 50_000
    assert learn_rules([(form, ("x", form, "y"))] * 2 + [("wabh", ("w",) * 10_000)]) == ([], [0, 0, 0])


STEMS = (
    "ktab", "byt", "qlm", "dar", "bab", "balad", "bint", "rajl", "malik", "jabal", "shams", "qamar", "nahr", "samak",
    "kalb", "safar", "maktab",
)
ARABIC = {
    "w{}h": ["w", "{}", "h"], "w{}hm": ["w", "{}", "hm"], "f{}h": ["f", "{}", "h"], "w{}": ["w", "{}"],
    "{}h": ["{}", "h"], "{}hm": ["{}", "hm"],
}
HEBREW = {
    "וה{}": ["ו", "ה", "{}"], "ו{}ו": ["ו", "{}", "_של_", "_הוא"], "{}ו": ["{}", "_של_", "_הוא"], "ש{}": ["ש", "{}"],
    "ושב{}ך": ["ו", "ש", "ב", "{}", "_של_", "_אתה"],
}
LETTERS = str.maketrans("abdefhijklmnqrstwy", "אבדגפחיזכלמנקרסטעצ")


@pytest.mark.parametrize(("patterns", "letters"), [(ARABIC, {}), (HEBREW, LETTERS)], ids=["Arabic", "Hebrew"])
def test_unseen_stems_between_prefixes_and_suffixes_are_found(patterns, letters):
    stems = [stem.translate(letters) for stem in STEMS]
    tokens = [
        (form.format(stem), [word.format(stem) for word in words]) for stem in stems for form, words in patterns.items()
    ]
    sentences = treebank([["he", token, "saw", stems[i % len(stems)], "."] for i, token in enumerate(tokens)] * 4)
    segmenter = train_segmenter(sentences, passes=8)
    assert segmenter.record() == Segmenter.build(segmenter.record(), segmenter.arrays()).record()
    unseen = [stem.translate(letters) for stem in ("malab", "sabak", "tarab", "dalar")]
    for form, words in patterns.items():
        for stem in unseen:
            expected = ["he", *(word.format(stem) for word in words), "saw", stem, "."]
            assert segmenter.segment_text(f"he {form.format(stem)} saw {stem} .").forms == [expected]


def test_rules_expand_new_forms():
    seen = [(f"{word}n't", [word, "n't"]) for word in ("do", "did", "is", "are", "was", "has")]
    segmenter = train_segmenter(treebank([["they", token, "sing", "rent", "."] for token in seen] * 20), passes=5)
    assert segmenter.segment_text("they hadn't rent").forms == [["they", "had", "n't", "rent"]]
    assert segmenter.segment_text("n't N'T").forms == [["n't", "N'T"]]


def test_multi_word_tokens_depend_on_the_context():
    sentences = treebank([["vient", ("des", ["de", "les"]), "champs"], ["mange", "des", "pommes"]] * 50)
    segmenter = train_segmenter(sentences, passes=5)
    assert segmenter.segment_text("vient des pommes").forms == [["vient", "de", "les", "pommes"]]
    assert segmenter.segment_text("mange des pommes").forms == [["mange", "des", "pommes"]]


def test_spaces_inside_tokens_are_normalised():
    draft = trained_on_numbers().segment_text("a 2 \u00a0 000 b ! 31 in 10\n500 .")
    forms = [form for sentence in draft.forms for form in sentence]
    assert forms == ["a", "2 000", "b", "!", "31", "in", "10 500", "."]


def test_a_chunk_that_breaks_a_rule_is_an_exception():
    glued = "1\tcan\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tnot\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    plain = "".join(f"{i}\tword\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in range(1, 3000)) + "\n"
    segmenter = train_segmenter(gp.read_conllu(io.BytesIO((plain + glued * 2).encode())), passes=3)
    assert tokens_of(segmenter.segment_text("word cannot cannon", by_line=True)) == [["word", "can", "not", "cannon"]]


def test_sentence_ends_are_learnt_from_one_sentence_paragraphs():
    sentences = treebank([["A", "b", "."], ["Who", "is", "b", "?"]] * 50)
    for sentence in sentences:
        sentence.comments.append("# newpar")
    assert len(train_segmenter(sentences, passes=3).segment_text("Who is b ? A b . A b .")) == 3


def test_training_needs_sentences_and_passes():
    with pytest.raises(gp.InputError, match="no sentences"):
        train_segmenter([])
    with pytest.raises(gp.UsageError, match="passes"):
        train_segmenter(treebank([["a"]]), passes=0)
