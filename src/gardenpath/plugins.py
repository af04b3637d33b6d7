"""Code from outside the package: Python files that users name, and entry points of installed packages.

Registries call `find` when a name is unknown, or for a listing, so that starting up takes no longer.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from gardenpath.errors import UsageError

CODE = "GARDENPATH_CODE"         # files to execute, separated by os.pathsep; worker processes inherit it

_lock = threading.RLock()
_loaded: set[Path] = set()       # files that were executed, or are being executed


def load_code(paths: Iterable[str | Path]) -> None:
    """Execute Python files that register systems, oracles or scorers, each once.

    Worker processes that are started later execute the same files. An error in a file becomes a `UsageError` that names
    the file, the line and the exception.
    """
    files = [Path(path).resolve() for path in paths]
    for file in files:
        _execute(file)
    known = [path for path in os.environ.get(CODE, "").split(os.pathsep) if path]
    if files:
        os.environ[CODE] = os.pathsep.join(dict.fromkeys([*known, *map(str, files)]))


def environment() -> dict[str, str]:
    """Return the environment variables that worker processes on other machines need to load the same files."""
    return {CODE: os.environ[CODE]} if os.environ.get(CODE) else {}


@cache
def entry_points(group: str) -> dict[str, metadata.EntryPoint]:
    """Return the entry points of a group by name."""
    return {point.name: point for point in metadata.entry_points(group=group)}


def find(group: str, name: str | None, register: Callable[[str, Any], object]) -> None:
    """Load what may define a name, or all names if it is None: the files in GARDENPATH_CODE, then entry points.

    An entry point has the name that it defines. What it refers to is passed to `register`, with that name.
    """
    for path in filter(None, os.environ.get(CODE, "").split(os.pathsep)):
        _execute(Path(path).resolve())
    for point in list(entry_points(group).values()):
        if name in (None, point.name):
            try:
                found = point.load()
            except Exception as error:
                raise UsageError(
                    f"the entry point {point.name} = {point.value} of {group} cannot be loaded: {_text(error)}; "
                    f"correct or uninstall the package that has it"
                ) from error
            register(point.name, found)


def _execute(file: Path) -> None:
    with _lock:
        if file in _loaded:
            return
        if not file.is_file():
            raise UsageError(f"{file}: there is no such file to load code from")
        # Pickled objects refer to their module by name, so two files of the same name must not share one.
        name = f"gardenpath_code_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
        spec = util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise UsageError(f"{file}: not a Python file; its name must end with .py")
        module = util.module_from_spec(spec)
        sys.modules[name] = module
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))        # so that it can import modules beside it
        _loaded.add(file)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            _loaded.discard(file)
            del sys.modules[name]
            raise UsageError(f"{file}, line {_line(file, error)}: {_text(error)}") from error


def _line(file: Path, error: Exception) -> int:
    """Return the line of a file in which an error was raised, or the line of the call if it was raised elsewhere."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno or 1
    line, step = 1, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == str(file):
            line = step.tb_lineno
        step = step.tb_next
    return line


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
