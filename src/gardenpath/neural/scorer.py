"""The stack-LSTM as a scorer: its parameters, a cache of character vectors, and its part of the model file."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gardenpath.core.storage import Arrays
from gardenpath.core.stored import BadModelError
from gardenpath.formats.document import Word
from gardenpath.neural.network import Network, Tables
from gardenpath.neural.session import NetworkScorer
from gardenpath.neural.symbols import Symbols
from gardenpath.systems import TransitionSystem
from gardenpath.systems.classes import Classes

CACHED_FORMS = 200_000
PREFIX = "network."         # of the names of parameters in a model file


class StackLSTM(NetworkScorer):
    """A network with its system and classes. Scoring does not change it, so several threads can share a scorer."""

    def __init__(self, system: TransitionSystem, classes: Classes, network: Network) -> None:
        super().__init__(system, classes)
        self.network = network
        self._character_vectors = _CharacterVectors(network)

    @classmethod
    def untrained(
        cls, system: TransitionSystem, classes: Classes, symbols: Symbols, encoder: str, seed: int | None = None,
    ) -> StackLSTM:
        """Return a scorer with initialised parameters or, without a seed, with parameters that have no values yet."""
        network = Network.without_values(
            symbols, classes.size, len(classes.labels), encoder=encoder,
            renews_dependent=NetworkScorer(system, classes).renews_dependent,
        )
        return cls(system, classes, network if seed is None else network.initialised(seed))

    def arrays(self) -> Arrays:
        """Return the parameters by name."""
        return {PREFIX + name: array for name, array in parameters_of(self.network).items()}

    def record(self) -> dict[str, Any]:
        """Return the symbols that have embeddings."""
        return {"symbols": self.network.words.symbols.names}

    def summary(self, settings: Any, about: Any) -> list[tuple[str, Any]]:
        """Return the number of parameters and of forms that have an embedding, for a description of the model."""
        parameters = sum(array.size for array in self.arrays().values())
        size = f"{parameters:,} parameters, {len(self.network.words.symbols.names['form']):,} forms"
        return [("scorer", f"stack-lstm, {settings.encoder}: {size}")]

    def with_parameters(self, arrays: Arrays) -> StackLSTM:
        """Return the same scorer with other parameters."""
        other = StackLSTM.untrained(self.system, self.classes, self.network.words.symbols, self.network.encoder)
        set_parameters(other.network, arrays)
        return other

    @torch.inference_mode()
    def tables(self, sentences: Sequence[Sequence[Word]]) -> Tables:
        """Return tables with the word vectors of sentences. A session extends them during the search."""
        encoded = self.network.words.symbols.encode(sentences)
        return Tables(self.network, self.network.tokens(encoded, self._character_vectors.of(encoded.forms)))


class _CharacterVectors:
    """A cache of the character vectors (w_ch) of forms."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.rows: dict[str, int] = {}
        self.table: Tensor | None = None
        self.lock = Lock()

    def of(self, forms: list[str]) -> Tensor:
        """Return a row for each form."""
        with self.lock:
            if len(self.rows) > CACHED_FORMS:
                self.rows, self.table = {}, None
            new = [form for form in forms if form not in self.rows]
            if new:
                self.rows |= {form: row for row, form in enumerate(new, len(self.rows))}
                vectors = self.network.words.spell(new)
                self.table = vectors if self.table is None else torch.cat([self.table, vectors])
            rows, table = [self.rows[form] for form in forms], self.table
        assert table is not None
        return table[torch.tensor(rows, device=table.device)]


def parameters_of(network: torch.nn.Module) -> Arrays:
    """Return a copy of the parameters by name."""
    return {name: parameter.detach().cpu().numpy().copy() for name, parameter in network.named_parameters()}


def set_parameters(network: Network, arrays: Arrays) -> None:
    """Set all parameters. Raise `BadModelError` if one is missing, unknown, or has another type or shape."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    expected = dict(network.named_parameters())
    for name in sorted(expected.keys() ^ arrays.keys()):
        raise BadModelError(f"the parameter {name} is {'missing' if name in expected else 'not part of the network'}")
    for name, parameter in expected.items():
        array = arrays[name]
        if array.shape != tuple(parameter.shape) or array.dtype != np.float32:
            wanted = f"float32 of shape {tuple(parameter.shape)}"
            raise BadModelError(f"the parameter {name} is {array.dtype} of shape {array.shape}, not {wanted}")
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, assign=True)
    network.to(best_device())


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
