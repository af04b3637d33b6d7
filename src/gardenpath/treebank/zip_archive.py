"""Unpack a zip archive of a treebank that may be damaged or hostile, with the checks and limits of `archive`."""

from __future__ import annotations

import errno
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from gardenpath.errors import InputError
from gardenpath.treebank.archive import UNRELEASED, Unpacked, check_limits, without_top
from gardenpath.treebank.tar import CHUNK, DamagedError

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)      # others may need much memory


def unpack_zip(archive: Path, folder: Path) -> Unpacked:
    """Unpack a zip file, without its top folder if it has one. `folder` must exist and be empty."""
    try:
        with _damages():
            packed = zipfile.ZipFile(archive)
        with packed:
            return _unpack_all(packed, folder)
    except DamagedError as error:
        raise InputError(f"{archive}: the archive is damaged, encrypted or of another kind ({error})") from None
    except InputError as error:
        raise InputError(f"{archive}: {error}; this is not an archive of a treebank") from None


@contextmanager
def _damages() -> Iterator[None]:
    """Raise `DamagedError` for the exceptions that `zipfile` raises if an archive is damaged."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError) as error:
        raise DamagedError(str(error)) from None
    except OSError as error:
        if error.errno != errno.EINVAL:          # a place before the beginning of the file
            raise
        raise DamagedError("a place in it is not valid") from None


def _unpack_all(packed: zipfile.ZipFile, folder: Path) -> Unpacked:
    found = Unpacked()
    members = [member for member in packed.infolist() if not member.filename.endswith("/")]
    paths = [PurePosixPath(member.filename).parts for member in members]
    has_top = len({parts[:1] for parts in paths}) == 1 and all(len(parts) > 1 for parts in paths)
    for member in members:
        inside = without_top(member.filename if has_top else f"top/{member.filename}")
        if not inside.parts or inside.parts[0] == UNRELEASED:
            continue
        if stat.S_ISLNK(member.external_attr >> 16):
            found.links.append(str(inside))
            check_limits(found)
            continue
        if member.compress_type not in METHODS:
            raise InputError(f"{member.filename!r} is compressed by another method than deflate")
        found.files += 1
        check_limits(found)
        _write(packed, member, folder / inside, found)
    return found


def _write(packed: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, found: Unpacked) -> None:
    """Write a file, counting its bytes: the size in the directory of the archive may be wrong."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = open(target, "xb")  # noqa: SIM115 (closed below; only opening it may fail here)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{member.filename!r} occurs twice") from None
    with file, _opened(packed, member) as content:
        while piece := _read(content):
            found.size += len(piece)
            check_limits(found)
            file.write(piece)


def _opened(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    with _damages():
        return packed.open(member)


def _read(content: IO[bytes]) -> bytes:
    with _damages():
        return content.read(CHUNK)
