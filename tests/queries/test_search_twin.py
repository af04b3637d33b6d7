"""The native search finds the same as trying all assignments, for random sentences and random patterns."""

from random import Random

import pytest

import gardenpath as gp
from gardenpath.queries import Index
from queries.random_trees import Writer, sentence
from queries.slow_search import slow_search

SENTENCES = 25


@pytest.mark.parametrize("seed", range(12))
def test_random_patterns(seed):
    random = Random(seed)
    sentences = [sentence(random) for _ in range(SENTENCES)]
    index = Index(sentences)
    found = 0
    for _ in range(25):
        text = Writer(random).pattern()
        expected = [(id(each), ids) for each in sentences for ids in slow_search(each, text)]
        got = [(id(match.sentence), tuple(match.ids.values())) for match in gp.search(index, text)]
        assert got == expected, text
        found += len(got)
    assert found


def test_a_list_gives_the_same_as_an_index():
    random = Random(99)
    sentences = [sentence(random) for _ in range(400)]
    text = "pattern { X -[^obj]-> Y; X [!Number] } without { Y -> Z }"
    expected = [ids for each in sentences for ids in slow_search(each, text)]
    assert [tuple(match.ids.values()) for match in gp.search(sentences, text)] == expected
