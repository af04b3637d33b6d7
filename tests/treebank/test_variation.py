"""Variation n-grams: the same words in the same context with different arcs."""

import gardenpath as gp
from gardenpath.treebank.variation import find_variations


def sentence(text, **arcs):
    """Return a sentence in which the words depend on the last one, apart from those in `arcs` (word to arc)."""
    forms = text.split()
    words = [
        gp.Word(number, form, head=0 if number == len(forms) else len(forms), deprel="dep")
        for number, form in enumerate(forms, 1)
    ]
    for name, (head, label) in arcs.items():
        words[int(name[1:]) - 1].head, words[int(name[1:]) - 1].deprel = head, label
    return gp.Sentence(words)


def test_another_label_of_the_same_words():
    usual = [sentence("we saw the old dog bark", w3=(5, "det")) for _ in range(2)]
    found = find_variations([*usual, sentence("we saw the old dog sleep", w3=(5, "case"))])
    assert found == []                       # the word after the pair is not the same
    (found,) = find_variations([*usual, sentence("they saw The old dog bark", w3=(5, "case"))])
    assert (found.sentence, found.word, found.head, found.label) == (2, 3, 5, "det")
    assert (found.same, found.others, found.example.sentence) == (1, 2, 0)


def test_a_missing_arc_is_a_variation():
    usual = [sentence("we saw the old dog bark", w3=(5, "det")) for _ in range(2)]
    found = find_variations([*usual, sentence("they saw the old dog bark", w3=(4, "det"))])
    assert (2, 3, 5, "det") in [each[:4] for each in found]


def test_equal_numbers_make_both_suspect():
    pair = [sentence("a b c", w1=(2, "x")), sentence("a b c", w1=(2, "y"))]
    assert [(each.sentence, each.label) for each in find_variations(pair)] == [(0, "y"), (1, "x")]


def test_the_same_annotation_is_no_variation():
    assert find_variations([sentence("a b c d") for _ in range(3)]) == []
