"""The raw text behind a treebank."""

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


def test_raw_text_has_spaces_and_blank_lines_where_the_treebank_says_so():
    assert raw_text(sentences()) == "Don't  go , he said.(2 000)\n\nEnd"


def test_forms_are_trusted_where_the_text_says_otherwise():
    assert raw_text(sentences()[2:]) == "End"


@pytest.mark.parametrize("comment", ["# newdoc", "# newpar", "# newpar id = 3", "#newdoc id=4"])
def test_newdoc_and_newpar_open_paragraphs(comment):
    plain = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert [len(paragraph) for paragraph in paragraphs(sentences(plain + f"{comment}\n" + plain + plain))] == [1, 2]


def test_other_comments_open_none():
    plain = "# new parser\n# newpart = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert len(paragraphs(sentences(plain * 3))) == 1
    assert paragraphs([]) == []


def test_gold_text_says_where_tokens_and_sentences_end():
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
    assert [i for i, kind in enumerate(gold.ends, 1) if kind == SENTENCE_END] == [len("Don'tgo,hesaid."), len("Don'tgo,hesaid.(2000)"), len(characters)]


def test_the_sample_is_as_its_texts():
    treebank = list(gp.read_conllu(TRAIN))
    text = raw_text(treebank)
    assert all(sentence.text in text for sentence in treebank)
    assert len(gold_text(treebank).ends) == len("".join(text.split()))


def test_a_form_of_nothing_but_space_is_reported_with_its_place():
    treebank = sentences("# sent_id = x-1\n1\t\u00a0\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(gp.InputError, match="sent_id=x-1: a token has no characters"):
        gold_text(treebank)
