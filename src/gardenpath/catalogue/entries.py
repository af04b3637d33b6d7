"""The entries of the catalogue: a language, and a treebank with its address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BASE = "https://github.com/UniversalDependencies"
NON_COMMERCIAL = re.compile(r"\bNC\b|non-?\s?commercial", re.IGNORECASE)
PARTS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class TreebankEntry:
    """A treebank of the catalogue. An unknown value is None, or empty."""

    name: str                                   # as on GitHub: UD_German-GSD
    code: str                                   # as in the file names: de_gsd
    language: str
    licence: str | None = None
    genres: tuple[str, ...] = ()
    words: int | None = None                    # of all parts
    words_release: str | None = None            # the release in which the words were counted
    files: Mapping[str, int | None] = field(default_factory=dict)      # bytes by part; empty if the parts are unknown
    files_release: str | None = None
    has_text: bool = True                       # False if the words are left out for copyright reasons
    is_recommended: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name for readers, such as `UD German-GSD`."""
        return self.name.replace("_", " ")

    @property
    def page(self) -> str:
        """The address of the repository."""
        return f"{BASE}/{self.name}"

    @property
    def is_non_commercial(self) -> bool:
        """Whether the licence forbids commercial use."""
        return bool(self.licence and NON_COMMERCIAL.search(self.licence))

    @property
    def can_train(self) -> bool | None:
        """Whether a model can be trained on the treebank; None if it is not known whether it has a training set."""
        if not self.has_text:
            return False
        return "train" in self.files if self.files else None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values for JSON."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"genres": list(self.genres), "files": dict(self.files), "aliases": list(self.aliases)}


@dataclass(frozen=True, slots=True)
class LanguageEntry:
    """A language of the catalogue with its names, codes and treebanks. An unknown value is None."""

    name: str
    code: str                                   # of Universal Dependencies, the beginning of the file names
    own_name: str | None = None
    iso1: str | None = None                     # ISO 639-1
    iso3: str | None = None                     # ISO 639-3
    aliases: tuple[str, ...] = ()
    treebanks: tuple[TreebankEntry, ...] = ()

    @property
    def recommended(self) -> TreebankEntry | None:
        """The treebank for a model of the language; None if no treebank is known to have a training set."""
        return next((treebank for treebank in self.treebanks if treebank.is_recommended), None)

    @property
    def title(self) -> str:
        """The name in English with the own name, such as `German (Deutsch)`."""
        return f"{self.name} ({self.own_name})" if self.own_name and self.own_name != self.name else self.name

    def names(self) -> list[str]:
        """Return all names and codes by which the language is found."""
        known = (self.name, self.own_name, self.code, self.iso1, self.iso3, *self.aliases)
        return list(dict.fromkeys(name for name in known if name))


def archive_url(name: str, release: str, base: str = BASE) -> str:
    """Return the address of the archive of a release of a treebank, on GitHub or on a mirror."""
    return f"{base.rstrip('/')}/{name}/archive/refs/tags/r{release}.tar.gz"
