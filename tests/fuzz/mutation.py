"""Mutations: of bytes, of tables of lines and columns, and of plain values as in JSON."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

VALUES = (
    "", "_", "0", "1", "2", "-1", "1-2", "2-3", "0.1", "1.1", "007", "9" * 20, "9" * 400, "\r", "\n", "\r\n", "\t",
    "\0", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\ufeff", "\u00a0", "é", "e\u0301", "😀", "א", "a" * 300,
    "#", "# text = a", "# newpar", "=", "|", "A=b|C=d", "\\p", "root", "1:dep|2:dep", "SpaceAfter=No", "don't", ".",
    "None",
)
PLAIN = (
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 0.5, 1e300, "", "_", "a\tb", "a\nb", "\r", "\0", [], {}, [[]],
)
BYTES = (b"\0", b"\xff", b"\r", b"\n", b"\t", b"\x80", b"\xed\xa0\x80", b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\x7f")

Mutation = Callable[[Random, bytes, bytes], bytes]


def any_bytes(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change, remove, repeat or insert bytes; sometimes insert a part of another input."""
    changed = bytearray(data)
    for _ in range(1 + min(7, int(rng.expovariate(0.7)))):
        at = rng.randrange(len(changed) + 1)
        end = min(len(changed), at + rng.choice((1, 1, 2, 4, 8, 64)))
        match rng.randrange(6):
            case 0 if changed:
                changed[at % len(changed)] ^= 1 << rng.randrange(8)
            case 1:
                changed[at:end] = rng.choice(BYTES)
            case 2:
                del changed[at:end]
            case 3:
                changed[at:at] = changed[at:end] * rng.choice((1, 2, 20))
            case 4 if other:
                begin = rng.randrange(len(other))
                changed[at:end] = other[begin : begin + rng.choice((4, 16, 256))]
            case _:
                changed[at:end] = rng.randbytes(end - at)
    return bytes(changed)


def table(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change lines and columns of a table whose columns are separated by tabs."""
    if rng.random() < 0.2:
        return any_bytes(rng, data, other)
    lines = [line.split("\t") for line in data.decode("utf-8", "replace").split("\n")]
    more = [line.split("\t") for line in other.decode("utf-8", "replace").split("\n")]
    for _ in range(1 + min(5, int(rng.expovariate(0.9)))):
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0 | 1 | 2:
                lines[at][rng.randrange(len(lines[at]))] = rng.choice(VALUES)
            case 3:
                column = rng.randrange(len(lines[at]))
                cut = rng.randrange(len(lines[at][column]) + 1)
                lines[at][column] = lines[at][column][:cut] + rng.choice(VALUES) + lines[at][column][cut:]
            case 4:
                lines.insert(at, rng.choice(more))
            case 5 if len(lines) > 1:
                del lines[at]
            case 6:
                lines.insert(at, list(rng.choice(lines)))
            case _:
                row, column = rng.choice(lines), rng.randrange(len(lines[at]))
                lines[at][column] = row[min(column, len(row) - 1)]
    newline = "\r\n" if rng.random() < 0.05 else "\n"
    return newline.join("\t".join(line) for line in lines).encode("utf-8", "replace")


def text(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change words and characters of a text."""
    words = data.decode("utf-8", "replace").split(" ")
    for _ in range(1 + rng.randrange(6)):
        at = rng.randrange(len(words))
        match rng.randrange(4):
            case 0:
                words[at] = rng.choice(VALUES)
            case 1:
                point = rng.choice((rng.randrange(32), rng.randrange(0x3000), rng.randrange(0xE000, 0x110000)))
                words[at] += chr(point)
            case 2:
                words.insert(at, rng.choice(other.decode("utf-8", "replace").split(" ")))
            case _:
                words[at] = words[at] * rng.choice((2, 50))
    return rng.choice((" ", " ", "\n", "\u00a0")).join(words).encode("utf-8", "replace")


def plain(rng: Random, value: Any) -> Any:
    """Return plain values, as in JSON, with some of them replaced, removed, repeated or exchanged."""
    root = [copy.deepcopy(value)]
    for _ in range(1 + min(4, int(rng.expovariate(1)))):
        holder, key = _place(rng, root)
        match rng.randrange(6):
            case 0 | 1:
                holder[key] = copy.deepcopy(rng.choice(PLAIN))
            case 2:
                holder[key] = rng.choice(VALUES)
            case 3 if holder is not root:
                del holder[key]
            case 4 if isinstance(holder, list) and holder is not root:
                holder.insert(key, copy.deepcopy(holder[key]))
            case _:
                source, name = _place(rng, root)
                holder[key] = copy.deepcopy(source[name])
    return root[0]


def _place(rng: Random, root: list[Any]) -> tuple[Any, Any]:
    """Return a random container of plain values and a key or index in it. Few steps, so that the top is reached too."""
    holder: Any = root
    key: Any = 0
    while isinstance(holder[key], (dict, list)) and holder[key] and rng.random() < 0.85:
        holder = holder[key]
        keys: Sequence[Any] = list(holder) if isinstance(holder, dict) else range(len(holder))
        key = rng.choice(keys)
    return holder, key
