"""The model file: safetensors, written to the same bytes every time, mapped into memory, checked before use.

The format is safetensors (an 8-byte length, a JSON header, raw arrays), so any reader of that format can open it. We write and map it ourselves: the header's
order is fixed, arrays are used where they lie in the file, and a file that is cut short, altered, foreign or too new is told apart in one sentence.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from pathlib import Path
from typing import Any

from gardenpath.core.checksum import checksum
from gardenpath.errors import InputError
from gardenpath.files import replacing

FORMAT = 1
_ALIGNMENT = 64
# The types of arrays with their names in the format and in the struct module, and how many bytes a number takes.
_TYPES: dict[str, tuple[Any, int]] = {"U8": ("B", 1), "U16": ("H", 2), "U32": ("I", 4), "U64": ("Q", 8), "I64": ("q", 8), "F32": ("f", 4)}

Arrays = dict[str, Any]        # arrays of numpy, or plain views of memory


def save(path: str | Path, arrays: Arrays, settings: dict[str, Any]) -> None:
    """Write a model file beside its place and move it there at once: whatever happens, the old file or the new one is whole."""
    header, blobs = _header(arrays, settings)
    with replacing(path) as file:
        file.write(header)
        for blob in blobs:
            file.write(blob)


def load(path: str | Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays, mapped from the file, and the settings. (Plain views, not numpy's: a parser then starts without numpy.)"""
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
        raise _bad(path, "it does not begin like a model; it is cut short or something else")
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or "gardenpath" not in metadata:
        raise _bad(path, "it is a safetensors file, but not one of gardenpath's")
    if metadata["gardenpath"] != str(FORMAT):
        raise _bad(path, f"it has model format {metadata['gardenpath']}, this version of gardenpath reads format {FORMAT}; upgrade gardenpath", remedy="")
    arrays = _arrays(path, data, 8 + length, header)
    settings = metadata.get("settings")
    if not isinstance(settings, str) or checksum(_signed(settings, arrays)) != metadata.get("checksum"):
        raise _bad(path, "it has been altered or damaged: its checksum is wrong")
    return arrays, json.loads(settings)


def _header(arrays: Arrays, settings: dict[str, Any]) -> tuple[bytes, list[bytes]]:
    text = json.dumps(settings, ensure_ascii=False, sort_keys=True)
    metadata = {"gardenpath": str(FORMAT), "settings": text, "checksum": checksum(_signed(text, arrays))}
    entries: dict[str, Any] = {"__metadata__": metadata}
    blobs, offset = [], 0
    for name in sorted(arrays):
        array = memoryview(arrays[name])
        # Each array begins at a multiple of the alignment; the gap belongs to a filler, as the format leaves no holes.
        entries[name] = {"dtype": _type_of(array), "shape": list(array.shape or ()), "data_offsets": [offset, offset + array.nbytes]}
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
    kind = "f" if array.format in "fd" else "q" if array.format in "lq" else "Q"
    return next(name for name, (code, size) in _TYPES.items() if size == array.itemsize and (kind == code if kind in "fq" else code.isupper()))


def _signed(settings: str, arrays: Arrays) -> bytes:
    """What the checksum covers: the settings and, by its own checksum, each array."""
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
            if start != expected or (begin + start) % size or array.nbytes != end - start or math.prod(entry["shape"]) != len(array):
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


def _bad(path: str | Path, reason: str, remedy: str = "; copy or train it again") -> InputError:
    return InputError(f"{path}: not a usable gardenpath model: {reason}{remedy}")
