"""The batched network equals its slow twin: probabilities, gradients and parses."""

from __future__ import annotations

import pytest
import torch
from slow_network import SlowParser, by_oracle
from small import SYSTEMS, Small

from gardenpath.neural.levels import Composition, Recurrence
from gardenpath.neural.network import ComputationPlan
from gardenpath.neural.unroll import Unrolled, oracle_derivations

# Covington's monotonic parser makes forced shifts that the Python interface does not show.
WALKED = [name for name in SYSTEMS if name != "covington"]


# These systems may end with several roots, so that the single-root policy applies.
SEVERAL_ROOTS = ("arc-eager", "arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld", "covington-nm")


def unrolled(small: Small) -> ComputationPlan:
    derivations = oracle_derivations(small.scorer, small.oracle, small.words, small.trees)
    followed = Unrolled(small.scorer, small.words, [derivations.derive(i) for i in range(len(small.trees))])
    return ComputationPlan.of(followed, torch.device("cpu"))


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
    expected, chosen = [], []
    for tokens, gold in zip(split(small, small.tokens()), small.trees, strict=True):
        parse = slow.parse(tokens, by_oracle(slow, small.oracle, gold))
        assert parse.c.heads == gold[0]
        for valid, row in parse.scored:
            invalid = torch.full((small.classes.size,), -torch.inf).double()
            expected.append(invalid.index_put((torch.tensor(valid),), row))
        chosen += parse.chosen
    assert batch.classes.tolist() == chosen
    torch.testing.assert_close(fast, torch.stack(expected), rtol=1e-9, atol=1e-9)
    sum(row[number] for row, number in zip(expected, chosen, strict=True)).backward()
    for name, parameter in small.network.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-7, atol=1e-9, msg=name)


@pytest.mark.parametrize("name", WALKED)
@pytest.mark.parametrize("single_root", [True, False])
def test_greedy_parses_are_those_of_the_twin(name, single_root):
    several = 0
    for seed in (1, 4, 9):
        small = Small(name, seed, single_root=single_root)
        slow = SlowParser(small.network, small.system, small.classes)
        with torch.no_grad():
            parses = [slow.parse(tokens) for tokens in split(small, small.tokens())]
        for words, parse in zip(small.parser.parse(small.words), parses, strict=True):
            heads, labels = parse.c.heads, parse.c.labels
            several += heads.count(0) > 1
            if single_root:
                heads, labels = parse.with_one_root(small.system.has_pairs)
            assert [word.head for word in words] == heads
            assert [word.deprel for word in words if word.head] == [
                label for label, head in zip(labels, heads, strict=True) if head
            ]
    assert several or not single_root or name not in SEVERAL_ROOTS


def test_composition_has_the_right_gradients():
    torch.manual_seed(1)
    given, biases, weight = (
        torch.randn(size, dtype=torch.double, requires_grad=True) for size in ((3, 4), (4, 4), (4, 12))
    )
    inputs = torch.tensor([[0, 1, 0], [2, 2, 2], [3, 4, 3], [5, 0, 0]])
    assert torch.autograd.gradcheck(
        lambda *args: Composition.apply(*args, inputs, [(0, 2), (2, 3), (3, 4)]), (given, biases, weight)
    )


@pytest.mark.parametrize("masked", [False, True])
def test_recurrence_has_the_right_gradients(masked):
    torch.manual_seed(1)
    gates, weight, bottom = (
        torch.randn(size, dtype=torch.double, requires_grad=True) for size in ((5, 12), (12, 3), (2, 3))
    )
    mask = torch.tensor([[2.0, 0, 2]] * 5, dtype=torch.double) if masked else None
    parents = torch.tensor([0, 0, 1, 2, 2])
    assert torch.autograd.gradcheck(
        lambda *args: Recurrence.apply(*args, parents, mask, [(0, 2), (2, 5)]), (gates, weight, bottom)
    )
