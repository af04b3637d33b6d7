"""What tests of several folders share: a small corpus, and what comes of it."""

from __future__ import annotations

import pytest

from corpus_tools import parsed, parts, small_corpus


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return small_corpus(tmp_path_factory.mktemp("corpus") / "in")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, source, settings):
    """What comes of the corpus in this process, if nobody interferes, with the settings of the module."""
    return parts(parsed([source], tmp_path_factory.mktemp("undisturbed") / "out", **settings))
