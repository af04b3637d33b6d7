"""Unpacking an archive that may be broken or hostile: regular files alone, below the folder they belong in, and no more of them than a treebank has."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from gardenpath.errors import InputError

MOST_FILES = 100_000
MOST_BYTES = 8 << 30
LARGEST_READ = 1 << 24             # bytes at once: no header of an archive is as long
CHUNK = 1 << 20
UNRELEASED = "not-to-release"      # what the makers of a treebank keep beside it, and releases leave out
FORBIDDEN = '\\:*?"<>|'            # in names: what some system takes for more than a name


@dataclass(slots=True)
class Unpacked:
    """What was in an archive: files, links that were left out, and the commit it was made from, if it says so."""

    files: int = 0
    size: int = 0
    links: list[str] = field(default_factory=list)
    commit: str | None = None


class _Bounded(gzip.GzipFile):
    """Reads no more at once than there is reason to, for a header may name any size."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= LARGEST_READ:
            raise InputError(f"a header in it asks for {size:,} bytes")
        return super().read(size)


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack a .tar.gz as GitHub makes it, without the folder around everything; `folder` must be there and empty."""
    try:
        with _Bounded(archive) as file, tarfile.open(fileobj=file, mode="r:") as tar:
            found = _unpack_all(tar, folder)
            while file.read(CHUNK):         # to the checksum at the end
                pass
        return found
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise InputError(f"{archive.name}: the archive is broken or cut short ({error}); run the command again") from None
    except InputError as error:
        raise InputError(f"{archive.name}: {error}; this is no archive of a treebank, and nothing of it was kept") from None


def _unpack_all(tar: tarfile.TarFile, folder: Path) -> Unpacked:
    found = Unpacked(commit=tar.pax_headers.get("comment"))
    for member in tar:
        inside = _inside(member.name)
        if not inside.parts or inside.parts[0] == UNRELEASED:
            continue
        if member.issym() or member.islnk():
            found.links.append(str(inside))
        elif member.isreg():
            found.files += 1
            found.size += member.size
            _see_to_bounds(found)
            _write(tar, member, folder / inside)
        elif not member.isdir():
            raise InputError(f"{member.name!r} is neither file nor folder")
    return found


def _inside(name: str) -> PurePosixPath:
    """Where a file goes: its path without the folder around everything."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or any(character in FORBIDDEN or not character.isprintable() for character in name):
        raise InputError(f"{name!r} is no path that a file of a treebank has")
    return PurePosixPath(*path.parts[1:])


def _see_to_bounds(found: Unpacked) -> None:
    if found.files > MOST_FILES or found.size > MOST_BYTES:
        raise InputError(f"more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes")


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    content = tar.extractfile(member)
    assert content is not None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = open(target, "xb")  # noqa: SIM115 (closed below; only its opening may fail here)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{member.name!r} is there twice") from None
    with content, file:
        while piece := content.read(CHUNK):
            file.write(piece)
