"""The stack-LSTM (Dyer et al. 2015; Kohita, Noji and Matsumoto 2017).

This module and `neural.settings` can be imported without PyTorch; the other modules of the package need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from gardenpath.errors import UsageError
from gardenpath.neural.settings import StackLSTMSettings
from gardenpath.parsing.scorers import ScorerType, StoredScorer

if TYPE_CHECKING:
    from gardenpath.parsing.scorer import Scorer
    from gardenpath.parsing.training import TrainingStep, TrainingTask

RELATIVE_TIME = 9.0         # training time relative to the perceptron, for estimates
BEAM_TIME = 3.0             # training time with a beam of 8, relative to greedy training


def require_torch(scorer: str = "stack-LSTM", purpose: str = "") -> None:
    """Raise `UsageError` if PyTorch is not installed. `purpose` is what the scorer needs it for, if not for all."""
    if find_spec("torch") is None:
        needs = f"the {scorer} needs PyTorch {purpose}".rstrip()
        raise UsageError(f"{needs}; install it with: pip install 'gardenpath[neural]'")


def _train(task: TrainingTask) -> Iterator[TrainingStep]:
    require_torch()
    from gardenpath.neural.training import train

    return train(task)


def _build(stored: StoredScorer) -> Scorer:
    require_torch()
    from gardenpath.neural.building import build

    return build(stored)


def _use_one_thread() -> None:
    import torch

    torch.set_num_threads(1)         # also keeps sums in the same order


def _epochs_for(words: int) -> int:
    """Return the number of epochs for a treebank of this number of words."""
    return max(8, min(60, round(30 * (20_000 / max(words, 1)) ** 0.8)))


SCORER = ScorerType(
    "stack-lstm", "stack-LSTM", StackLSTMSettings, _train, _build,
    default_tags="jackknife", needs_fixed_oracle=True, has_checkpoints=True, needs_torch=True,
    runs_natively=False,
    relative_time=RELATIVE_TIME, beam_time=BEAM_TIME, use_one_thread=_use_one_thread,
    epochs_for=_epochs_for,
)
