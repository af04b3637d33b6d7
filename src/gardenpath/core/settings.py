"""Settings as frozen dataclasses whose fields carry their help text, bounds and choices.

The command line, the configuration file and the checks all read the same fields.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any

from gardenpath.errors import UsageError


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """The description of one setting: everything about it except its name and its default."""

    help: str                                                # one short sentence
    kind: type[Any]                                          # str, int, float or bool
    least: float | None = None
    most: float | None = None
    below: float | None = None                               # an exclusive upper bound
    choices: Sequence[str] = ()                              # the valid values
    known: Callable[[], Sequence[str]] | None = None         # values to show in help; others may be valid too
    old_name: str | None = None                              # still accepted, with a DeprecationWarning
    is_file: bool = False                                    # the value may be a path
    default_text: str | None = None                          # shown as the default if the default itself says nothing


def setting(default: Any, help: str, **details: Any) -> Any:
    """Declare a field of a settings class; `details` are attributes of `SettingInfo`.

    The value is of the type of the default. A setting whose default is None needs a `kind`, and may also be None.
    """
    kind = details.pop("kind", type(default))
    return field(default=default, metadata={"setting": SettingInfo(help, kind, **details)})


def settings_of(part: type[SettingsPart] | SettingsPart) -> dict[str, Field[Any]]:
    """The settings of a settings class (or of an object of it) by name; fields of other kinds are left out."""
    return {each.name: each for each in fields(part) if "setting" in each.metadata}


def info_of(each: Field[Any]) -> SettingInfo:
    """The description of a field that `setting` declared."""
    info: SettingInfo = each.metadata["setting"]
    return info


@dataclass(frozen=True)
class SettingsPart:
    """Base class of settings: checks the type, the bounds and the choices of each field."""

    def __post_init__(self) -> None:
        for name, each in settings_of(self).items():
            object.__setattr__(self, name, checked(each, getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values."""
        return {name: getattr(self, name) for name in settings_of(self)}


def checked(each: Field[Any], value: Any) -> Any:
    """A value of a setting as a plain value; raise `UsageError` if it is not valid."""
    if value is None and each.default is None:
        return None
    info = info_of(each)
    if info.kind is bool:
        if not isinstance(value, bool):
            raise UsageError(f"{each.name} must be True or False, not {value!r}")
        return value
    if info.kind is str:
        return _checked_text(each.name, info, value)
    return _checked_number(each.name, info, value)


def _checked_text(name: str, info: SettingInfo, value: Any) -> str:
    if info.is_file and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if info.choices:
        if not isinstance(value, str) or value not in info.choices:
            raise UsageError(f"{name} must be one of {', '.join(info.choices)}, not {value!r}")
    elif not isinstance(value, str):
        raise UsageError(f"{name} must be {'a string or a path' if info.is_file else 'a string'}, not {value!r}")
    return value


def _checked_number(name: str, info: SettingInfo, value: Any) -> Any:
    is_number = isinstance(value, int | float) if info.kind is float else hasattr(value, "__index__")
    if isinstance(value, bool) or not is_number:
        raise UsageError(f"{name} must be a {'whole number' if info.kind is int else 'number'}, not {value!r}")
    if info.kind is int:
        value = operator.index(value)
    if info.least is not None and info.most is not None and not info.least <= value <= info.most:
        raise UsageError(f"{name} must be between {info.least} and {info.most}, not {value!r}")
    if info.least is not None and info.below is not None and not info.least <= value < info.below:
        raise UsageError(f"{name} must be at least {info.least} and less than {info.below}, not {value!r}")
    return value
