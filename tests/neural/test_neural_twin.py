"""The batched network against its slow twin: the same probabilities, the same gradients, the same parses."""

from __future__ import annotations

import pytest
import torch
from gardenpath.neural.board import Board
from gardenpath.neural.guide import Guide, unroll
from slow_network import SlowParser, by_oracle
from small import SYSTEMS, Small

from gardenpath.neural.levels import Composition, Recurrence
from gardenpath.neural.network import Unrolled

# In Covington's monotonic parser words may be shifted unasked, which Python does not see.
WALKED = [name for name in SYSTEMS if name != "covington"]


def unrolled(small: Small) -> Unrolled:
    guide = Guide(small.rules, small.oracle, small.trees)
    board = Board(small.rules, [len(sentence) for sentence in small.sentences])
    return Unrolled.of(board, *unroll(board, [guide.derive(i) for i in range(len(small.trees))]), torch.device("cpu"))


def split(small: Small, tokens: torch.Tensor) -> list[list[torch.Tensor]]:
    return [list(part) for part in tokens.split([len(sentence) for sentence in small.sentences])]


@pytest.mark.parametrize("name, encoder", [*((name, "incremental") for name in WALKED), ("stay-eager", "bilstm")])
def test_probabilities_and_gradients_are_those_of_the_twin(name, encoder):
    small = Small(name, encoder=encoder)
    small.network.double()
    batch = unrolled(small)
    fast = small.network(small.tokens(), batch, None, len(small.trees))
    fast.gather(1, batch.classes[:, None]).sum().backward()
    gradients = {name: parameter.grad.clone() for name, parameter in small.network.named_parameters()}
    small.network.zero_grad()

    slow = SlowParser(small.network, small.system, small.classes)
    told, chosen = [], []
    for tokens, gold in zip(split(small, small.tokens()), small.trees, strict=True):
        c, numbers, probabilities = slow.parse(tokens, by_oracle(slow, small.oracle, gold))
        assert c.heads == gold[0]
        told += [torch.full((small.classes.size,), -torch.inf).double().index_put((torch.tensor(list(valid)),), row) for valid, row in probabilities]
        chosen += numbers
    assert batch.classes.tolist() == chosen
    torch.testing.assert_close(fast, torch.stack(told), rtol=1e-9, atol=1e-9)
    sum(row[number] for row, number in zip(told, chosen, strict=True)).backward()
    for name, parameter in small.network.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-7, atol=1e-9, msg=name)


@pytest.mark.parametrize("name", WALKED)
def test_greedy_parses_are_those_of_the_twin(name):
    for seed in range(3):
        small = Small(name, seed, single_root=small_root(name))
        slow = SlowParser(small.network, small.system, small.classes)
        with torch.no_grad():
            tokens = split(small, small.tokens())
            expected = [slow.parse(each)[0] for each in tokens]
        for words, c in zip(small.parser.parse(small.words), expected, strict=True):
            assert [word.head for word in words] == c.heads
            assert [word.deprel for word in words if word.head] == [label for label, head in zip(c.labels, c.heads, strict=True) if head]


def small_root(name: str) -> bool:
    """Several roots where the root policy would have to choose one: the twin has none."""
    return name not in ("arc-eager", "arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld", "covington-nm")


def test_composition_has_the_right_gradients():
    torch.manual_seed(1)
    given, biases, weight = (torch.randn(size, dtype=torch.double, requires_grad=True) for size in ((3, 4), (4, 4), (4, 12)))
    inputs = torch.tensor([[0, 1, 0], [2, 2, 2], [3, 4, 3], [5, 0, 0]])
    assert torch.autograd.gradcheck(lambda *args: Composition.apply(*args, inputs, [(0, 2), (2, 3), (3, 4)]), (given, biases, weight))


@pytest.mark.parametrize("masked", [False, True])
def test_recurrence_has_the_right_gradients(masked):
    torch.manual_seed(1)
    gates, weight, bottom = (torch.randn(size, dtype=torch.double, requires_grad=True) for size in ((5, 12), (12, 3), (2, 3)))
    mask = torch.tensor([[2.0, 0, 2]] * 5, dtype=torch.double) if masked else None
    parents = torch.tensor([0, 0, 1, 2, 2])
    assert torch.autograd.gradcheck(lambda *args: Recurrence.apply(*args, parents, mask, [(0, 2), (2, 5)]), (gates, weight, bottom))
