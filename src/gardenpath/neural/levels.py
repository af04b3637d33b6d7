"""What is computed level by level: arcs composed into node vectors, and LSTMs that run up trees of states.

Both write the results of a level next to each other into one table, and are differentiated by hand: one product a level, and one for each weight at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

Taken = tuple[np.ndarray, np.ndarray, np.ndarray]   # records, their levels and their owners
Bounds = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Levels:
    """Records in the order of their levels: the results of a level have ids in one range."""

    records: Tensor
    owners: Tensor
    bounds: Bounds      # of the records of each level
    places: np.ndarray  # by old id, the new one

    @classmethod
    def of(cls, taken: Taken, first: int, links: int, device: torch.device) -> Levels:
        """Order the records of a board, whose first result is `first` and whose first `links` numbers are ids of results."""
        records, levels, owners = taken
        order = np.argsort(levels, kind="stable")
        places = np.arange(first + len(order))
        places[first + order] = np.arange(first, first + len(order))
        records = records[order]
        records[:, :links] = places[records[:, :links]]
        ends = np.cumsum(np.bincount(levels)).tolist() if len(levels) else []
        bounds = list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []
        return cls(torch.from_numpy(records).to(device), torch.from_numpy(owners[order]).to(device), bounds, places)


class Composition(Function):
    """The node vectors, each a row: the given ones, then those made by tanh(U [h; d; own] + b), with a row of b for each record."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, biases: Tensor, weight: Tensor, inputs: Tensor, bounds: Bounds) -> Tensor:
        """Rows of `inputs` are the ids of what is composed."""
        first = len(given)
        nodes = torch.cat([given, torch.empty_like(biases)])
        for start, end in bounds:
            gathered = nodes.index_select(0, inputs[start:end].reshape(-1)).view(end - start, -1)
            torch.addmm(biases[start:end], gathered, weight.t(), out=nodes[first + start : first + end]).tanh_()
        ctx.save_for_backward(nodes, weight, inputs)
        ctx.bounds, ctx.first = bounds, first
        return nodes

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """From the last level to the first; all that is composed passes its gradient on."""
        nodes, weight, inputs = ctx.saved_tensors
        first, grad = ctx.first, grad.clone()
        size = grad.shape[1]
        slopes = 1 - nodes[first:] ** 2
        for start, end in reversed(ctx.bounds):
            above = grad[first + start : first + end].mul_(slopes[start:end])
            grad.index_add_(0, inputs[start:end].reshape(-1), (above @ weight).view(-1, size))
        above = grad[first:]
        gathered = nodes.index_select(0, inputs.reshape(-1)).view(len(inputs), -1)
        return grad[:first], above, above.t() @ gathered, None, None


class Recurrence(Function):
    """The outputs of an LSTM, each a row: that of the bottom state, then one for each record, which goes on from the state of its parent.

    `gates` holds W x + b for each record, the three sigmoids before the tanh. The outputs are multiplied by `mask`, and so what recurs is, too.
    """

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weight: Tensor, bottom: Tensor, parents: Tensor, mask: Tensor | None, bounds: Bounds) -> Tensor:
        """`bottom` is the output and the cell of the state that everything stands on."""
        size = weight.shape[1]
        outputs, cells = (torch.cat([row.view(1, -1), gates.new_empty(len(gates), size)]) for row in bottom)
        gates = gates.clone()
        for start, end in bounds:
            below, here = parents[start:end], slice(start + 1, end + 1)
            level = gates[start:end].addmm_(outputs.index_select(0, below), weight.t())
            open_and_candidate(level, size)
            output, cells[here] = advance(level, cells.index_select(0, below), size)
            outputs[here] = output if mask is None else output.mul_(mask[start:end])
        ctx.save_for_backward(gates, weight, parents, mask, outputs, cells)
        ctx.bounds = bounds
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """From the last level to the first."""
        gates, weight, parents, mask, outputs, cells = ctx.saved_tensors
        size = weight.shape[1]
        grad, grad_cells, grad_gates = grad.clone(), torch.zeros_like(cells), torch.empty_like(gates)
        squashed, cells_below = cells[1:].tanh(), cells.index_select(0, parents)
        slopes = torch.cat([gates[:, : 3 * size] * (1 - gates[:, : 3 * size]), 1 - gates[:, 3 * size :] ** 2], 1)
        through = gates[:, 2 * size : 3 * size] * (1 - squashed**2)
        factors = torch.cat([gates[:, 3 * size :], cells_below, squashed, gates[:, :size]], 1).mul_(slopes).view(len(gates), 4, size)
        for start, end in reversed(ctx.bounds):
            below, above = parents[start:end], grad[start + 1 : end + 1]
            above = above if mask is None else above * mask[start:end]
            cell = grad_cells[start + 1 : end + 1].addcmul_(above, through[start:end])
            level = torch.mul(factors[start:end], cell.unsqueeze(1), out=grad_gates[start:end].view(-1, 4, size))
            torch.mul(factors[start:end, 2], above, out=level[:, 2])
            grad.index_add_(0, below, grad_gates[start:end] @ weight)
            grad_cells.index_add_(0, below, cell * gates[start:end, size : 2 * size])
        grad_weight = grad_gates.t() @ outputs.index_select(0, parents)
        return grad_gates, grad_weight, torch.stack([grad[0], grad_cells[0]]), None, None, None


def open_and_candidate(gates: Tensor, size: int) -> None:
    """Squash, in place: the gates in, forget and out, then the candidate."""
    gates[:, : 3 * size].sigmoid_()
    gates[:, 3 * size :].tanh_()


def advance(gates: Tensor, cells: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """c = f c' + i g and h = o tanh(c), from squashed gates."""
    cells = (cells * gates[:, size : 2 * size]).addcmul_(gates[:, :size], gates[:, 3 * size :])
    return cells.tanh().mul_(gates[:, 2 * size : 3 * size]), cells
