"""The description of a model in its file: one typed object, checked once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from gardenpath.core.shapes import Maybe, matches
from gardenpath.core.stored import BadModelError, require, require_columns
from gardenpath.errors import UsageError
from gardenpath.models.settings import Settings

_PRINTED = ("gardenpath", "treebank", "licence", "citation")
TAG_COLUMNS = ("xpos", "upos")
# Fields that have another name in the file.
_STORED_NAMES = {"version": "gardenpath", "epoch": "pass"}
_SHAPE = {
    "gardenpath": str, "settings": dict, "treebank": Maybe(str), "licence": Maybe(str), "citation": Maybe(str),
    "sentences": int, "words": int, "skipped": int, "lifted": int, "pass": int, "tag": str,
    "labels": {"left": [str], "right": [str], "root": [str]},
}
_OPTIONAL = {
    "treebank_sha256": Maybe(str), "dev_uas": Maybe(float), "dev_las": Maybe(float),
    "clusters": Maybe(dict), "tagger": Maybe(dict), "tokenizer": Maybe(dict), "steps": [dict],
    "calibration": Maybe(dict), "profile": Maybe(dict), "test_scores": Maybe(dict),
}


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """The settings of a model, its treebank, its training and the records of its parts."""

    settings: Settings
    version: str                                   # of gardenpath
    tag: str                                       # the column of the tags that the parser reads: xpos or upos
    labels: dict[str, list[str]]                   # of arcs to the left, to the right and from the root
    sentences: int                                 # that the model was trained on
    words: int
    skipped: int                                   # sentences whose trees the system cannot build
    lifted: int                                    # trees with lifted arcs
    epoch: int                                     # the epoch of the training that the model comes from
    treebank: str | None = None
    licence: str | None = None
    citation: str | None = None
    treebank_sha256: str | None = None
    dev_uas: float | None = None
    dev_las: float | None = None
    test_scores: dict[str, float] | None = None    # F1 in per cent on the raw text of the test set
    calibration: dict[str, Any] | None = None      # the record of a `Calibration`
    profile: dict[str, Any] | None = None          # the record of a `Profile`
    # The records of the parts; None for a part that the model does not have.
    clusters: dict[str, Any] | None = None
    tagger: dict[str, Any] | None = None
    tokenizer: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)      # additional pipeline steps, each with its `name`
    scorer: dict[str, Any] = field(default_factory=dict)

    def with_parts(self, **records: Any) -> ModelDescription:
        """Return the same description with other records of parts."""
        return replace(self, **records)

    def to_dict(self) -> dict[str, Any]:
        """Return the description as plain values for the model file, without parts that the model does not have."""
        plain: dict[str, Any] = {}
        for name in self.__slots__:
            value = getattr(self, name)
            if name == "settings":
                plain[name] = value.to_flat_dict()
            elif name == "scorer":
                plain |= value
            elif name not in _OPTIONAL or value not in (None, []):
                plain[_STORED_NAMES.get(name, name)] = value
        return plain

    @classmethod
    def from_dict(cls, stored: Any) -> ModelDescription:
        """Read a stored description; raise `BadModelError` if something is missing or wrong."""
        require(stored, _SHAPE, "the description")
        require(stored, {name: shape for name, shape in _OPTIONAL.items() if name in stored}, "the description")
        if stored["tag"] not in TAG_COLUMNS:
            raise BadModelError("'tag' of the description is not valid")
        if not all(matches(score, float) for score in (stored.get("test_scores") or {}).values()):
            raise BadModelError("'test_scores' of the description is not valid")
        if (stored.get("dev_uas") is None) != (stored.get("dev_las") is None):
            raise BadModelError("the description has only one of 'dev_uas' and 'dev_las'")
        if not stored["labels"]["root"]:
            raise BadModelError("the description has no label of root words")
        require_columns(chain.from_iterable(stored["labels"][side] for side in ("left", "right", "root")), "the label")
        if any("\ud800" <= character <= "\udfff" for name in _PRINTED for character in stored.get(name) or ""):
            raise BadModelError("the description has half of a surrogate pair")
        names = {_STORED_NAMES.get(name, name): name for name in cls.__slots__ if name not in ("settings", "scorer")}
        known = {names[key]: value for key, value in stored.items() if key in names}
        rest = {key: value for key, value in stored.items() if key not in names and key != "settings"}
        return cls(settings=_settings(stored["settings"]), scorer=rest, **known)


def _settings(stored: dict[str, Any]) -> Settings:
    try:
        return Settings.from_dict(stored)
    except (LookupError, ValueError, UsageError) as error:
        raise BadModelError(f"its settings are not valid: {error}") from None
