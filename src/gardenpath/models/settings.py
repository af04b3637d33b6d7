"""The settings of a training run: those of its parts, and those of the run as a whole."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gardenpath.core.settings import SettingsPart, info_of, settings_of
from gardenpath.errors import InputError, UsageError
from gardenpath.features.templates import AUTO
from gardenpath.models import scorers
from gardenpath.models.setting_names import PARTS, SCORER, RunSettings, check_known, flat_settings, flattened, old_names
from gardenpath.parsing.scorers import ScorerSettings, ScorerType
from gardenpath.parsing.settings import ParserSettings, fixed_oracles
from gardenpath.segmentation.settings import TokenizerSettings
from gardenpath.tagging.settings import TaggerSettings

# Model files of older versions may lack settings, but not those that the parser is built from.
_NEEDED = ("system", "single_root", "nonprojective", "labelled_reduce", "separate_unshift")
_BEFORE = {"tags": "gold", "tokenizer": "none"}      # how models were trained before these were settings


@dataclass(frozen=True)
class Settings(RunSettings):
    """The settings of a training run. They are stored in the model.

    `Settings.of(epochs=5, margin=50)` makes settings from flat names, `Settings.configured` from a
    configuration file. Values `auto` are resolved when the object is made, except those of `features`, `tag` and
    `prefer`.
    """

    parser: ParserSettings = field(default_factory=ParserSettings)
    scorer_name: str = scorers.DEFAULT.name
    scorer: ScorerSettings = field(default_factory=scorers.DEFAULT.settings)
    tagger: TaggerSettings = field(default_factory=TaggerSettings)
    tokenizer: TokenizerSettings = field(default_factory=TokenizerSettings)

    def __post_init__(self) -> None:
        super().__post_init__()
        scorer = self.scorer_type
        if not isinstance(self.scorer, scorer.settings):
            wanted = scorer.settings.__name__
            raise UsageError(f"the settings of the {scorer.title} must be {wanted}, not {type(self.scorer).__name__}")
        parser = self.parser.resolved(scorer.needs_fixed_oracle, scorer.parser_defaults)
        tagger = self.tagger if self.tagger.tags != AUTO else replace(self.tagger, tags=scorer.default_tags)
        tokenizer = self.tokenizer
        if tokenizer.tokenizer == AUTO:
            tokenizer = replace(tokenizer, tokenizer="none" if tagger.tags == "gold" else "gardenpath")
        resolved = {"parser": parser, "scorer": self.scorer.completed(parser), "tagger": tagger, "tokenizer": tokenizer}
        for name, part in resolved.items():
            object.__setattr__(self, name, part)
        self._check_together(scorer)

    def _check_together(self, scorer: ScorerType) -> None:
        if self.tagger.tags == "gold" and self.tokenizer.tokenizer != "none":
            raise UsageError("a tokenizer needs a tagger; train with tags other than gold, or with tokenizer=none")
        if scorer.has_tagger and self.tagger.tags != "predicted":
            raise UsageError(f"the {scorer.title} predicts tags itself; train it with tags=predicted")
        if self.tagger.tags == "predicted" and not (scorer.learns_with_tagger or scorer.has_tagger):
            raise UsageError(f"the {scorer.title} cannot learn together with a tagger; train it with tags=jackknife")
        if self.clusters is not None and not scorer.uses_clusters:
            raise UsageError(f"the {scorer.title} has no features of word clusters; train it without clusters")
        if scorer.needs_fixed_oracle and not self.parser.has_fixed_oracle:
            raise UsageError(
                f"the {scorer.title} learns from derivations that are known in advance: the oracle of "
                f"{self.parser.system} must be one of {', '.join(fixed_oracles(self.parser.system))}, "
                f"not {self.parser.oracle!r}"
            )
        self.scorer.check(self.parser)

    def for_treebank(self, words: int) -> Settings:
        """The settings with a number of epochs, for a treebank of this number of words."""
        return self if self.epochs is not None else replace(self, epochs=self.scorer_type.epochs_for(words))

    @property
    def scorer_type(self) -> ScorerType:
        """The registered scorer."""
        return scorers.get(self.scorer_name)

    @classmethod
    def of(cls, **values: Any) -> Settings:
        """Settings by flat names (`margin=50`) or in tables (`parser={"beam": 8}`).

        Unknown settings are errors, and so are settings that have no effect together with the others.
        """
        return cls._of_given(flattened(values))

    @classmethod
    def configured(
        cls, config: str | os.PathLike[str] | Mapping[str, Any] | Settings | None = None, **values: Any,
    ) -> Settings:
        """Settings from a TOML file, a mapping or other settings; `values` override them."""
        if isinstance(config, Settings):
            return config.changed(**values)
        if config is None or isinstance(config, Mapping):
            return cls._of_given(flattened(config or {}) | flattened(values))
        given = read_config(config)
        try:
            return cls._of_given(given | flattened(values))
        except UsageError:
            _blame_file(config, given)
            raise

    def changed(self, **values: Any) -> Settings:
        """The same settings with other values for some of them. Values that were `auto` stay as they were resolved."""
        given = flattened(values)
        parts: list[SettingsPart] = [self.parser, self.tagger, self.tokenizer]
        if given.get(SCORER, self.scorer_name) == self.scorer_name:
            parts.append(self.scorer)
        before = {name: value for part in parts for name, value in part.to_dict().items()}
        return self._of_flat(super().to_dict() | {SCORER: self.scorer_name} | before | given)._checked(given)

    @classmethod
    def _of_given(cls, given: Mapping[str, Any]) -> Settings:
        return cls._of_flat(given)._checked(given)

    @classmethod
    def _of_flat(cls, flat: Mapping[str, Any]) -> Settings:
        """Settings by current flat names."""
        scorer = scorers.get(flat.get(SCORER, scorers.DEFAULT.name))
        check_known(flat, scorer)

        def chosen(part: type[SettingsPart]) -> dict[str, Any]:
            return {name: flat[name] for name in settings_of(part) if name in flat}

        return cls(
            **chosen(RunSettings), parser=ParserSettings(**chosen(ParserSettings)), scorer_name=scorer.name,
            scorer=scorer.settings(**chosen(scorer.settings)), tagger=TaggerSettings(**chosen(TaggerSettings)),
            tokenizer=TokenizerSettings(**chosen(TokenizerSettings)),
        )

    def _checked(self, given: Iterable[str]) -> Settings:
        """These settings; raise `UsageError` if one of those that were given has no effect."""
        for name, reason in self.ineffective().items():
            if name in given:
                raise UsageError(f"the setting {name} has no effect, because {reason}; remove it")
        return self

    def ineffective(self) -> dict[str, str]:
        """The settings that have no effect together with the others, each with the reason."""
        return self.parser.ineffective() | self.scorer.ineffective(self.parser) | self.tagger.ineffective()

    def paths(self) -> dict[str, Path]:
        """The values of the settings that can be files, whether there are such files or not."""
        return {
            name: Path(value) for part in (self, self.parser, self.scorer, self.tagger, self.tokenizer)
            for name, each in settings_of(part).items() if info_of(each).is_file and (value := getattr(part, name))
        }

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values, in a table for each part."""
        scorer = {"name": self.scorer_name} | self.scorer.to_dict()
        rest = {"tagger": self.tagger.to_dict(), "tokenizer": self.tokenizer.to_dict()}
        return super().to_dict() | {"parser": self.parser.to_dict(), SCORER: scorer} | rest

    @classmethod
    def from_dict(cls, stored: Any) -> Settings:
        """Settings from what `to_dict` returned, or from the flat form of older model files.

        Raise `LookupError` if something is missing, and `ValueError` if something is unknown or not valid.
        """
        if not isinstance(stored, Mapping):
            raise ValueError(f"the settings must be a table, not {stored!r}")
        if not any(isinstance(stored.get(name), Mapping) for name in (*PARTS, SCORER)):
            flat = _BEFORE | _old_flat(stored)
            needed: Iterable[str] = _NEEDED
        else:
            if missing := [name for name in (*PARTS, SCORER) if not isinstance(stored.get(name), Mapping)]:
                raise LookupError(f"the settings have no table {missing[0]!r}")
            flat = flattened(stored)
            needed = (*flat_settings(scorers.get(flat.get(SCORER, scorers.DEFAULT.name))), SCORER)
        if missing := [name for name in needed if name not in flat]:
            raise LookupError(f"the settings have no value for {missing[0]!r}")
        return cls._of_flat(flat)

    def to_flat_dict(self) -> dict[str, Any]:
        """The settings under the flat names of model files."""
        flat: dict[str, Any] = {SCORER: self.scorer_name}
        for part in (self.scorer, self.parser, self.tagger, self.tokenizer, self):
            flat |= {info_of(each).old_name or name: getattr(part, name) for name, each in settings_of(part).items()}
        return flat

    def to_toml(self) -> str:
        """The settings as a configuration file, without those that have no effect."""
        idle, values = self.ineffective(), self.to_dict()
        lines = _toml({name: value for name, value in values.items() if not isinstance(value, dict)})
        for title, table in values.items():
            if isinstance(table, dict):
                lines += ["", f"[{title}]", *_toml({name: value for name, value in table.items() if name not in idle})]
        return "\n".join(lines) + "\n"


def read_config(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The settings of a TOML file by their current flat names."""
    try:
        return flattened(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{os.fspath(path)}: this file is not TOML: {error}") from None
    except UsageError as error:
        raise InputError(f"{os.fspath(path)}: {error}") from None


def _blame_file(path: str | os.PathLike[str], given: Mapping[str, Any]) -> None:
    """Raise `InputError` if the settings of a file are not valid by themselves."""
    try:
        Settings._of_given(given)
    except UsageError as error:
        raise InputError(f"{os.fspath(path)}: {error}") from None


def _old_flat(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The flat form of older files under current names, without the settings of the scorers that were not chosen."""
    current = old_names()
    flat = {current.get(name, name): value for name, value in stored.items()}
    chosen = flat_settings(scorers.get(flat.get(SCORER, scorers.DEFAULT.name)))
    others = {name for each in scorers.BUILT_IN for name in settings_of(each.settings)} - set(chosen)
    return {name: value for name, value in flat.items() if name not in others}


def _toml(values: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items() if value is not None]
