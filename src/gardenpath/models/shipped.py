"""The models that come with the package."""

from __future__ import annotations

from pathlib import Path

from gardenpath.errors import UsageError

FOLDER = Path(__file__).parent / "shipped"


def names() -> list[str]:
    """Return the names of the shipped models."""
    return sorted(path.stem for path in FOLDER.glob("*.gp"))


def path_of(name: str | Path) -> Path:
    """Return the path of a shipped model if the name is that of one, else the path that was given."""
    path = Path(name)
    if path.name != str(name) or path.suffix:
        return path
    if str(name) in names():
        return FOLDER / f"{name}.gp"
    if not path.exists():
        known = ", ".join(names()) or "no shipped models"
        raise UsageError(f"no model is called {str(name)!r}; there are {known}; or give the path of a model file")
    return path
