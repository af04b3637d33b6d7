"""Build a stack-LSTM from a model file."""

from __future__ import annotations

from gardenpath.core.stored import require
from gardenpath.neural.scorer import PREFIX, StackLSTM
from gardenpath.neural.symbols import CHARACTERS, COLUMNS, Symbols
from gardenpath.parsing.scorers import StoredScorer


def build(stored: StoredScorer) -> StackLSTM:
    """Return the stack-LSTM that a model file contains."""
    require(stored.record, {"symbols": {kind: [str] for kind in (*COLUMNS, CHARACTERS)}}, "the model")
    symbols = Symbols(stored.record["symbols"])
    scorer = StackLSTM.untrained(stored.system, stored.classes, symbols, stored.settings.encoder)
    arrays = {name.removeprefix(PREFIX): array for name, array in stored.arrays.items() if name.startswith(PREFIX)}
    return scorer.with_parameters(arrays)
