"""Read the data file of the catalogue. `tools/catalogue.py` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from gardenpath.catalogue.entries import LanguageEntry, TreebankEntry

FILE = Path(__file__).with_name("treebanks.json")
# Fields of the entries that have another name in the file.
_STORED_NAMES = {"is_recommended": "recommended", "has_text": "text"}


@cache
def _stored() -> tuple[str, tuple[LanguageEntry, ...]]:
    return read(FILE)


def release() -> str:
    """Return the release of Universal Dependencies whose treebanks the catalogue lists."""
    return _stored()[0]


def languages() -> tuple[LanguageEntry, ...]:
    """Return the languages of the catalogue by name."""
    return _stored()[1]


def treebanks() -> list[TreebankEntry]:
    """Return the treebanks of all languages. Those of a language follow each other, the recommended one first."""
    return [treebank for language in languages() for treebank in language.treebanks]


def read(path: Path) -> tuple[str, tuple[LanguageEntry, ...]]:
    """Return the release and the languages of a data file."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return stored["release"], tuple(_language(plain) for plain in stored["languages"])


def write(path: Path, release: str, languages: Iterable[LanguageEntry]) -> None:
    """Write a data file with one line per treebank, without values that are unknown."""
    parts = ",\n".join(map(_written, sorted(languages, key=lambda language: language.name)))
    path.write_text(f'{{"release": {json.dumps(release)}, "languages": [\n{parts}\n]}}\n', encoding="utf-8")


def _language(plain: dict[str, Any]) -> LanguageEntry:
    known: dict[str, Any] = plain | {"aliases": tuple(plain.get("aliases", ()))}
    known["treebanks"] = tuple(_treebank(treebank, plain["name"]) for treebank in plain["treebanks"])
    return LanguageEntry(**known)


def _treebank(plain: dict[str, Any], language: str) -> TreebankEntry:
    fields = {stored: field for field, stored in _STORED_NAMES.items()}
    known: dict[str, Any] = {fields.get(name, name): value for name, value in plain.items()}
    for name in ("genres", "aliases"):
        known[name] = tuple(known.get(name, ()))
    return TreebankEntry(language=language, **known)


def _written(language: LanguageEntry) -> str:
    plain = {
        name: value for name in language.__slots__ if name != "treebanks" and (value := getattr(language, name))
    }
    lines = ",\n".join(f"  {_json(_plain(treebank))}" for treebank in language.treebanks)
    return f'{_json(plain)[:-1]}, "treebanks": [\n{lines}]}}'


def _plain(treebank: TreebankEntry) -> dict[str, Any]:
    known = {
        _STORED_NAMES.get(name, name): value
        for name, value in treebank.to_dict().items() if name not in ("language", "has_text") and value
    }
    return known if treebank.has_text else known | {"text": False}


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False)
