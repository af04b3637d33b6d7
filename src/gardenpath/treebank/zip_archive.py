"""Unpack a zip archive of a treebank that may be damaged or hostile, with the checks and limits of `archive`."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from gardenpath.errors import InputError
from gardenpath.treebank.archive import UNRELEASED, Unpacked, check_limits, without_top
from gardenpath.treebank.tar import CHUNK


def unpack_zip(archive: Path, folder: Path) -> Unpacked:
    """Unpack a zip file, without its top folder if it has one. `folder` must exist and be empty."""
    try:
        with zipfile.ZipFile(archive) as packed:
            return _unpack_all(packed, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{archive}: the archive is damaged, encrypted or of another kind ({error})") from None
    except InputError as error:
        raise InputError(f"{archive}: {error}; this is not an archive of a treebank") from None


def _unpack_all(packed: zipfile.ZipFile, folder: Path) -> Unpacked:
    found = Unpacked()
    members = [member for member in packed.infolist() if not member.is_dir()]
    paths = [PurePosixPath(member.filename).parts for member in members]
    has_top = len({parts[:1] for parts in paths}) == 1 and all(len(parts) > 1 for parts in paths)
    for member in members:
        inside = without_top(member.filename if has_top else f"top/{member.filename}")
        if not inside.parts or inside.parts[0] == UNRELEASED:
            continue
        if stat.S_ISLNK(member.external_attr >> 16):
            found.links.append(str(inside))
            continue
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
    with packed.open(member) as content, file:
        while piece := content.read(CHUNK):
            found.size += len(piece)
            check_limits(found)
            file.write(piece)
