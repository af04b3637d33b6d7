"""Files that are sent to other machines of a Ray cluster."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ray

from gardenpath.files import digest


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file for other machines: the SHA-256 of its content, and the content in the object store."""

    digest: str
    content: ray.ObjectRef


Parcels = dict[Path, Parcel]


def packed(path: Path) -> Parcel:
    """Put a file into the object store."""
    return Parcel(digest(path), ray.put(path.read_bytes()))


def is_here(path: Path, parcel: Parcel) -> bool:
    """Return whether this machine has the same file at the same path."""
    return path.is_file() and digest(path) == parcel.digest


def found(path: Path, parcel: Parcel, folder: Path) -> Path:
    """Return where this machine has a file: its own path if that is the same file, else a copy unpacked in `folder`."""
    if is_here(path, parcel):
        return path
    unpacked = folder / parcel.digest / path.name
    unpacked.parent.mkdir(exist_ok=True)
    unpacked.write_bytes(ray.get(parcel.content))
    return unpacked
