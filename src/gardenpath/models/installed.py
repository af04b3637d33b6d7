"""The models in the user's data directory: NAME.gp in one folder."""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path

from gardenpath.errors import InputError, UsageError
from gardenpath.files import replacing

VARIABLE = "GARDENPATH_MODELS"
ENDING = ".gp"
NAME = re.compile(r"[A-Za-z0-9](?:[\w-]*\w)?", re.ASCII)


def directory(given: str | Path | None = None) -> Path:
    """Return the folder of the installed models, which may not exist yet.

    It is `given`, or the environment variable GARDENPATH_MODELS, or the user's data directory.
    """
    chosen = given or os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path  # only needed here

    return user_data_path("gardenpath", appauthor=False) / "models"


def prepared(given: str | Path | None = None) -> Path:
    """Create the folder of the installed models; raise `UsageError` if files cannot be written to it."""
    folder = directory(given)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise UsageError(
            f"{folder}: models cannot be installed in this folder ({error.strerror}); choose another one with --folder "
            f"or the environment variable {VARIABLE}"
        ) from None
    return folder


def names(folder: str | Path | None = None) -> list[str]:
    """Return the names of the installed models."""
    return sorted(path.stem for path in directory(folder).glob(f"*{ENDING}") if NAME.fullmatch(path.stem))


def place(name: str, folder: str | Path | None = None) -> Path:
    """Return the path of the installed model with this name, whether it exists or not."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a model; use letters, digits, hyphens and underscores, as in de_gsd-fast"
        )
    return directory(folder) / f"{name}{ENDING}"


def install(source: Path, name: str, folder: str | Path | None = None, *, replace: bool = False) -> Path:
    """Copy a model file to the installed models and return its path.

    The file appears under its name only when it is complete and has been loaded. A file that is not a usable model
    raises `InputError`. An existing model of that name is replaced only with `replace`.
    """
    target = _target(name, folder, replace)
    with open(source, "rb") as original, replacing(target) as copy:
        shutil.copyfileobj(original, copy)
        copy.flush()
        _check(Path(copy.name), shown=source)
    return target


def move_in(source: Path, name: str, folder: str | Path | None = None, *, replace: bool = False) -> Path:
    """Do the same as `install` by moving the file, which is complete and on the same file system.

    A process that is killed leaves nothing in the folder of the installed models.
    """
    target = _target(name, folder, replace)
    _check(source, shown=source)
    with open(source, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(source, target)
    return target


def _target(name: str, folder: str | Path | None, replace: bool) -> Path:
    """Return the path for a model to install, in a folder that exists."""
    target = place(name, folder)
    if target.exists() and not replace:
        raise UsageError(
            f"a model {name} is already installed ({target}); replace it with --force, or choose another --name"
        )
    prepared(folder)
    return target


def _check(path: Path, shown: Path) -> None:
    """Raise `InputError` if the file is not a usable model. The message names the file `shown`."""
    from gardenpath.models.loading import load_file  # it imports this module to find models

    try:
        load_file(path)
    except InputError as error:
        raise InputError(str(error).replace(str(path), str(shown))) from None


def remove(name: str, folder: str | Path | None = None) -> Path:
    """Delete an installed model and return its path."""
    path = place(name, folder)
    try:
        path.unlink()
    except FileNotFoundError:
        known = ", ".join(names(folder)) or "no models"
        raise UsageError(f"no model {name} is installed in {path.parent}; there are {known}") from None
    return path
