"""What tests of several folders share: a small corpus, and what comes of it."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from corpus_tools import parsed, parts, small_corpus

# Tests see the shipped models only, not those that the user has installed.
os.environ["GARDENPATH_MODELS"] = str(Path(__file__).parent / "no-models")

# A shell starts background jobs with SIGINT ignored, and child processes inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No example fails because the machine is slow.
hypothesis_settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("steady")

SHARING = ("oracles", "parsing", "test_pairs", "test_beam_training")


def pytest_make_parametrize_id(val, argname):
    """Number tests with bytes. Archives contain the time, so two processes would give such tests different names."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Run the tests of a folder or file that share expensive tables and models in one process of pytest-xdist."""
    for item in items:
        for name in {item.path.parent.name, item.path.stem} & {*SHARING}:
            item.add_marker(pytest.mark.xdist_group(name))


def pytest_collection_finish():
    """Exclude all that is imported from garbage collection, which takes a second each time otherwise."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return small_corpus(tmp_path_factory.mktemp("corpus") / "in")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, source, settings):
    """The output of the corpus in this process, without interference, with the settings of the module."""
    return parts(parsed([source], tmp_path_factory.mktemp("undisturbed") / "out", **settings))
