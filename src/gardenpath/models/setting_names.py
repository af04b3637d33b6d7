"""The names of settings: flat or in tables, current or old; and errors about names that are not settings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from gardenpath.core.settings import SettingsPart, info_of, setting, settings_of
from gardenpath.errors import UsageError
from gardenpath.models import scorers
from gardenpath.parsing.scorers import ScorerType
from gardenpath.parsing.settings import ParserSettings
from gardenpath.segmentation.settings import TokenizerSettings
from gardenpath.tagging.settings import TaggerSettings


@dataclass(frozen=True)
class RunSettings(SettingsPart):
    """The settings of the training run as a whole."""

    epochs: int | None = setting(
        None, "Number of epochs.", kind=int, least=1, most=1_000_000, old_name="passes",
        default_text="10; depends on the treebank for the network and the stack-LSTM",
    )
    seed: int = setting(1, "Random seed: same seed and data, same model.", least=0, most=2**64 - 1)
    clusters: str | None = setting(
        None, "File of word clusters for tagger and parser, as written by `gardenpath clusters`.",
        kind=str, is_file=True,
    )


SCORER = "scorer"
PARTS: dict[str, type[SettingsPart]] = {
    "parser": ParserSettings, "tagger": TaggerSettings, "tokenizer": TokenizerSettings,
}
_OWNERS: dict[str, type[SettingsPart]] = {**PARTS, "training run": RunSettings}


def flattened(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by their current flat names, from flat names and tables, current and old names."""
    flat: dict[str, Any] = {}
    current_names = old_names()
    for name, value in _without_tables(values):
        current = current_names.get(name, name)
        if current in flat:
            raise UsageError(f"the setting {current} is given twice")
        if name != current:
            _warn(f"the setting {name} is now called {current}")
        flat[current] = value
    return flat


def old_names() -> dict[str, str]:
    """The current names of settings by their old names."""
    parts = [*_OWNERS.values(), *(scorers.get(name).settings for name in scorers.names())]
    return {
        old: name for part in parts for name, each in settings_of(part).items() if (old := info_of(each).old_name)
    }


def flat_settings(scorer: ScorerType) -> dict[str, type[SettingsPart]]:
    """All settings of a run with that scorer by their flat names, each with the class that owns it."""
    return {name: part for part in (*_OWNERS.values(), scorer.settings) for name in settings_of(part)}


def check_known(names: Iterable[str], scorer: ScorerType) -> None:
    """Raise `UsageError` for the first name that is not a setting of a run with that scorer."""
    known = [*flat_settings(scorer), SCORER]
    for name in names:
        if name in known:
            continue
        if owners := [other for other in map(scorers.get, scorers.names()) if name in settings_of(other.settings)]:
            raise UsageError(
                f"{name} is a setting of {' and '.join(f'the {other.title}' for other in owners)}, "
                f"not of the {scorer.title}; "
                f"remove it, or train with {' or '.join(f'scorer={other.name}' for other in owners)}"
            )
        raise _unknown(name, known)


def _without_tables(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if name == SCORER and isinstance(value, Mapping):
            yield from _of_scorer(value)
        elif name in PARTS and isinstance(value, Mapping):
            known = settings_of(PARTS[name])
            for key in value:
                if key not in known:
                    raise _unknown(key, known, f" of the {name}")
            yield from value.items()
        elif name in PARTS and name not in settings_of(PARTS[name]):
            raise UsageError(f"{name} must be a table of settings, not {value!r}")
        else:
            yield name, value


def _of_scorer(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The table of the scorer: its name and its own settings."""
    for key, value in table.items():
        for owner, part in _OWNERS.items():
            if key in settings_of(part):
                raise UsageError(f"{key} is a setting of the {owner}, not of the scorer")
        if key == SCORER:
            raise UsageError("the name of the scorer is `name` in the table of the scorer, not `scorer`")
        yield SCORER if key == "name" else key, value


def _unknown(name: object, known: Iterable[str], place: str = "") -> UsageError:
    """The error for a name that is not a setting, with the most similar name that is one."""
    names = list(known)
    similar = get_close_matches(str(name), names, 1)
    remedy = f"did you mean {similar[0]}?" if similar else f"the settings are {', '.join(names)}"
    return UsageError(f"there is no setting {name!r}{place}; {remedy}")


def _warn(message: str) -> None:
    """Issue a DeprecationWarning that points to the first caller outside the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("gardenpath."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, DeprecationWarning, stacklevel=level)
