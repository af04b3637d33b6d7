"""An ensemble: several networks that were trained on the same treebank, in one model.

The scores of tags, lemma rules and transitions are means over the networks. Each network keeps its own arrays up to the
vectors of words for the parser; the small arrays above are put side by side:

    tags, rules    z = mean over k of (d_k + B_k [h_k; x_k])
    parser         v = [v_1; v_2; ...],  v_k = relu(z_k + sum over tags t of p(t) U_k[t])
    transitions    scores = mean over k of (O_k hidden_k + o_k),  hidden = [hidden_1; hidden_2; ...]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.features.vectors import quantised
from gardenpath.network.arrays import PREFIX, SHARED
from gardenpath.network.scorer import NativeNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_SAME = (*SHARED, "tag_parts", "tag_ends", "lemmas.keys", "lemmas.values", "lemmas.known")
_OWN = (
    "character_vectors", "spelling", "form_vectors", "spelt", "word_bias", "vectors.weight", "layer", "heads.state",
    "heads.word", "products",
)


def ensemble(networks: Sequence[NativeNetwork]) -> NativeNetwork:
    """Return a network whose scores are the means of those of several networks.

    They must be single networks for the same system that were trained on the same treebank with the same settings
    except the seed. Raise `UsageError` if they have different symbols or sizes.
    """
    first = networks[0]
    members = [_Member(network) for network in networks]
    for network, member in zip(networks, members, strict=True):
        if network.record() != first.record() or not member.has_same_symbols(members[0]):
            raise UsageError(
                "the networks have different symbols or sizes; train all of them on the same treebank with the same "
                "settings except the seed"
            )
    return NativeNetwork(
        first.system, first.classes, first.tags, first.record()["rules"], _joined(members, first.hidden_size),
    )


class _Member:
    """The arrays of a network."""

    def __init__(self, network: NativeNetwork) -> None:
        self.arrays = {
            name.removeprefix(PREFIX): np.asarray(array) for name, array in network.arrays().items()
            if not name.endswith(".gap")
        }

    def has_same_symbols(self, other: _Member) -> bool:
        """Return whether the shared arrays are the same, and all arrays have the same shapes."""
        shapes, others = ({name: array.shape for name, array in each.arrays.items()} for each in (self, other))
        return shapes == others and all(
            np.array_equal(self.arrays[name], other.arrays[name]) for name in _SAME if name in self.arrays
        )

    @property
    def vector_size(self) -> int:
        """The size of the parser's word vector."""
        return int(self.arrays["tag_inputs"].shape[1])

    def matrix(self, name: str) -> Floats:
        """Return the values of a matrix."""
        values: Floats = self.arrays[name] * self.arrays[f"{name}.scale"][:, np.newaxis]
        return values


def _joined(members: list[_Member], hidden: int) -> dict[str, np.ndarray]:
    """Return the arrays of the ensemble. `hidden` is the size of the hidden layer of one network."""
    first, size = members[0].arrays, members[0].vector_size
    named: dict[str, np.ndarray] = {name: first[name] for name in _SAME if name in first}
    for number, member in enumerate(members):
        prefix = f"{number + 1}." if number else ""
        named |= {f"{prefix}{name}": array for name, array in member.arrays.items() if name.startswith(_OWN)}
        for name in ("heads.state.scale", "heads.word.scale"):       # the share of the scores in their mean
            scales = member.arrays[name].copy()
            scales[:-size] /= np.float32(len(members))
            named[f"{prefix}{name}"] = scales
    named["heads.bias"] = np.concatenate([
        _mean([member.arrays["heads.bias"][:-size] for member in members]),
        *(member.arrays["heads.bias"][-size:] for member in members),
    ])
    if "rule_inputs" in first:
        matrix = _mean([member.matrix("rule_inputs") for member in members])
        named["rule_inputs"], named["rule_inputs.scale"] = quantised(matrix)
    special = [member.arrays["special"].reshape(2, -1, hidden) for member in members]
    named["special"] = np.stack(special, 2).reshape(2, -1)
    for name in ("tag_inputs", "labels", "slot_bias"):
        named[name] = np.concatenate([member.arrays[name] for member in members], -1)
    named["output"] = np.concatenate([member.arrays["output"] for member in members]) / np.float32(len(members))
    named["output_bias"] = _mean([member.arrays["output_bias"] for member in members])
    return {PREFIX + name: np.ascontiguousarray(array) for name, array in named.items()}


def _mean(arrays: list[np.ndarray]) -> Floats:
    mean: Floats = np.mean(arrays, 0, dtype=np.float32)
    return mean
