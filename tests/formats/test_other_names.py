"""Attributes of other libraries: errors name the attribute of gardenpath."""

import copy
import pickle

import pytest

import gardenpath as gp
from gardenpath.formats import other_names

SENTENCE = gp.Sentence([gp.Word(1, "Dogs", head=0)], ranges=[gp.Token(1, 1, "Dogs")])
WORD, TOKEN = SENTENCE[0], SENTENCE.ranges[0]
TABLES = [
    (WORD, other_names.WORD), (TOKEN, other_names.TOKEN), (SENTENCE, other_names.SENTENCE),
    (gp.Document([SENTENCE]), other_names.DOCUMENT),
]
CASES = [(thing, name, ours) for thing, names in TABLES for name, ours in names.items()]


@pytest.mark.parametrize(("thing", "name", "ours"), CASES)
def test_the_error_names_an_attribute_that_exists(thing, name, ours):
    kind = type(thing).__name__
    with pytest.raises(AttributeError, match=f"^'{kind}' object has no attribute '{name}'; use '{ours}'$"):
        getattr(thing, name)
    with pytest.raises(AttributeError, match=f"use '{ours}'"):
        setattr(thing, name, "x")
    for part in ours.split("."):
        thing = getattr(thing, part)


@pytest.mark.parametrize(("thing", "names"), TABLES)
def test_other_names_are_not_listed(thing, names):
    assert not set(dir(thing)) & set(names)
    assert not any(hasattr(thing, name) for name in names)
    assert copy.deepcopy(thing) == thing == pickle.loads(pickle.dumps(thing))


def test_unknown_names_have_the_usual_error():
    with pytest.raises(AttributeError, match="'Word' object has no attribute 'frm'"):
        WORD.frm  # noqa: B018
