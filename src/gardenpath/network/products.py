"""Matrix products of training, in bfloat16 where the processor is fast at it."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def _is_fast() -> bool:
    """Return whether the processor multiplies matrices of bfloat16 numbers faster than others, as far as is known."""
    tests = (getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))
    return any(test is not None and test() for test in tests)


_HALVES = _is_fast()


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return inputs * weight^T + bias in single precision. Parameters and sums have single precision, too."""
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=_HALVES and inputs.device.type == "cpu"):
        product = functional.linear(inputs, weight)
    return product.float() if bias is None else product.float() + bias


def multiply(left: Tensor, right: Tensor) -> Tensor:
    """Return the product of two matrices, without gradients."""
    return (left.bfloat16() @ right.bfloat16()).float() if _HALVES and left.device.type == "cpu" else left @ right
