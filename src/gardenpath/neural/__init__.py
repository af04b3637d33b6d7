"""The stack-LSTM (Dyer et al. 2015; Kohita, Noji and Matsumoto 2017), for those who have PyTorch.

This module can be imported without it; the others of the package can not.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError


def require_torch() -> None:
    """See to it that PyTorch is there; raise `UsageError` if it is not."""
    if find_spec("torch") is None:
        raise UsageError("the stack-LSTM needs PyTorch: pip install 'gardenpath[neural]'")
