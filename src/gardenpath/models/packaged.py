"""Models that come as Python packages: entry points of the group `gardenpath.models`.

The entry point has the name of the model and refers to its path, or to a function that returns the path.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gardenpath import plugins
from gardenpath.errors import UsageError

GROUP = "gardenpath.models"


def names() -> list[str]:
    """Return the names of the models in installed Python packages."""
    return sorted(plugins.entry_points(GROUP))


def path_of(name: str) -> Path | None:
    """Return the file of a model in a Python package, or None if no package has a model of this name."""
    found: list[Path] = []
    if name in plugins.entry_points(GROUP):
        plugins.find(GROUP, name, lambda entry, value: found.append(_checked(entry, value)))
    return found[0] if found else None


def _checked(name: str, value: Any) -> Path:
    path = value() if callable(value) else value
    if not isinstance(path, (str, os.PathLike)) or not Path(path).is_file():
        raise UsageError(
            f"the entry point {name!r} of {GROUP} must be the path of a model file, not {path!r}; install the package "
            "that has it again"
        )
    return Path(path)
