"""Find languages and treebanks by any of their names, and suggest names for misspelt ones."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import cache

from gardenpath.catalogue.entries import LanguageEntry, TreebankEntry
from gardenpath.catalogue.reading import languages, treebanks
from gardenpath.errors import UsageError

SIMILAR = 0.75     # the smallest similarity of a suggestion
SHORTEST = 4       # letters; shorter names are codes, and nearly every code resembles another one
# Codes of locales, such as pt-BR, pt_BR, zh-Hant-TW and es-419; not those of treebanks, such as kmr_mg and cs_cltt.
_LOCALE = re.compile(r"([A-Za-z]{2,3})(?:[-_](?:Arab|Cyrl|Deva|Hans|Hant|Latn))?(?:[-_][A-Z]{2}|-[a-z]{2}|[-_]\d{3})?")
_SIGNS = {ord(sign): " " for sign in "_-"} | {ord(sign): "'" for sign in "’‘ʼʻ"}


def find_language(name: str) -> LanguageEntry | None:
    """Return the language with this name: in English or in the language itself, an ISO 639 code, or another name.

    The code of a locale, such as pt-BR, finds its language, and so does UD_Latvian, as treebanks were called in the
    first releases.
    """
    locale = None if find_treebank(name) else _LOCALE.fullmatch(name)
    plain = name.removeprefix("UD_")
    spellings = (_key(plain), _without_accents(plain), *(map(_key, locale.groups()) if locale else ()))
    return next((found for spelling in spellings if (found := _by_language().get(spelling))), None)


def find_treebank(name: str) -> TreebankEntry | None:
    """Return the treebank with this name, such as `UD_German-GSD`, `German-GSD` or `de_gsd`."""
    return _by_treebank().get(_key(name))


def choose(name: str) -> TreebankEntry:
    """Return the treebank with this name, or the recommended treebank of the language with this name.

    Raise `UsageError` with suggestions if the catalogue has neither, or if no treebank of the language can be used.
    """
    treebank, language = find_treebank(name), find_language(name)
    if treebank is not None:
        return treebank
    if language is None:
        raise UsageError(f"the catalogue has no language or treebank {name!r}{hint(name)}")
    if language.recommended is None:
        known = ", ".join(each.name for each in language.treebanks)
        raise UsageError(
            f"no treebank of {language.name} is known to have a training set; name one of its treebanks: {known}"
        )
    return language.recommended


def hint(name: str) -> str:
    """Return the end of an error message about an unknown name: suggestions, or where the names are listed."""
    found = suggestions(name)
    if found:
        return f"; did you mean {' or '.join(found)}?"
    return "; `gardenpath treebank list` shows all names"


def suggestions(name: str, most: int = 3) -> list[str]:
    """Return names of languages and treebanks that are spelt similarly, the most similar first, one name for each."""
    key = _key(name)
    if len(key) < SHORTEST:
        return []
    known = {
        _key(each): (each, language.name)
        for language in languages() for each in language.names() if len(each) >= SHORTEST
    }
    known |= {_key(each): (each, treebank.name) for treebank in treebanks() for each in (treebank.name, treebank.code)}
    found: dict[str, str] = {}
    for match in get_close_matches(key, known, 2 * most, SIMILAR):
        spelling, entry = known[match]
        found.setdefault(entry, spelling)
    return list(found.values())[:most]


@cache
def _by_language() -> dict[str, LanguageEntry]:
    found: dict[str, LanguageEntry] = {}
    for spelling in (_key, _without_accents):       # an exact name takes precedence over one without accents
        for language in languages():
            for name in language.names():
                found.setdefault(spelling(name), language)
    return found


@cache
def _by_treebank() -> dict[str, TreebankEntry]:
    found = {}
    for treebank in treebanks():
        for name in (treebank.name, treebank.name.removeprefix("UD_"), treebank.code, *treebank.aliases):
            found[_key(name)] = treebank
    return found


def _key(name: str) -> str:
    """Return a name in the spelling in which names are compared.

    Case, hyphens and underscores do not count, and all apostrophes are the same.
    """
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(folded.translate(_SIGNS).split())


def _without_accents(name: str) -> str:
    """Return the key of a name without accents if it is in Latin letters: francais for français."""
    key = _key(name)
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", key) if not unicodedata.combining(mark))
    return plain if plain.isascii() else key
