"""Opening files to read, `-` for standard input; writing them so that a name never stands for half a file."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import IO

from gardenpath.errors import UsageError


def opened(source: str | Path | IO[bytes]) -> IO[bytes] | nullcontext[IO[bytes]]:
    """A file to read bytes from; `-` is standard input, and what is open already stays open."""
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    return open(source, "rb") if isinstance(source, (str, Path)) else nullcontext(source)


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
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
    try:
        writable = open(temporary, "xb")  # noqa: SIM115 (closed below; only its opening may fail here)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with writable as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
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


@contextmanager
def locked(path: str | Path, refusal: str) -> Iterator[None]:
    """Keep other processes from what a file guards, where the system and the file system have such locks; `refusal` is what they are told."""
    with open(path, "w", encoding="utf-8") as file:
        try:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(refusal) from None
        except (ImportError, OSError):
            pass
        yield


@cache
def digest(path: Path) -> str:
    """The SHA-256 of a file, as it was when it was first asked for."""
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
