"""Helpers for files: reading with `-` as standard input, atomic writing, locks and digests."""

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
    """Open a file to read bytes. `-` is standard input; a file that is already open is not closed."""
    if isinstance(source, str) and "\n" in source:
        raise UsageError("this is the content of a file, not its name; pass it as io.BytesIO(content.encode())")
    if source is None or isinstance(source, (bytes, io.StringIO)):
        raise UsageError(f"{type(source).__name__} is not a path or an open binary file; pass one of these")
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    return open(source, "rb") if isinstance(source, (str, Path)) else nullcontext(source)


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces `path` when it is complete, so that `path` is always the whole old or new file.

    Pipes and devices are written directly. For a symbolic link, the file that it points to is replaced.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(path, "wb") as file:
            yield file
        return
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}")
    try:
        writable = open(temporary, "xb")  # noqa: SIM115 (closed below; only opening can fail here)
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
    """Do the same as `replacing` for UTF-8 text. Line ends are not changed."""
    with replacing(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


@contextmanager
def locked(path: str | Path, refusal: str) -> Iterator[None]:
    """Hold an exclusive lock on a file, if the operating system and the file system support locks.

    If another process holds the lock, a `UsageError` with the message `refusal` is raised.
    """
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
    """Return the SHA-256 of a file. The result is cached, so later changes of the file have no effect."""
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
