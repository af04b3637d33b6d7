"""The models that come with the package."""

from __future__ import annotations

from pathlib import Path

from gardenpath.errors import UsageError

FOLDER = Path(__file__).parent / "shipped"


def names() -> list[str]:
    """The names of the models that are shipped."""
    return sorted(path.stem for path in FOLDER.glob("*.gp"))


def path_of(name: str | Path) -> Path:
    """The file of a shipped model, if this is the name of one; else the file of that name."""
    path = Path(name)
    if path.name != str(name) or path.suffix:
        return path
    if str(name) in names():
        return FOLDER / f"{name}.gp"
    if not path.exists():
        raise UsageError(f"no model is called {str(name)!r}; there are {', '.join(names()) or 'none'}, and any model file by its path")
    return path
