"""FEATS: a string for old code, a mapping for new code."""

import json
import pickle
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath import Features, Sentence, UsageError, Word

NAMES = st.text("ABCxyz[]", min_size=1, max_size=4)


def test_a_mapping():
    feats = Word(1, "she", feats="Case=Nom|Gender=Fem|Number=Sing").feats
    assert isinstance(feats, Mapping)
    assert (feats["Case"], feats.get("Tense"), feats.get("Tense", "Past")) == ("Nom", None, "Past")
    assert (list(feats), len(feats), dict(feats.items())) == (["Case", "Gender", "Number"], 3, dict(feats))
    assert list(feats.values()) == ["Nom", "Fem", "Sing"]
    assert "Case" in feats
    assert "Case=Nom" in feats
    assert "Cas" not in feats
    assert "Nom" not in feats
    assert 1 not in feats
    with pytest.raises(KeyError):
        feats["Tense"]


def test_a_string():
    word = Word(1, "she", feats="Case=Nom")
    assert word.feats == "Case=Nom"
    assert {"Case=Nom": 1}[word.feats] == 1
    assert (word.feats[0], word.feats[-3:], word.feats.split("=")) == ("C", "Nom", ["Case", "Nom"])
    assert f"{word.feats}|x" == "Case=Nom|x"
    assert json.dumps(word.feats) == '"Case=Nom"'
    assert pickle.loads(pickle.dumps(word.feats)) == word.feats
    assert type(str(word.feats)) is type(word.raw_feats) is str


def test_no_features():
    feats = Word(1, "x").feats
    assert (feats, len(feats), bool(feats), list(feats), "_" in feats) == ("_", 0, False, [], False)
    assert dict(Word(1, "x", feats="fem|sg").feats) == {"fem": "", "sg": ""}


def test_assignment():
    word = Word(1, "x")
    word.feats = "Number=Sing"
    assert word.columns()[5] == "Number=Sing"
    word.feats = {"Number": "Plur", "case": "Nom", "Abbr": None}
    assert word.feats == "case=Nom|Number=Plur"
    word.feats = word.feats.updated({"Number[psor]": "Sing"}, case=None)
    assert Sentence([word]).to_conllu().split("\t")[5] == "Number=Plur|Number[psor]=Sing"
    word.feats = {}
    assert word.raw_feats == "_"
    assert Word(1, "x", feats={"A": "b"}).raw_feats == "A=b"
    for wrong in (None, 3, {"A=b": "c"}, {"A": "b|c"}, {"A": 1}, {"": "x"}, {"A b": "x"}):
        with pytest.raises(UsageError, match="FEATS"):
            word.feats = wrong


@given(st.dictionaries(NAMES, NAMES))
def test_a_mapping_comes_back(pairs):
    feats = Features.of(pairs)
    assert dict(feats) == pairs
    assert list(feats) == sorted(pairs, key=lambda name: (name.lower(), name))
    assert feats.updated() == feats
