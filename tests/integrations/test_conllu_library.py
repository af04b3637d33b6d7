"""The library conllu: our `TokenList` equals the one that the library reads, and converts back without loss."""

import conllu as library
import pytest

from gardenpath import EmptyNode, InputError, Sentence, Token, UsageError, Word, read_conllu
from gardenpath.integrations import conllu
from gardenpath.integrations.conllu import from_tokenlist, to_tokenlist
from sample import DEV

DOGS = Sentence(
    [
        Word(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 2, "nsubj", "2:nsubj|3.1:nsubj:pass", "_"),
        Word(2, "do", "do", "AUX", "_", "_", 0, "root", misc="SpaceAfter=No|Flag"),
        Word(3, "n't", "_", "PART", "RB", head=2, deprel="advmod"),
    ],
    ["# newdoc id = d", "# newpar", "# sent_id = 1", "# text = Dogs don't"],
    [Token(2, 3, "don't", ("_",) * 7 + ("X=y",))],
    [EmptyNode(0, 1, "they"), EmptyNode(3, 1, "bark", ("bark", "VERB", *("_",) * 4, "2:conj", "_"))],
)
LOSSY = Sentence(
    [Word(1, "a  b", feats="fem|fem", misc="Gloss=a=b", deps="2"), Word(2, "_", misc="A=|B=_", feats="A=1|A=2")],
    ["# a comment", "#", "# x ="],
)


def test_field_by_field():
    tokens = to_tokenlist(DOGS)
    assert [token["id"] for token in tokens] == [(0, ".", 1), 1, (2, "-", 3), 2, 3, (3, ".", 1)]
    assert dict(tokens[1]) == {
        "id": 1, "form": "Dogs", "lemma": "dog", "upos": "NOUN", "xpos": "NNS", "feats": {"Number": "Plur"}, "head": 2,
        "deprel": "nsubj", "deps": [("nsubj", 2), ("nsubj:pass", (3, ".", 1))], "misc": None,
    }
    assert tokens[2]["misc"] == {"X": "y"}
    assert tokens[3]["xpos"] is None
    assert tokens[3]["misc"] == {"SpaceAfter": "No", "Flag": ""}
    assert tokens.metadata == {"newdoc id": "d", "newpar": None, "sent_id": "1", "text": "Dogs don't"}
    assert tokens.to_tree().token["form"] == "do"


@pytest.mark.parametrize("sentence", [DOGS, *list(read_conllu(DEV))[:20]], ids=lambda sentence: sentence.sent_id)
def test_it_equals_what_the_library_reads(sentence):
    (theirs,) = library.parse(sentence.to_conllu())
    ours = to_tokenlist(sentence)
    assert ours == theirs
    assert ours.metadata == theirs.metadata
    assert [list(token.items()) for token in ours] == [list(token.items()) for token in theirs]
    assert ours.serialize() == sentence.to_conllu()


@pytest.mark.parametrize(
    "sentence", [DOGS, LOSSY, *list(read_conllu(DEV))[:20]], ids=lambda sentence: str(sentence.sent_id)
)
def test_it_converts_back(sentence):
    back = from_tokenlist(to_tokenlist(sentence))
    assert back.to_conllu().replace("# x = \n", "# x =\n") == sentence.to_conllu()
    assert (back.ranges, back.empty_nodes) == (sentence.ranges, sentence.empty_nodes)


def test_tokens_with_missing_fields_are_read():
    tokens = library.TokenList(
        [{"id": 1, "form": "a", "upostag": "X", "head": 0}, {"id": 2, "form": "b"}], library.Metadata(sent_id="7")
    )
    sentence = from_tokenlist(tokens)
    assert sentence.sent_id == "7"
    assert [word.columns() for word in sentence] == [Word(1, "a", upos="X", head=0).columns(), Word(2, "b").columns()]


@pytest.mark.parametrize(
    "token, fault",
    [
        ({"id": 2, "form": "a"}, "TokenList as CoNLL-U:1: id 2 where 1 is expected"),
        ({"id": 1, "form": "a\tb"}, "11 columns"),
        ({"id": 1, "form": "a", "misc": "_\n2" + 9 * "\t_"}, "line break"),
        ({"form": "a"}, "id '_' is neither"),
    ],
)
def test_errors_name_the_problem(token, fault):
    with pytest.raises(InputError, match=fault):
        from_tokenlist(library.TokenList([token]))


def test_an_error_if_the_library_is_missing(monkeypatch):
    monkeypatch.setattr(conllu, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="pip install conllu"):
        to_tokenlist(DOGS)
