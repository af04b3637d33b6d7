"""Helpers for files: reading with `-` as standard input, atomic writing, locks and digests."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import IO

from gardenpath.errors import UsageError

# Errors of write calls, which do not name the file.
_DISK_FAULTS = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO") if hasattr(errno, name)}


def opened(source: str | Path | IO[bytes]) -> IO[bytes] | nullcontext[IO[bytes]]:
    """Open a file to read bytes. `-` is standard input; a file that is already open is not closed."""
    if isinstance(source, str) and "\n" in source:
        raise UsageError("this is the content of a file, not its name; pass it as io.BytesIO(content.encode())")
    if source is None or isinstance(source, (bytes, io.TextIOBase)):
        remedy = "pass a path, or open(path, 'rb')"
        raise UsageError(f"{type(source).__name__} is not a path or an open binary file; {remedy}")
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    return open(source, "rb") if isinstance(source, (str, Path)) else nullcontext(source)


class Named(io.BytesIO):
    """A binary stream in memory with a name for error messages."""

    name: str


def named(content: bytes, name: str) -> Named:
    """Return a binary stream with this content and name."""
    stream = Named(content)
    stream.name = name
    return stream


def files_in(folder: Path, without: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, in sorted order, without hidden ones and one other folder."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders
            if not name.startswith(".") and (Path(parent) / name).resolve() != without.resolve()
        )
        yield from (Path(parent) / name for name in sorted(names) if not name.startswith("."))


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
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno in _DISK_FAULTS and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def require_other_file(target: str | Path, sources: Iterable[str | Path | None], what: str) -> None:
    """Raise `UsageError` if the file to write is one of the files to read. `what` names it in the message."""
    for source in sources:
        if source is not None and str(source) != "-" and os.path.realpath(source) == os.path.realpath(target):
            raise UsageError(f"{target}: {what} would replace the input file; choose another name for the output")


def require_writable(target: str | Path, what: str) -> None:
    """Raise `UsageError` if a file of this name cannot be written. `what` names it in the message.

    For commands that compute for a long time before they write.
    """
    path = Path(os.path.realpath(target))
    if path.is_dir():
        reason = "that is a directory"
    elif not path.parent.is_dir():
        reason = "its directory does not exist"
    elif not os.access(path.parent, os.W_OK) and (not path.exists() or path.is_file()):
        reason = "its directory is read-only"
    else:
        return
    raise UsageError(f"{what} cannot be written to {target}: {reason}")


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
