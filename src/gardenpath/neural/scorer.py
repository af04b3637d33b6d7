"""The stack-LSTM as a scorer: its parameters, the vectors of forms, and the model file."""

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
PREFIX = "network."         # of the names of parameters in a file


class StackLSTM(NetworkScorer):
    """System, classes and network. Scoring never changes them, so any number of threads may share a scorer."""

    def __init__(self, system: TransitionSystem, classes: Classes, network: Network) -> None:
        super().__init__(system, classes)
        self.network = network
        self._spellings = _Spellings(network)

    @classmethod
    def untrained(cls, system: TransitionSystem, classes: Classes, symbols: Symbols, encoder: str, seed: int | None = None) -> StackLSTM:
        """A scorer with initial parameters or, without a seed, with parameters that have shapes but no values."""
        sizes = {"classes": classes.size, "labels": len(classes.labels), "renews_dependent": NetworkScorer(system, classes).renews_dependent}
        network = Network.without_values(symbols, **sizes, encoder=encoder)
        return cls(system, classes, network if seed is None else network.initialised(seed))

    def arrays(self) -> Arrays:
        """The parameters by name."""
        return {PREFIX + name: array for name, array in parameters_of(self.network).items()}

    def record(self) -> dict[str, Any]:
        """The symbols that have embeddings."""
        return {"symbols": self.network.words.symbols.names}

    def summary(self, settings: Any, about: Any) -> list[tuple[str, Any]]:
        """The number of parameters, and of the forms that have an embedding."""
        parameters = sum(array.size for array in self.arrays().values())
        size = f"{parameters:,} parameters, {len(self.network.words.symbols.names['form']):,} forms"
        return [("scorer", f"stack-lstm, {settings.encoder}: {size}")]

    def with_parameters(self, arrays: Arrays) -> StackLSTM:
        """The same scorer with these parameters."""
        other = StackLSTM.untrained(self.system, self.classes, self.network.words.symbols, self.network.encoder)
        put_parameters(other.network, arrays)
        return other

    @torch.inference_mode()
    def tables(self, sentences: Sequence[Sequence[Word]]) -> Tables:
        """The vectors of the words of some sentences; those of derivations are added while they are parsed."""
        encoded = self.network.words.symbols.encode(sentences)
        return Tables(self.network, self.network.tokens(encoded, self._spellings.of(encoded.forms)))


class _Spellings:
    """The vectors of forms by their characters, each computed once."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.rows: dict[str, int] = {}
        self.table: Tensor | None = None
        self.lock = Lock()

    def of(self, forms: list[str]) -> Tensor:
        """A row for each form."""
        with self.lock:
            if len(self.rows) > CACHED_FORMS:
                self.rows, self.table = {}, None
            new = [form for form in forms if form not in self.rows]
            if new:
                self.rows |= {form: row for row, form in enumerate(new, len(self.rows))}
                spelt = self.network.words.spell(new)
                self.table = spelt if self.table is None else torch.cat([self.table, spelt])
            rows, table = [self.rows[form] for form in forms], self.table
        assert table is not None
        return table[torch.tensor(rows, device=table.device)]


def parameters_of(network: Network) -> Arrays:
    """The parameters by name, as they are now."""
    return {name: parameter.detach().cpu().numpy().copy() for name, parameter in network.named_parameters()}


def put_parameters(network: Network, arrays: Arrays) -> None:
    """Set all parameters; `BadModelError` names those that are missing, unknown or of another shape."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    expected = dict(network.named_parameters())
    for name in sorted(expected.keys() ^ arrays.keys()):
        raise BadModelError(f"the parameter {name} is {'missing' if name in expected else 'not one of the network'}")
    for name, parameter in expected.items():
        array = arrays[name]
        if array.shape != tuple(parameter.shape) or array.dtype != np.float32:
            wanted = f"float32 of shape {tuple(parameter.shape)}"
            raise BadModelError(f"the parameter {name} is {array.dtype} of shape {array.shape}, not {wanted}")
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, assign=True)
    network.to(best_device())


def best_device() -> torch.device:
    """A GPU, if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
