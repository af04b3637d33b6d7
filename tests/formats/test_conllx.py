"""CoNLL-X: columns and errors."""

import io

import pytest

from gardenpath import InputError
from gardenpath.formats.conllx import read_conllx

NOT_CONLLX = "CoNLL-X has no ranges and no empty nodes, so read CoNLL-U files as CoNLL-U"
TEXT = "1\tHunde\tHund\tN\tNN\tpl|nom\t2\tSB\t2\tSB\n2\tbellen\tbellen\tV\tVVFIN\t_\t0\tROOT\t_\t_\n\n"


def read(text, **options):
    return list(read_conllx(io.BytesIO(text.encode()), **options))


def test_columns():
    (sentence,) = read(TEXT)
    dogs, bark = sentence.words
    assert (dogs.form, dogs.lemma, dogs.upos, dogs.xpos, dogs.feats, dogs.head, dogs.deprel) == (
        "Hunde", "Hund", "N", "NN", "pl|nom", 2, "SB",
    )
    assert (dogs.deps, dogs.misc) == ("_", "PHEAD=2|PDEPREL=SB")
    assert (bark.head, bark.deprel, bark.deps, bark.misc) == (0, "ROOT", "_", "_")


def test_conversion_to_conllu():
    (sentence,) = read(TEXT)
    assert sentence.to_conllu() == TEXT.replace("SB\t2\tSB", "SB\t_\tPHEAD=2|PDEPREL=SB")


def test_only_one_of_phead_and_pdeprel():
    assert read(TEXT.replace("SB\t2\tSB", "SB\t2\t_"))[0].words[0].misc == "PHEAD=2"


def test_sentences_comments_and_line_ends():
    sentences = read(f"# a\n{TEXT}\n{TEXT}".replace("\n", "\r\n"))
    assert [len(sentence) for sentence in sentences] == [2, 2]
    assert (sentences[0].comments, sentences[0].newline) == (["# a"], "\r\n")


def test_heads_not_given():
    assert read(TEXT.replace("\t2\tSB\t2\tSB", "\t_\t_\t_\t_"))[0].heads == [None, 0]


@pytest.mark.parametrize("identity, problem", [
    ("1-2", f"id '1-2' is not a number; {NOT_CONLLX}"),
    ("0.1", f"id '0.1' is not a number; {NOT_CONLLX}"),
    ("2", "id 2 where 1 is expected; number the words 1, 2, 3, ..."),
])
def test_bad_ids(identity, problem):
    with pytest.raises(InputError) as caught:
        read(identity + TEXT[1:])
    assert str(caught.value) == f"<stream>:1: {problem}"


def test_reading_continues_after_an_error():
    errors = []
    assert len(read(f"x\n\n{TEXT}", on_error=errors.append)) == 1
    assert [str(error) for error in errors] == [
        "<stream>:1: 1 column instead of 10; columns are separated by single tabs, an empty one is `_`"
    ]
