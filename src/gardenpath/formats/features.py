"""The column FEATS as a string that is also a mapping."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import SupportsIndex

from gardenpath.errors import UsageError

_EMPTY = "_"
_FORBIDDEN = "|=\t\r\n "


class Features(str):
    """FEATS, such as `Case=Nom|Number=Sing`: the string of the file, and a mapping from features to values.

    Features are looked up by name: `feats["Case"]`, `feats.get("Case")`, `feats.items()`. Iteration, length and truth
    are those of a mapping, so `_` is empty and false. `in` finds a feature (`"Case" in feats`) or a feature with its
    value (`"Case=Nom" in feats`). In everything else (comparison, hash, methods such as `split`, positions and slices)
    this is the string. It cannot be changed; `updated` returns a changed copy.
    """

    __slots__ = ()

    @classmethod
    def of(cls, features: Mapping[str, str | None]) -> Features:
        """Return the features of a mapping, sorted as in UD. Features with the value None are left out."""
        pairs = [(_checked(name), value) for name, value in features.items() if value is not None]
        pairs.sort(key=lambda pair: (pair[0].lower(), pair[0]))
        return cls("|".join(f"{name}={_checked(value)}" if value else name for name, value in pairs) or _EMPTY)

    def updated(self, changes: Mapping[str, str | None] | None = None, /, **more: str | None) -> Features:
        """Return these features with some values changed: `feats.updated(Number="Plur", Case=None)`; None removes."""
        return Features.of({**self._pairs(), **(changes or {}), **more})

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the value of a feature, or `default` if there is no such feature."""
        return self._pairs().get(name, default)

    def keys(self) -> KeysView[str]:
        """Return the names of the features."""
        return self._pairs().keys()

    def values(self) -> ValuesView[str]:
        """Return the values of the features."""
        return self._pairs().values()

    def items(self) -> ItemsView[str, str]:
        """Return the features with their values."""
        return self._pairs().items()

    def __getitem__(self, key: SupportsIndex | slice[SupportsIndex | None] | str) -> str:
        return self._pairs()[key] if isinstance(key, str) else super().__getitem__(key)

    def __contains__(self, item: object) -> bool:
        return self != _EMPTY and any(item in (each, each.partition("=")[0]) for each in self.split("|"))

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs())

    def __len__(self) -> int:
        return len(self._pairs())

    def _pairs(self) -> dict[str, str]:
        """Return the features as a dictionary. An item without `=` has an empty value."""
        if self == _EMPTY:
            return {}
        items = (item.partition("=") for item in self.split("|"))
        return {name: value for name, _, value in items}


Mapping.register(Features)


def column_of(feats: str | Mapping[str, str | None]) -> str:
    """Return features as the plain string of the column FEATS."""
    if isinstance(feats, str):
        return str(feats)
    if isinstance(feats, Mapping):
        return str(Features.of(feats))
    raise UsageError(f"FEATS must be a string or a mapping from features to values, not {feats!r}")


def _checked(part: str) -> str:
    if not isinstance(part, str) or not part or set(part) & set(_FORBIDDEN):
        raise UsageError(f"{part!r} cannot be a part of FEATS; use strings without spaces, `|` and `=`")
    return part
