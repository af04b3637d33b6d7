"""Unpack an archive that may be damaged or hostile.

Only regular files are unpacked, only into the target folder, and only up to a limit.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from gardenpath.errors import InputError
from gardenpath.treebank.tar import FILE, FOLDER, LINK, DamagedError, Member, TarReader

MOST_FILES = 100_000
MOST_BYTES = 8 << 30
UNRELEASED = "not-to-release"      # a folder of the repositories that releases leave out
FORBIDDEN = '\\:*?"<>|'            # characters with a special meaning on some systems


@dataclass(slots=True)
class Unpacked:
    """The content of an archive: files, skipped links, and the commit that it was made from, if it names one."""

    files: int = 0
    size: int = 0
    links: list[str] = field(default_factory=list)
    commit: str | None = None


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack a .tar.gz made by GitHub, without its top folder. `folder` must exist and be empty."""
    try:
        with open(archive, "rb") as file:
            return _unpack_all(TarReader(file, 2 * MOST_BYTES), folder)
    except DamagedError as error:
        raise InputError(
            f"{archive.name}: the archive is damaged or truncated ({error}); run the command again"
        ) from None
    except InputError as error:
        raise InputError(
            f"{archive.name}: {error}; this is not an archive of a treebank, and nothing was unpacked"
        ) from None


def _unpack_all(tar: TarReader, folder: Path) -> Unpacked:
    found = Unpacked()
    for member in tar:
        inside = without_top(member.name)
        if not inside.parts or inside.parts[0] == UNRELEASED:
            continue
        if member.kind == LINK:
            found.links.append(str(inside))
            check_limits(found)
        elif member.kind == FILE:
            found.files += 1
            found.size += member.size
            check_limits(found)
            _write(member, folder / inside)
        elif member.kind != FOLDER:
            raise InputError(f"{member.name!r} is neither a file nor a folder")
    found.commit = tar.comment
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
    if found.files + len(found.links) > MOST_FILES or found.size > MOST_BYTES:
        raise InputError(f"it has more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes")


def _write(member: Member, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = open(target, "xb")  # noqa: SIM115 (closed below; only opening it may fail here)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{member.name!r} occurs twice") from None
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise InputError(f"the name of a file is too long ({len(member.name):,} characters)") from None
    with file:
        for piece in member.content:
            file.write(piece)
