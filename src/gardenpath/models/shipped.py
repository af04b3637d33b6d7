"""The models that come with the package."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"


def names() -> list[str]:
    """Return the names of the shipped models."""
    return sorted(path.stem for path in FOLDER.glob("*.gp"))
