"""Pictures and checks of long sentences: twice as many words take about twice as many steps.

A step is a line of our Python code that runs, so the result does not depend on the machine. Times are in
benchmarks/growth.py.
"""

import io
import os
import sys

import pytest

import gardenpath as gp
from gardenpath.treebank.checking import check

PACKAGE = os.path.dirname(gp.__file__) + os.sep


def star(words):
    return [0] + [1] * (words - 1)


def halves(words):
    """Return heads with crossing arcs: a word of the second half depends on its counterpart in the first half."""
    return [0, *(1 if word <= words // 2 else word - words // 2 for word in range(2, words + 1))]


def written(heads):
    rows = (
        f"{i}\tw\tw\tNOUN\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n" for i, head in enumerate(heads, 1)
    )
    return ("".join(rows) + "\n").encode()


def steps(work):
    """Return the number of lines of gardenpath that run."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def picture(data):
    (sentence,) = gp.read_conllu(io.BytesIO(data))
    return sentence.to_svg


def checked(data):
    return lambda: check(io.BytesIO(data))


@pytest.mark.parametrize("work", [picture, checked])
@pytest.mark.parametrize("tree", [star, halves])
def test_twice_as_many_words_take_about_twice_as_many_steps(work, tree):
    short, long = (steps(work(written(tree(words)))) for words in (100, 200))
    assert 1.5 * short < long < 3 * short


def test_steps_are_counted():
    assert steps(lambda: None) == 0
    assert steps(lambda: [gp.read_conllu(io.BytesIO(b""))]) > 0
