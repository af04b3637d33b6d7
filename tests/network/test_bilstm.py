"""The native recurrence equals the LSTM of PyTorch: states and gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from gardenpath.errors import UsageError
from gardenpath.network import bilstm, products, recurrence

pytestmark = pytest.mark.usefixtures("single_precision")

LENGTHS = {
    "one word": [1], "single words": [1, 1, 1], "one sentence": [7], "equal": [4, 4, 4], "mixed": [9, 5, 5, 2, 1],
    "many": [*range(23, 0, -1)], "one long": [40, 1, 1],
}


@pytest.fixture(params=recurrence.available())
def instruction_set(request):
    recurrence.use(request.param)
    yield request.param
    recurrence.use(recurrence.available()[0])


def steps_of(lengths):
    """Return the number of sequences that have each position."""
    return torch.tensor([sum(length > step for length in lengths) for step in range(max(lengths))])


def example(lengths, inputs, hidden, scale=1.0):
    """Return an LSTM, inputs for it, and weights of a sum of its states."""
    generator = torch.Generator().manual_seed(hidden + len(lengths))
    lstm = nn.LSTM(inputs, hidden, bidirectional=True)
    for parameter in lstm.parameters():
        nn.init.normal_(parameter, 0, scale * hidden**-0.5, generator=generator)
    x = torch.randn(sum(lengths), inputs, generator=generator, requires_grad=True)
    return lstm, x, torch.randn(sum(lengths), 2 * hidden, generator=generator)


def results(run, lstm, x, weights):
    """Return the states, and the gradients of a weighted sum of them."""
    lstm.zero_grad()
    x.grad = None
    states = run(lstm, x)
    (states * weights).sum().backward()
    return [states.detach(), x.grad.clone(), *(parameter.grad.clone() for parameter in lstm.parameters())]


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("inputs, hidden", [(3, 16), (16, 48), (40, 96), (5, 112)])
def test_states_and_gradients_are_those_of_torch(instruction_set, lengths, inputs, hidden):
    lstm, x, weights = example(lengths, inputs, hidden)
    sizes = steps_of(lengths)
    own = results(lambda lstm, x: bilstm.run_bidirectional(lstm, x, sizes), lstm, x, weights)
    # In double precision, so that the difference is the error of the native code alone.
    wanted = results(
        lambda lstm, x: lstm(PackedSequence(x, sizes))[0].data, lstm.double(), x.detach().double().requires_grad_(),
        weights.double(),
    )
    for mine, theirs in zip(own, wanted, strict=True):
        torch.testing.assert_close(mine.double(), theirs, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("scale", [30.0, 1e4, 1e30])
def test_extreme_weights_saturate(instruction_set, scale):
    lengths = [5, 3]
    lstm, x, weights = example(lengths, 4, 16, scale)
    own = results(lambda lstm, x: bilstm.run_bidirectional(lstm, x, steps_of(lengths)), lstm, x, weights)
    assert own[0].abs().max() <= 1
    for array in own:
        assert torch.isfinite(array).all()
    expected = lstm(PackedSequence(x, steps_of(lengths)))[0].data
    torch.testing.assert_close(own[0], expected, rtol=1e-4, atol=1e-4)


def test_instruction_sets_agree():
    found = []
    for name in recurrence.available():
        recurrence.use(name)
        lstm, x, weights = example([6, 4, 1], 8, 32)
        found.append(results(lambda lstm, x: bilstm.run_bidirectional(lstm, x, steps_of([6, 4, 1])), lstm, x, weights))
    recurrence.use(recurrence.available()[0])
    for other in found[1:]:
        for mine, theirs in zip(found[0], other, strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-5)
    with pytest.raises(UsageError, match="choose from"):
        recurrence.use("abacus")


def test_bfloat16_is_nearly_the_same(monkeypatch):
    lstm, x, weights = example([9, 4, 4], 8, 32)
    sizes = steps_of([9, 4, 4])
    both = []
    for halves in (False, True):
        monkeypatch.setattr(products, "_HALVES", halves)
        both.append(results(lambda lstm, x: bilstm.run_bidirectional(lstm, x, sizes), lstm, x, weights))
    for exact, rounded in zip(*both, strict=True):
        assert rounded.dtype == torch.float32
        assert (exact - rounded).norm() < 0.02 * exact.norm()


def test_threads_do_not_change_a_bit(monkeypatch):
    lstm, x, weights = example([9, 4, 4], 8, 32)
    sizes = steps_of([9, 4, 4])
    both = []
    for alone in (True, False):
        monkeypatch.setattr(bilstm, "is_sequential", alone)
        both.append(results(lambda lstm, x: bilstm.run_bidirectional(lstm, x, sizes), lstm, x, weights))
    assert all(torch.equal(*pair) for pair in zip(*both, strict=True))


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_last_states(lengths):
    lstm, x, _ = example(lengths, 3, 16)
    sizes = steps_of(lengths)
    states = bilstm.run_bidirectional(lstm, x, sizes)
    padded = pad_packed_sequence(PackedSequence(states, sizes))[0]
    wanted = [
        torch.cat([padded[length - 1, i, :16], padded[0, i, 16:]]) for i, length in enumerate(lengths)
    ]
    assert torch.equal(bilstm.last_states(states, torch.tensor(lengths), sizes), torch.stack(wanted))


def arrays(sizes=(2, 1), size=16, **changes):
    rows = sum(sizes)
    shapes = {"weights": (size, 4 * size), "gates": (rows, 4 * size)} | dict.fromkeys(
        ("cells", "squashed", "states"), (rows, size)
    )
    return np.array(sizes, np.int64), False, *(np.zeros(shape, np.float32) for shape in (shapes | changes).values())


def test_arrays_that_do_not_fit_are_refused():
    recurrence.run(*arrays())
    for wrong in (
        {"sizes": (1, 2)}, {"sizes": (0,)}, {"sizes": (2, -1)}, {"sizes": ()}, {"size": 8}, {"weights": (16, 16)},
        {"gates": (3, 16)}, {"gates": (2, 64)}, {"cells": (2, 16)}, {"squashed": (3, 15)}, {"states": (4, 16)},
    ):
        with pytest.raises(UsageError, match="do not fit"):
            recurrence.run(*arrays(**wrong))
        turned = {"weights": (16, 64)} if wrong == {"weights": (16, 16)} else {"weights": (64, 16)} | wrong
        with pytest.raises(UsageError, match="do not fit"):
            recurrence.run_back(*arrays(**turned))
