"""Batched computation, level by level: compositions of node vectors, and LSTMs whose states form trees.

A record depends only on records of lower levels, so all records of a level are computed together. Both functions store
the results of a level as neighbouring rows of one table. Their gradients are written by hand: one matrix product per
level, and one per weight matrix at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

Taken = tuple[np.ndarray, np.ndarray, np.ndarray]   # records, their levels, the numbers of their sentences
Bounds = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Levels:
    """Records sorted by level. The results of a level have consecutive ids."""

    records: Tensor
    owners: Tensor      # by record: the number of its sentence
    bounds: Bounds      # by level: its first record and its end
    places: np.ndarray  # by old id: the new id

    @classmethod
    def of(cls, taken: Taken, first: int, links: int, device: torch.device) -> Levels:
        """Sort records by level.

        `first` is the id of the first result. The first `links` numbers of a record are ids of results.
        """
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
    """Node vectors as rows of a table: the given ones, then the composed ones.

    c' = tanh(U [h; d; c] + b), with a bias b for each record: the part of U that belongs to the label, and e_h.
    """

    @staticmethod
    def forward(ctx: Any, given: Tensor, biases: Tensor, weight: Tensor, inputs: Tensor, bounds: Bounds) -> Tensor:
        """Compute the table. A row of `inputs` has the ids of the vectors to compose."""
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
        """Compute the gradients from the last level to the first."""
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
    """Outputs of an LSTM as rows of a table: the output of the initial state, then one per record.

    Each record continues from the state of its parent. `gates` holds W x + b for each record, in the order of
    `activate_gates`. The outputs, and with them the recurrent inputs, are multiplied by `mask`.
    """

    @staticmethod
    def forward(
        ctx: Any, gates: Tensor, weight: Tensor, bottom: Tensor, parents: Tensor, mask: Tensor | None, bounds: Bounds,
    ) -> Tensor:
        """Compute the table. `weight` is R; `bottom` has the output and the cell of the initial state."""
        size = weight.shape[1]
        outputs, cells = (torch.cat([row.view(1, -1), gates.new_empty(len(gates), size)]) for row in bottom)
        gates = gates.clone()
        for start, end in bounds:
            below, here = parents[start:end], slice(start + 1, end + 1)
            level = gates[start:end].addmm_(outputs.index_select(0, below), weight.t())
            activate_gates(level, size)
            output, cells[here] = next_state(level, cells.index_select(0, below), size)
            outputs[here] = output if mask is None else output.mul_(mask[start:end])
        ctx.save_for_backward(gates, weight, parents, mask, outputs, cells)
        ctx.bounds = bounds
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Compute the gradients from the last level to the first."""
        gates, weight, parents, mask, outputs, cells = ctx.saved_tensors
        size = weight.shape[1]
        grad, grad_cells, grad_gates = grad.clone(), torch.zeros_like(cells), torch.empty_like(gates)
        squashed, cells_below = cells[1:].tanh(), cells.index_select(0, parents)
        slopes = torch.cat([gates[:, : 3 * size] * (1 - gates[:, : 3 * size]), 1 - gates[:, 3 * size :] ** 2], 1)
        through = gates[:, 2 * size : 3 * size] * (1 - squashed**2)
        factors = torch.cat([gates[:, 3 * size :], cells_below, squashed, gates[:, :size]], 1)
        factors = factors.mul_(slopes).view(len(gates), 4, size)
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


def activate_gates(gates: Tensor, size: int) -> None:
    """Apply in place: i, f, o = σ(W x + R h' + b), three gates, and g = tanh(W x + R h' + b), the candidate."""
    gates[:, : 3 * size].sigmoid_()
    gates[:, 3 * size :].tanh_()


def next_state(gates: Tensor, cells: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Return h = o ⊙ tanh(c) and c = f ⊙ c' + i ⊙ g, from activated gates and the cells c' before."""
    cells = (cells * gates[:, size : 2 * size]).addcmul_(gates[:, :size], gates[:, 3 * size :])
    return cells.tanh().mul_(gates[:, 2 * size : 3 * size]), cells
