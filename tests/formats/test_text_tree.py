"""Trees as text: an example, every small tree read back from its drawing, and what is not a tree."""

from __future__ import annotations

import random
import re

import pytest

from brute import all_trees, random_tree
from gardenpath import Document, Sentence, Word
from gardenpath.formats import registry

LINE = re.compile(r" *(\d+) ([┌├└│─ ]*)w(\d+)")


def drawn(heads):
    return Sentence([Word(i, f"w{i}", head=head) for i, head in enumerate(heads, 1)]).to_tree()


def read_back(drawing):
    """Return the heads in a drawing of words called w1, w2, ..."""
    found = [LINE.fullmatch(line) for line in drawing.splitlines()]
    rows = [(int(match[3]), match[2], len(match[2]) // 3) for match in found]
    assert all(match[1] == match[3] for match in found)
    heads = {}
    for i, (word, start, level) in enumerate(rows):
        if not level:
            heads[word] = 0
            continue
        column = 3 * (level - 1)
        up, down = ("└" in start or "├" in start), ("┌" in start or "├" in start)
        for step in [-1] * up + [1] * down:
            j = i + step
            while rows[j][2] >= level and rows[j][1][column] in "│├":
                j += step
            if rows[j][2] == level - 1:
                heads[word] = rows[j][0]
    return tuple(heads[word] for word in sorted(heads))


def test_an_example():
    words = [("She", "PRON", 2, "nsubj"), ("reads", "VERB", 0, "root"), ("old", "ADJ", 4, "amod"),
             ("books", "NOUN", 2, "obj"), (".", "PUNCT", 2, "punct")]
    sentence = Sentence(
        [Word(i, form, upos=upos, head=head, deprel=deprel) for i, (form, upos, head, deprel) in enumerate(words, 1)]
    )
    assert sentence.to_tree() == """\
1 ┌─ She PRON nsubj
2 reads VERB root
3 │  ┌─ old ADJ amod
4 ├─ books NOUN obj
5 └─ . PUNCT punct
"""
    assert Document([sentence, sentence]).to_tree() == f"{sentence.to_tree()}\n{sentence.to_tree()}"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_tree_can_be_read_back(size):
    for heads in all_trees(size):
        assert read_back(drawn(heads)) == tuple(heads)


def test_large_trees_can_be_read_back_and_projective_ones_are_in_order():
    rng = random.Random(3)
    for _ in range(50):
        heads = tuple(random_tree(rng, 40))
        assert read_back(drawn(heads)) == heads
    flat = drawn([0] + [1] * 5000)
    assert [int(line.split()[0]) for line in flat.splitlines()] == list(range(1, 5002))


def test_words_without_a_head_are_drawn_at_the_left():
    assert drawn([None, 1, 9]) == "1 w1\n2 └─ w2\n3 w3\n"


def test_odd_characters_stay_in_their_line_and_do_not_reach_the_terminal():
    sentence = Sentence([Word(1, "a\u2028b\x00c", upos="\u202ex\x85", head=0, deprel="\x9b1m\ny")])
    assert sentence.to_tree() == "1 a b\ufffdc \ufffdx \ufffd1m y\n"


def test_cycles_name_a_head():
    assert drawn([0, 3, 2]) == "1 w1\n2 w2 (head 3)\n3 └─ w3\n"
    assert drawn([2, 1, 2]) == "1 w1 (head 2)\n2 └─ w2\n3    └─ w3\n"


@pytest.mark.parametrize("heads", [range(450), [*range(2, 451), 0]])
def test_deep_trees_begin_again_at_the_left(heads):
    lines = drawn(heads).splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(1, 451))
    named = [(int(line.split()[0]), int(line.rpartition(" ")[2][:-1])) for line in lines if "(head" in line]
    assert len(named) == 2
    assert all(heads[word - 1] == head for word, head in named)
    assert max(map(len, lines)) < 3 * 200 + 20


def test_ids_that_are_not_positions():
    assert Sentence([Word(5, "a", head=2), Word(1, "b", head=0)]).to_tree() == "1 ┌─ a\n2 b\n"
    assert Sentence().to_tree() == ""


def test_files_have_the_text_above_each_tree(tmp_path):
    sentence = Sentence([Word(1, "Yes", head=0, deprel="root")], comments=["# text = Yes"])
    registry.write([sentence, sentence], tmp_path / "trees", "tree")
    assert (tmp_path / "trees").read_text(encoding="utf-8") == "Yes\n1 Yes root\n\n" * 2
