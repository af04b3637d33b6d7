"""Unpack an archive that may be damaged or hostile.

Only regular files are unpacked, only into the target folder, and only up to a limit.
"""

from __future__ import annotations

import gzip
import tarfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from gardenpath.errors import InputError

MOST_FILES = 100_000
MOST_BYTES = 8 << 30
LARGEST_READ = 1 << 24             # bytes; no valid header is that long
CHUNK = 1 << 20
UNRELEASED = "not-to-release"      # a folder of the repositories that releases leave out
FORBIDDEN = '\\:*?"<>|'            # characters with a special meaning on some systems


@dataclass(slots=True)
class Unpacked:
    """The content of an archive: files, skipped links, and the commit that it was made from, if it names one."""

    files: int = 0
    size: int = 0
    links: list[str] = field(default_factory=list)
    commit: str | None = None


class _Bounded(gzip.GzipFile):
    """Limits the size of a read, because a header may name any size."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= LARGEST_READ:
            raise InputError(f"a header requires {size:,} bytes")
        return super().read(size)


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack a .tar.gz made by GitHub, without its top folder. `folder` must exist and be empty."""
    try:
        with _Bounded(archive) as file, tarfile.open(fileobj=file, mode="r:") as tar:
            found = _unpack_all(tar, folder)
            while file.read(CHUNK):         # read to the end, to verify the checksum
                pass
        return found
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise InputError(
            f"{archive.name}: the archive is damaged or truncated ({error}); run the command again"
        ) from None
    except InputError as error:
        raise InputError(
            f"{archive.name}: {error}; this is not an archive of a treebank, and nothing was unpacked"
        ) from None


def _unpack_all(tar: tarfile.TarFile, folder: Path) -> Unpacked:
    found = Unpacked(commit=tar.pax_headers.get("comment"))
    for member in tar:
        inside = without_top(member.name)
        if not inside.parts or inside.parts[0] == UNRELEASED:
            continue
        if member.issym() or member.islnk():
            found.links.append(str(inside))
        elif member.isreg():
            found.files += 1
            found.size += member.size
            check_limits(found)
            _write(tar, member, folder / inside)
        elif not member.isdir():
            raise InputError(f"{member.name!r} is neither a file nor a folder")
    return found


def without_top(name: str) -> PurePosixPath:
    """Return the path of a file without the top folder. Raise `InputError` if the path is not safe."""
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or any(character in FORBIDDEN or not character.isprintable() for character in name)
    ):
        raise InputError(f"{name!r} is not a valid path for a file of a treebank")
    return PurePosixPath(*path.parts[1:])


def check_limits(found: Unpacked) -> None:
    """Raise `InputError` if an archive has too many files or bytes."""
    if found.files > MOST_FILES or found.size > MOST_BYTES:
        raise InputError(f"it has more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes")


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    content = tar.extractfile(member)
    assert content is not None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = open(target, "xb")  # noqa: SIM115 (closed below; only opening it may fail here)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{member.name!r} occurs twice") from None
    with content, file:
        while piece := content.read(CHUNK):
            file.write(piece)
