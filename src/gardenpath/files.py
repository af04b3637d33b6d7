"""Writing files so that a name never stands for half a file."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of `path` once it is complete: whatever happens, the old file or the new one is whole.

    Pipes and devices are written to as they are; of a symbolic link, the file it points to is replaced.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(path, "wb") as file:
            yield file
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


@contextmanager
def replacing_text(path: str | Path) -> Iterator[IO[str]]:
    """The same for text in UTF-8, line ends untouched."""
    with replacing(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
