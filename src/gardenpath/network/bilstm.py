"""Bidirectional LSTMs over packed sequences: native on a CPU, cuDNN on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn.utils.rnn import PackedSequence

from gardenpath.network import recurrence
from gardenpath.network.products import linear, multiply

_DIRECTIONS = ThreadPoolExecutor(2, "gardenpath-lstm")        # runs the two directions at the same time
is_sequential = False                                         # whether the two directions run one after the other


def use_one_thread() -> None:
    """Use one thread for all computations, in a worker process that has one core."""
    global is_sequential
    is_sequential = True
    torch.set_num_threads(1)


def _for_both(run: Callable[[int], Any]) -> list[Any]:
    """Call a function for each direction: 0 is forwards, 1 is backwards."""
    return [run(0), run(1)] if is_sequential else list(_DIRECTIONS.map(run, range(2)))


class _Recurrence(Function):
    """The states of both directions, from the inputs of their gates. The inputs are overwritten."""

    @staticmethod
    def forward(ctx: Any, sizes: Tensor, *given: Tensor) -> tuple[Tensor, ...]:
        """Return the states; `given` are the inputs of the gates and the recurrent weights of each direction."""
        gates, weights = given[:2], given[2:]
        size = weights[0].shape[1]
        kept: list[list[Tensor]] = [[each.new_empty(len(each), size) for _ in range(3)] for each in gates]

        def run(direction: int) -> None:
            arrays = [tensor.detach().numpy() for tensor in (gates[direction], *kept[direction])]
            recurrence.run(sizes.numpy(), direction == 1, weights[direction].detach().t().contiguous().numpy(), *arrays)

        _for_both(run)
        ctx.save_for_backward(sizes, *given, *kept[0], *kept[1])
        return kept[0][2], kept[1][2]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *from_states: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients of the inputs of the gates and of the weights."""
        sizes, *rest = ctx.saved_tensors
        gates, weights, kept = rest[:2], rest[2:4], (rest[4:7], rest[7:])

        def run(direction: int) -> Tensor:
            cells, squashed, states = kept[direction]
            matrix, *arrays = (
                tensor.detach().contiguous().numpy()
                for tensor in (weights[direction], cells, squashed, from_states[direction])
            )
            recurrence.run_back(sizes.numpy(), direction == 1, matrix, gates[direction].detach().numpy(), *arrays)
            return _before(states, sizes, direction == 1)

        before = _for_both(run)
        products = [multiply(from_gates.t(), states) for from_gates, states in zip(gates, before, strict=True)]
        return None, *gates, *products


def _before(states: Tensor, sizes: Tensor, backwards: bool) -> Tensor:
    """Return, for each word, the state before it; zeros at the start of a sentence."""
    result = torch.zeros_like(states)
    if len(sizes) == 1:
        return result
    rows = torch.arange(int(sizes[1:].sum())) + int(sizes[0])           # the words that are not the first ones
    earlier = rows - torch.repeat_interleave(sizes[:-1], sizes[1:])
    if backwards:
        result[earlier] = states[rows]
    else:
        result[rows] = states[earlier]
    return result


def run_bidirectional(lstm: nn.LSTM, inputs: Tensor, sizes: Tensor) -> Tensor:
    """Return the states of both directions, side by side, for packed inputs with these sizes of steps (on the CPU)."""
    if inputs.device.type != "cpu":
        return lstm(PackedSequence(inputs, sizes))[0].data
    parameters = dict(lstm.named_parameters())
    gates, weights = [], []
    for end in ("l0", "l0_reverse"):
        bias = parameters[f"bias_ih_{end}"] + parameters[f"bias_hh_{end}"]
        gates.append(linear(inputs, parameters[f"weight_ih_{end}"], bias))
        weights.append(parameters[f"weight_hh_{end}"])
    return torch.cat(_Recurrence.apply(sizes, *gates, *weights), 1)


def last_states(states: Tensor, lengths: Tensor, sizes: Tensor) -> Tensor:
    """Return the last state of either direction, for sequences with these lengths, the longest first."""
    first = torch.cumsum(sizes, 0) - sizes
    ends = first[lengths - 1] + torch.arange(len(lengths))
    half = states.shape[1] // 2
    return torch.cat([states[ends.to(states.device), :half], states[: len(lengths), half:]], 1)
