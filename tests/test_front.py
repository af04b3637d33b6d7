"""The front door: every name is there when it is asked for, and no other."""

import subprocess
import sys

import pytest

import gardenpath as gp


def test_every_name_is_there():
    assert all(getattr(gp, name) is not None for name in gp.__all__)
    assert set(gp.__all__) < set(dir(gp))
    assert gp.models.settings.Settings().parser.system == "arc-eager-unshift"


def test_completion_shows_nothing_else():
    """Modules that are imported in passing are not shown either."""
    gp.load("en-fast")
    shown = {name for name in dir(gp) if not name.startswith("__")}
    assert shown == {*gp.__all__, "evaluation", "treebank"}


def test_no_other_is():
    with pytest.raises(AttributeError, match="module 'gardenpath' has no attribute 'nonsense'"):
        gp.nonsense  # noqa: B018


def test_parsing_starts_without_what_trains():
    modules = "{'numpy', 'torch', 'gardenpath.models.training'}"
    code = f"import sys, gardenpath as gp; gp.load('en')('A text.'); print(*sorted({modules} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
