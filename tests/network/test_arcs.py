"""The second task of training: heads and labels from the states."""

from __future__ import annotations

import pytest
import torch

from gardenpath.network.arcs import SIZE, Arcs, GoldArcs

pytestmark = pytest.mark.usefixtures("single_precision")

TREES = [([2, 0, 2], ["det", "root", "obj"]), ([0], ["root"]), ([3, 1, 0, 3], ["det", "obj", "root", "obj"])]
LENGTHS = torch.tensor([len(heads) for heads, _ in TREES])


def task():
    """Return a task with random parameters, and states."""
    generator = torch.Generator().manual_seed(5)
    arcs = Arcs(7, 3)
    for parameter in arcs.parameters():
        parameter.data = 0.3 * torch.randn(parameter.shape, generator=generator)
    return arcs, torch.randn(int(LENGTHS.sum()), 7, generator=generator)


def direct_loss(arcs, states):
    """Compute the loss word by word."""
    gold, total, first = GoldArcs.of(TREES), torch.zeros(()), 0
    for heads, _ in TREES:
        rows = torch.cat([arcs.root, states[first : first + len(heads)]])
        for d, head in enumerate(heads, 1):
            a, own = arcs.dependents(rows[d]).split(SIZE)
            b, others = arcs.heads(rows).split(SIZE, 1)
            scores = torch.relu(b) @ (arcs.pairs.weight @ torch.relu(a)) + arcs.bias(torch.relu(b))[:, 0]
            labels = arcs.labels(torch.relu(own + others[head]))
            total = total - scores.log_softmax(0)[head] - labels.log_softmax(0)[gold.labels[first + d - 1]]
        first += len(heads)
    return total


def test_gold_arcs():
    gold = GoldArcs.of(TREES)
    assert gold.heads.tolist() == [2, 0, 2, 0, 3, 1, 0, 3]
    assert gold.labels.tolist() == [0, 1, 2, 1, 0, 2, 1, 2]
    assert gold.label_count == 3
    assert GoldArcs.of([]).label_count == 0


def test_the_loss_and_its_gradients_equal_a_direct_computation():
    arcs, states = task()
    gold = GoldArcs.of(TREES)
    states.requires_grad_()
    heads, labels = torch.from_numpy(gold.heads), torch.from_numpy(gold.labels)
    losses = [arcs.loss(states, LENGTHS, heads, labels, lambda vectors: vectors), direct_loss(arcs, states)]
    torch.testing.assert_close(*losses)
    wanted = (states, *arcs.parameters())
    for ours, direct in zip(*(torch.autograd.grad(loss, wanted) for loss in losses), strict=True):
        torch.testing.assert_close(ours, direct)
