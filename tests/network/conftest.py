"""Settings of PyTorch for small networks, which are quickest on one thread."""

from __future__ import annotations

import pytest
import torch

from gardenpath.network import bilstm, products


@pytest.fixture(autouse=True, scope="package")
def _one_thread():
    before = bilstm.is_sequential, torch.get_num_threads()
    bilstm.use_one_thread()
    yield
    bilstm.is_sequential = before[0]
    torch.set_num_threads(before[1])


@pytest.fixture
def single_precision(monkeypatch):
    """Do not use bfloat16, so that results are exact on every machine."""
    monkeypatch.setattr(products, "_HALVES", False)
