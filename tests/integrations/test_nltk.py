"""NLTK: our graph equals the one that NLTK reads, and converts back."""

import pytest
from nltk.parse import DependencyGraph

from gardenpath import InputError, Sentence, Token, UsageError, Word, read_conllu
from gardenpath.integrations import nltk
from gardenpath.integrations.nltk import from_nltk, to_nltk
from sample import DEV

DOGS = Sentence(
    [
        Word(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 2, "nsubj", misc="X=1"),
        Word(2, "bark", "bark", "VERB", "VBP", "_", 0, "root"),
    ],
    ["# sent_id = 1"],
    [Token(1, 2, "Dogsbark")],
)


def plain(graph):
    return {
        address: {**node, "deps": {relation: found for relation, found in node["deps"].items() if found}}
        for address, node in graph.nodes.items()
    }


def test_field_by_field():
    graph = to_nltk(DOGS)
    assert plain(graph)[1] == {
        "address": 1, "word": "Dogs", "lemma": "dog", "ctag": "NOUN", "tag": "NNS", "feats": "Number=Plur", "head": 2,
        "rel": "nsubj", "deps": {},
    }
    assert plain(graph)[0]["deps"] == {"root": [2]}
    assert graph.root["word"] == "bark"
    assert list(graph.triples()) == [(("bark", "VERB"), "nsubj", ("Dogs", "NOUN"))]
    assert str(graph.tree()) == "(bark Dogs)"


def test_it_equals_what_nltk_reads():
    for sentence in read_conllu(DEV):
        text = "\n".join("\t".join(word.columns()) for word in sentence)
        theirs = DependencyGraph(text, cell_separator="\t", top_relation_label="root")
        ours = to_nltk(sentence)
        assert plain(ours) == plain(theirs)
        assert ours.root == theirs.root
        assert ours.to_conll(10) == theirs.to_conll(10)


def test_it_converts_back():
    for sentence in (DOGS, *read_conllu(DEV)):
        expected = [(*word.columns()[:8], "_", "_") for word in sentence]
        assert [word.columns() for word in from_nltk(to_nltk(sentence))] == expected


def test_graphs_of_nltk_are_read():
    sentence = from_nltk(DependencyGraph("John N 2\nloves V 0\nMary N 2"))
    assert [(word.form, word.lemma, word.upos, word.head, word.deprel) for word in sentence] == [
        ("John", "John", "N", 2, "_"), ("loves", "loves", "V", 0, "_"), ("Mary", "Mary", "N", 2, "_"),
    ]


def test_incomplete_trees():
    """No heads, a head beyond the sentence, two roots, no words."""
    graph = to_nltk(Sentence([Word(1, "a"), Word(2, "b", head=7)]))
    assert graph.root is None
    assert sorted(graph.nodes) == [0, 1, 2]
    assert to_nltk(Sentence([Word(1, "a", head=0), Word(2, "b", head=0)])).root["word"] == "a"
    assert len(from_nltk(to_nltk(Sentence()))) == 0


def test_gaps_in_the_numbers_are_an_error():
    graph = to_nltk(DOGS)
    graph.remove_by_address(1)
    with pytest.raises(InputError, match=r"numbered 2; number them 1, 2, 3"):
        from_nltk(graph)


def test_an_error_if_nltk_is_missing(monkeypatch):
    monkeypatch.setattr(nltk, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="pip install nltk"):
        to_nltk(DOGS)
