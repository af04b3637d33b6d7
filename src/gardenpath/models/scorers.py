"""Temporary."""
from dataclasses import dataclass
from typing import Any

from gardenpath.errors import UsageError


@dataclass(frozen=True)
class ScorerType:
    name: str
    learns_with_tagger: bool
    train: Any
    build: Any
    has_checkpoints: bool = False
    def check(self, checkpoint):
        if checkpoint and not self.has_checkpoints:
            raise UsageError("only the stack-LSTM can be trained with checkpoints; the perceptron begins again, to the same model")

def get(name):
    if name == "perceptron":
        from gardenpath.perceptron.building import build
        from gardenpath.perceptron.training import train
        return ScorerType(name, True, train, build)
    from gardenpath.neural import require_torch
    require_torch()
    from gardenpath.neural.building import build
    from gardenpath.neural.training import train
    return ScorerType(name, False, train, build, True)
