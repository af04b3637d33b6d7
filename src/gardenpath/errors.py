"""The errors and warnings of gardenpath. Messages say what is wrong, where, and how to fix it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any


class GardenpathError(Exception):
    """Base class of all errors that gardenpath raises."""


class InputError(GardenpathError, ValueError):
    """An error in the input, such as a file or a sentence (exit code 1)."""


class UsageError(GardenpathError, ValueError):
    """An error in a call, such as an unknown name or settings that do not fit together (exit code 2)."""


class GardenpathWarning(UserWarning):
    """A warning about a call that is possible but probably not intended."""


def show_warnings_plainly() -> None:
    """From now on, print warnings of gardenpath like errors of the command line, and other warnings as usual."""
    warnings.showwarning = partial(_show, warnings.showwarning)


def _show(others: Callable[..., None], message: Warning | str, category: type[Warning], *place: Any) -> None:
    if issubclass(category, GardenpathWarning):
        print(f"gardenpath: {message}", file=sys.stderr)
    else:
        others(message, category, *place)
