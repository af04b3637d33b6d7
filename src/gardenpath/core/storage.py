"""The model file: safetensors, with the same bytes for the same content, mapped into memory, checked before use.

The format is safetensors (an 8-byte length, a JSON header, raw arrays), so any reader of that format can open it. This
module writes and maps it itself: the order of the header is fixed, arrays are used where they lie in the file, and a
file that is truncated, altered, of another program or too new gets an error message of its own.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from pathlib import Path
from typing import Any

from gardenpath.core.checksum import checksum
from gardenpath.core.shapes import matches
from gardenpath.errors import InputError
from gardenpath.files import replacing

FORMAT = 1
_ALIGNMENT = 64
_MOST_DIMENSIONS = 8
# The types of arrays: the name in the format, the code in the struct module, and the number of bytes.
_TYPES: dict[str, tuple[Any, int]] = {
    "U8": ("B", 1), "I8": ("b", 1), "U16": ("H", 2), "U32": ("I", 4), "U64": ("Q", 8), "I64": ("q", 8), "F32": ("f", 4),
}

Arrays = dict[str, Any]        # numpy arrays or memoryviews


def save(path: str | Path, arrays: Arrays, settings: dict[str, Any]) -> None:
    """Write a model file atomically: after an interruption the path holds the complete old or the complete new file."""
    header, blobs = _header(arrays, settings)
    with replacing(path) as file:
        file.write(header)
        for blob in blobs:
            file.write(blob)


def load(path: str | Path) -> tuple[Arrays, dict[str, Any]]:
    """Return the arrays, mapped from the file, and the settings.

    The arrays are memoryviews, so that a parser needs no numpy.
    """
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 8:
            raise _bad(path, "it is too short to be a model")
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    length = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(bytes(data[8 : 8 + length])) if length <= len(data) - 8 else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise _bad(path, "it does not begin like a model; it is cut short or of another kind")
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or "gardenpath" not in metadata:
        raise _bad(path, "it is a safetensors file, but not one of gardenpath's")
    if metadata["gardenpath"] != str(FORMAT):
        reason = f"it has model format {metadata['gardenpath']}, and this version of gardenpath reads format {FORMAT}"
        raise _bad(path, f"{reason}; upgrade gardenpath", remedy="")
    arrays = _arrays(path, data, 8 + length, header)
    settings = metadata.get("settings")
    if not isinstance(settings, str) or checksum(_signed(settings, arrays)) != metadata.get("checksum"):
        raise _bad(path, "it has been altered or damaged: its checksum is wrong")
    try:
        stored = json.loads(settings)
    except (ValueError, RecursionError):
        stored = None
    if not isinstance(stored, dict):
        raise _bad(path, "its settings are not a table in JSON")
    return arrays, stored


def _header(arrays: Arrays, settings: dict[str, Any]) -> tuple[bytes, list[bytes]]:
    text = json.dumps(settings, ensure_ascii=False, sort_keys=True)
    metadata = {"gardenpath": str(FORMAT), "settings": text, "checksum": checksum(_signed(text, arrays))}
    entries: dict[str, Any] = {"__metadata__": metadata}
    blobs, offset = [], 0
    for name in sorted(arrays):
        array = memoryview(arrays[name])
        # Each array begins at a multiple of the alignment. The format allows no holes, so a filler array covers the
        # gap.
        offsets = [offset, offset + array.nbytes]
        entries[name] = {"dtype": _type_of(array), "shape": list(array.shape or ()), "data_offsets": offsets}
        blobs.append(array.tobytes())
        offset += array.nbytes
        gap = -offset % _ALIGNMENT
        if gap:
            entries[f"{name}.gap"] = {"dtype": "U8", "shape": [gap], "data_offsets": [offset, offset + gap]}
            blobs.append(bytes(gap))
            offset += gap
    header = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-(len(header) + 8) % _ALIGNMENT)
    return len(header).to_bytes(8, "little") + header, blobs


def _type_of(array: memoryview) -> str:
    letter = "F" if array.format in "fd" else "I" if array.format in "bhilq" else "U"
    return f"{letter}{8 * array.itemsize}"


def _signed(settings: str, arrays: Arrays) -> bytes:
    """Return what the checksum covers: the settings, and the checksum of each array."""
    parts = [settings, *(f"{name}{checksum(_bytes(arrays[name]))}" for name in sorted(arrays))]
    return "".join(parts).encode(errors="surrogatepass")


def _bytes(array: Any) -> memoryview:
    view = memoryview(array)
    return view.cast("B") if view.nbytes else memoryview(b"")


def _arrays(path: str | Path, data: memoryview, begin: int, header: dict[str, Any]) -> dict[str, memoryview]:
    arrays: dict[str, memoryview] = {}
    expected, last = 0, ""
    try:
        for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            start, end = entry["data_offsets"]
            code, size = _TYPES[entry["dtype"]]
            array = data[begin + start : begin + end].cast(code)
            if start != expected or (begin + start) % size or array.nbytes != end - start:
                raise ValueError
            if not _is_shape(entry["shape"]) or math.prod(entry["shape"]) != len(array):
                raise ValueError
            if not name.endswith(".gap"):
                arrays[name] = array if len(entry["shape"]) == 1 else array.cast("B").cast(code, entry["shape"])
            elif any(array) or name != f"{last}.gap":
                raise ValueError
            expected, last = end, name
    except (KeyError, TypeError, ValueError):
        raise _bad(path, "its arrays do not fit the file; it is cut short or damaged") from None
    if begin + expected != len(data):
        raise _bad(path, "its arrays do not fill the file; it is cut short or damaged")
    return arrays


def _is_shape(value: Any) -> bool:
    """Return whether a value is a list of a few integers, whose product is quickly computed."""
    return matches(value, [int]) and len(value) <= _MOST_DIMENSIONS


def _bad(path: str | Path, reason: str, remedy: str = "; copy or train it again") -> InputError:
    return InputError(f"{path}: not a usable gardenpath model: {reason}{remedy}")
