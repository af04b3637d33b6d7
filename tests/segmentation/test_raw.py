"""The raw text of a treebank."""

import io

import pytest

import gardenpath as gp
from gardenpath.segmentation.raw import SENTENCE_END, TOKEN_END, gold_text, paragraphs, raw_text
from sample import TRAIN

TREEBANK = """\
# newdoc id = a
# text = Don't  go , he said.
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	_	_	_	_	_	_	_	_
2	n't	_	_	_	_	_	_	_	_
3	go	_	_	_	_	_	_	_	_
4	,	_	_	_	_	_	_	_	_
5	he	_	_	_	_	_	_	_	_
6	said	_	_	_	_	_	_	_	SpaceAfter=No
7	.	_	_	_	_	_	_	_	A=b|SpaceAfter=No

1	(	_	_	_	_	_	_	_	SpaceAfter=No
2	2 000	_	_	_	_	_	_	_	SpaceAfter=No
3	)	_	_	_	_	_	_	_	_

# newpar
# text = something else
1	End	_	_	_	_	_	_	_	_

"""


def sentences(text=TREEBANK):
    return list(gp.read_conllu(io.BytesIO(text.encode())))


def test_raw_text_keeps_spaces_and_paragraphs():
    assert raw_text(sentences()) == "Don't  go , he said.(2 000)\n\nEnd"


def test_forms_win_over_a_text_comment_that_differs():
    assert raw_text(sentences()[2:]) == "End"


@pytest.mark.parametrize("comment", ["# newdoc", "# newpar", "# newpar id = 3", "#newdoc id=4"])
def test_newdoc_and_newpar_begin_a_paragraph(comment):
    plain = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert [len(paragraph) for paragraph in paragraphs(sentences(plain + f"{comment}\n" + plain + plain))] == [1, 2]


def test_other_comments_do_not_begin_a_paragraph():
    plain = "# new parser\n# newpart = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert len(paragraphs(sentences(plain * 3))) == 1
    assert paragraphs([]) == []


def test_gold_text_marks_the_ends_of_tokens_and_sentences():
    gold = gold_text(sentences())
    assert gold.forms == ["Don't", "go", ",", "he", "said", ".", "(", "2 000", ")", "End"]
    assert gold.words[:2] == [("Do", "n't"), ("go",)]
    characters = "".join(gold.text.split())
    pieces, begin = [], 0
    for end, kind in enumerate(gold.ends, 1):
        if kind >= TOKEN_END:
            pieces.append(characters[begin:end])
            begin = end
    assert pieces == [form.replace(" ", "") for form in gold.forms]
    sentence_ends = [i for i, kind in enumerate(gold.ends, 1) if kind == SENTENCE_END]
    assert sentence_ends == [len("Don'tgo,hesaid."), len("Don'tgo,hesaid.(2000)"), len(characters)]


def test_raw_text_of_the_sample_contains_its_text_comments():
    treebank = list(gp.read_conllu(TRAIN))
    text = raw_text(treebank)
    assert all(sentence.text in text for sentence in treebank)
    assert len(gold_text(treebank).ends) == len("".join(text.split()))


def test_a_blank_form_is_an_error_that_names_the_sentence():
    treebank = sentences("# sent_id = x-1\n1\t\u00a0\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(gp.InputError, match="sent_id=x-1: a token has no characters"):
        gold_text(treebank)
