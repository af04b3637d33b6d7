"""Build a stack-LSTM from a model file."""

from __future__ import annotations

from gardenpath.core.stored import BadModelError, require
from gardenpath.neural.scorer import PREFIX, StackLSTM
from gardenpath.neural.symbols import CHARACTERS, COLUMNS, Symbols
from gardenpath.parsing.scorers import StoredScorer


def build(stored: StoredScorer) -> StackLSTM:
    """Return the stack-LSTM that a model file contains."""
    require(stored.record, {"symbols": {kind: [str] for kind in (*COLUMNS, CHARACTERS)}}, "the model")
    symbols = Symbols(stored.record["symbols"])
    scorer = StackLSTM.untrained(stored.system, stored.classes, symbols, stored.settings.encoder)
    arrays = {name.removeprefix(PREFIX): array for name, array in stored.arrays.items() if name.startswith(PREFIX)}
    built = scorer.with_parameters(arrays)
    for name, parameter in built.network.named_parameters():
        if not parameter.isfinite().all():
            raise BadModelError(f"the parameter {name} has a value that is not a finite number")
    return built
