"""The stack-LSTM (Dyer et al. 2015; Kohita, Noji and Matsumoto 2017).

This module and `neural.settings` can be imported without PyTorch; the other modules of the package need it.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError
from gardenpath.neural.settings import StackLSTMSettings
from gardenpath.search.scorers import ScorerType

SCORER = ScorerType(
    "stack-lstm", "stack-LSTM", StackLSTMSettings,
    default_tags="jackknife", needs_fixed_oracle=True, has_checkpoints=True, needs_torch=True,
)


def require_torch() -> None:
    """Raise `UsageError` if PyTorch is not installed."""
    if find_spec("torch") is None:
        raise UsageError("the stack-LSTM needs PyTorch: pip install 'gardenpath[neural]'")
