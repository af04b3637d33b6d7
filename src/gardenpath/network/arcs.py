"""A second task of training: the head and the label of each word, straight from the states of the sentence encoder.

It teaches the encoder about whole trees: the states of all pairs of words, not only of those that meet in a
configuration. Parsing does not use it, and the model file does not contain it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gardenpath.network.products import linear
from gardenpath.parsing.training import Tree

SIZE = 128


@dataclass(frozen=True, slots=True)
class GoldArcs:
    """The arcs of a treebank, one sentence after the other."""

    heads: np.ndarray        # positions from 1 in the sentence; 0 is the root
    labels: np.ndarray       # numbers of labels

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Self:
        """Return the arcs of these trees."""
        names = [label for _, labels in trees for label in labels]
        numbers = {label: number for number, label in enumerate(dict.fromkeys(names))}
        heads = np.array([head for heads, _ in trees for head in heads], np.int64)
        return cls(heads, np.array([numbers[name] for name in names], np.int64))

    @property
    def label_count(self) -> int:
        """The number of different labels."""
        return int(self.labels.max(initial=-1)) + 1


class Arcs(nn.Module):
    """Scores of heads and labels (Dozat and Manning 2017, with a simpler score of labels).

    The score of head h for the word d is a(d) U b(h) + u b(h). The scores of the labels of this arc are
    V relu(a'(d) + b'(h)). The vectors a, b are relu of linear functions of the states; a', b' are linear.
    """

    def __init__(self, states: int, labels: int) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.zeros(1, states))
        self.dependents = nn.Linear(states, 2 * SIZE)
        self.heads = nn.Linear(states, 2 * SIZE)
        self.pairs = nn.Linear(SIZE, SIZE, bias=False)
        self.bias = nn.Linear(SIZE, 1, bias=False)
        self.labels = nn.Linear(SIZE, labels)

    def loss(
        self, states: Tensor, lengths: Tensor, heads: Tensor, labels: Tensor, dropout: Callable[[Tensor], Tensor],
    ) -> Tensor:
        """Return the summed loss of the words of a batch, for the states and gold arcs of its sentences.

        `lengths` are those of the sentences, on the CPU.
        """
        governors = linear(torch.cat([self.root, states]), self.heads.weight, self.heads.bias)
        dependents = linear(states, self.dependents.weight, self.dependents.bias)
        first = torch.cumsum(lengths, 0) - lengths
        positions = torch.arange(int(lengths.max()) + 1)
        inside = positions <= lengths[:, None]                 # by sentence: the root and the words
        rows = torch.where(inside & (positions > 0), first[:, None] + positions, 0).to(states.device)
        inside = inside.to(states.device)
        b = dropout(torch.relu(governors[:, :SIZE]))
        a = linear(dropout(torch.relu(dependents[:, :SIZE])), self.pairs.weight)
        scores = a[rows[:, 1:] - 1] @ b[rows].transpose(1, 2) + self.bias(b)[rows].transpose(1, 2)
        scores = scores.masked_fill(~inside[:, None], torch.finfo(scores.dtype).min)
        loss = functional.cross_entropy(scores[inside[:, 1:]], heads, reduction="sum")
        starts = torch.repeat_interleave(first, lengths).to(states.device)
        governor = torch.where(heads > 0, starts + heads, 0)
        pairs = dropout(torch.relu(dependents[:, SIZE:] + governors[governor, SIZE:]))
        scores = linear(pairs, self.labels.weight, self.labels.bias)
        return loss + functional.cross_entropy(scores, labels, reduction="sum")
