"""Agreement of annotations: scores, Cohen's kappa, confusions, and the words that differ."""

import random

import pytest

import gardenpath as gp
from gardenpath.evaluation import cohen, diff_all
from gardenpath.evaluation.kappa import cohen_by_category
from gardenpath.report.difference_page import difference_page
from sample import DEV


def sentence(*rows, ranges=()):
    words = [
        gp.Word(number, form, lemma=form, upos=upos, head=head, deprel=label)
        for number, (form, upos, head, label) in enumerate(rows, 1)
    ]
    return gp.Sentence(words, ranges=list(ranges))


def first():
    return [sentence(("I", "PRON", 2, "nsubj"), ("saw", "VERB", 0, "root"), ("him", "PRON", 2, "obj"))]


def test_cohen_of_a_worked_example():
    # Cohen (1960) with 2 x 2: 20 and 15 agreements, 5 and 10 disagreements; expected 0.5, observed 0.7.
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    result = cohen(*zip(*pairs, strict=True))
    assert (result.observed, result.expected, result.items) == (0.7, 0.5, 50)
    assert result.value == pytest.approx(0.4)
    by_category = cohen_by_category(*zip(*pairs, strict=True))
    assert [by_category[name].value for name in ("yes", "no")] == pytest.approx([0.4, 0.4])


def test_kappa_of_a_category_is_that_of_a_yes_or_no_question():
    choose = random.Random(1)
    one, other = ([choose.choice("abcd") for _ in range(200)] for _ in range(2))
    for name, found in cohen_by_category(one, other).items():
        expected = cohen([value == name for value in one], [value == name for value in other])
        assert (found.observed, found.expected) == pytest.approx((expected.observed, expected.expected))


def test_kappa_is_unknown_without_a_choice():
    assert cohen(["a", "a"], ["a", "a"]).value is None
    assert cohen([], []).value is None


def test_equal_annotations():
    result = gp.diff(first(), first())
    assert set(result.scores.values()) == {100.0}
    assert [kappa.value for kappa in result.kappa.values()] == [1.0, 1.0, 1.0]
    assert result.sentences == []


def test_words_that_differ():
    other = first()
    other[0].words[0].upos = "PROPN"
    other[0].words[2].head, other[0].words[2].deprel = 1, "obl"
    result = gp.diff(first(), other)
    (found,) = result.sentences
    assert [(word.first.id, word.columns) for word in found.words] == [(1, ("upos",)), (3, ("head", "deprel"))]
    assert [str(arc) for arc in (found.words[1].first_arc, found.words[1].second_arc)] == ["obj of 2 saw", "obl of 1 I"]
    assert result.scores["UAS"] == result.scores["LAS"] == result.scores["UPOS"] == pytest.approx(200 / 3)
    assert result.confusion()["obj", "obl"] == 1
    assert result.confusion("upos") == {("PRON", "PROPN"): 1, ("VERB", "VERB"): 1, ("PRON", "PRON"): 1}


def test_subtypes_can_be_ignored():
    other = first()
    other[0].words[0].deprel = "nsubj:pass"
    assert gp.diff(first(), other).scores["LAS"] < 100
    assert gp.diff(first(), other, subtypes=False).sentences == []


def test_tokens_may_differ():
    one = [sentence(("can", "AUX", 3, "aux"), ("not", "PART", 3, "advmod"), ("go", "VERB", 0, "root"))]
    other = [sentence(("cannot", "AUX", 2, "aux"), ("go", "VERB", 0, "root"))]
    result = gp.diff(one, other)
    (found,) = result.sentences
    assert [(word.first and word.first.form, word.second and word.second.form) for word in found.words] == [
        ("can", None), ("not", None), (None, "cannot"),
    ]
    assert result.conditions.startswith("Different tokens, words aligned by characters; same sentences;")
    assert result.kappa["heads"].items == 1
    assert "no such word" in difference_page(result)


def test_sentences_may_differ():
    one = [sentence(("Go", "VERB", 0, "root"), ("Stop", "VERB", 1, "parataxis"))]
    other = [sentence(("Go", "VERB", 0, "root")), sentence(("Stop", "VERB", 0, "root"))]
    (found,) = gp.diff(one, other).sentences
    assert len(found.second) == 2
    assert difference_page(gp.diff(one, other)).count("<svg") == 3


def test_every_pair_of_annotators_is_compared():
    annotations = [first() for _ in range(3)]
    annotations[2][0].words[2].deprel = "iobj"
    assert [round(each.scores["LAS"]) for each in diff_all(annotations)] == [100, 67, 67]
    with pytest.raises(gp.UsageError, match="at least two annotations"):
        diff_all(annotations[:1])


def test_the_page_marks_the_words_and_filters_by_label():
    other = list(gp.read_conllu(DEV))
    word = other[0].words[0]
    word.deprel = "vocative"
    page = difference_page(gp.diff(DEV, other))
    assert page.count('<section class="item') == 1
    assert page.count(f'.gp-label-group[data-dependent="{word.id}"]') == 2
    assert "vocative (1)" in page
    assert "<script" not in page


def test_the_result_as_plain_values():
    other = first()
    other[0].words[2].deprel = "iobj"
    plain = gp.diff(first(), other).to_dict()
    assert plain["sentences"][0]["words"][0]["columns"] == ["deprel"]
    assert plain["by_label"]["root"]["kappa"] == 1.0
    assert ["obj", "iobj", 1] in plain["confusion"]["deprel"]
