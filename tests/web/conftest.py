"""Shared servers, each with a shipped model and a non-monotonic model trained on the sample."""

import pytest

import gardenpath as gp
from sample import DEV, TRAIN
from waiting import HANG
from web.serving import running_server


@pytest.fixture(scope="session")
def sample_model(tmp_path_factory):
    """Train and save a small model for raw text."""
    path = tmp_path_factory.mktemp("models") / "sample.gp"
    gp.train(TRAIN, dev=DEV, system="arc-eager-nml", epochs=3).save(path)
    return path


@pytest.fixture(scope="session")
def server(sample_model):
    """Run a server with the models `en` and `sample`."""
    with running_server("en", f"sample={sample_model}", "--timeout", HANG) as running:
        yield running


@pytest.fixture(scope="session")
def fast_server(sample_model):
    """Run a server with the models `en-fast`, whose parse of `PLAN` has a repair, and `sample`."""
    with running_server("en-fast", f"sample={sample_model}", "--timeout", HANG) as running:
        yield running
