"""Mapping in threads: ordered, lazy, and complete if the input fails."""

import sys
import threading
import time
import traceback
from itertools import count, islice

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.interruption import StoppedError, check, stopping_if
from gardenpath.threads import in_order
from sample import trained
from waiting import HANG, wait_until


def slow(number):
    time.sleep(0.01 * (number % 3 == 0))
    return 2 * number


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_the_order_of_the_items(threads):
    assert list(in_order(slow, range(40), threads)) == [2 * number for number in range(40)]


@pytest.mark.parametrize("threads", [1, 3])
def test_items_are_read_lazily(threads):
    taken = []
    items = (taken.append(number) or number for number in count())
    assert list(islice(in_order(slow, items, threads), 3)) == [0, 2, 4]
    assert len(taken) <= 3 + 2 * threads + 1


@pytest.mark.parametrize("threads", [1, 3])
def test_results_before_an_input_error_are_yielded(threads):
    def items():
        yield from range(5)
        raise InputError("line 6")

    work = in_order(slow, items(), threads)
    assert list(islice(work, 5)) == [0, 2, 4, 6, 8]
    with pytest.raises(InputError, match="line 6"):
        next(work)


def test_zero_threads_raise_an_error():
    with pytest.raises(UsageError, match="threads must be 1 or more, not 0"):
        list(in_order(slow, [1], 0))


def test_items_that_have_not_begun_are_dropped_when_the_results_are_not_needed():
    gate, begun = threading.Event(), []

    def wait(number):
        begun.append(number)
        if number:
            gate.wait()

    work = in_order(wait, count(), 2)
    next(work)
    closing = threading.Thread(target=work.close)
    closing.start()
    wait_until(lambda: "join" in functions_of(closing))       # the items are dropped before the threads are joined
    gate.set()
    closing.join(HANG)
    assert set(begun) <= {0, 1, 2}


def test_items_that_are_processed_stop_at_their_next_check():
    """Without this, the test would never end."""
    def endless(number):
        while number:
            check()

    work = in_order(endless, count(), 2)
    next(work)
    work.close()


def test_a_parse_stops_at_a_check():
    sentences = [Sentence([Word(1, "a", upos="X", xpos="X")]) for _ in range(1000)]
    model = trained()
    with stopping_if(lambda: True), pytest.raises(StoppedError):
        model.parse(sentences)
    assert len(model.parse(sentences)) == 1000


@pytest.mark.parametrize("beam, words", [(1, 20_000), (4, 1_000)])
def test_the_parse_of_a_long_sentence_stops_at_a_check(beam, words):
    """It stops within the sentence, not only between sentences."""
    sentence = Sentence([Word(i, "a", upos="X", xpos="X") for i in range(1, words + 1)])
    model = trained()
    with stopping_if(lambda: True), pytest.raises(StoppedError):
        model.parse([sentence], beam=beam)
    assert sentence.words[0].head is None


def functions_of(thread):
    """The names of the functions that a thread is in."""
    return [call.name for call in traceback.extract_stack(sys._current_frames()[thread.ident])]
