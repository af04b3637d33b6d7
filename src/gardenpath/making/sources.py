"""The treebank that a model is made from: downloaded, or a local folder or archive."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from gardenpath import catalogue
from gardenpath.catalogue import TreebankEntry
from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import fetch
from gardenpath.treebank.archive import unpack
from gardenpath.treebank.credits import COLLECTION, read_credits
from gardenpath.treebank.download import Progress, Tell
from gardenpath.treebank.parts import TreebankParts, find_parts
from gardenpath.treebank.zip_archive import unpack_zip

UNPACKED = "unpacked"


@dataclass(frozen=True, slots=True)
class TreebankSource:
    """A treebank on disk: its files, its title and release, its licence and its citation."""

    parts: TreebankParts
    title: str
    licence: str | None
    citation: str
    is_non_commercial: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """The treebank or the language that a user asked for, and the treebank that is downloaded for it."""

    name: str                       # as the user wrote it
    treebank: str                   # the full name: UD_German-GSD
    code: str | None                # of the treebank, if no other one will do: de_gsd
    language_code: str | None       # of the language, if it is known


def wanted(name: str, *, is_local: bool) -> Wanted:
    """Find a treebank or language by its name. A local treebank need not be in the catalogue."""
    if not name.strip():
        raise UsageError("the name is empty; give the name of a language or of a treebank")
    entry, language = catalogue.find_treebank(name), catalogue.find_language(name)
    if entry is not None:
        return Wanted(name, entry.name, entry.code, entry.code.partition("_")[0])
    if language is not None and language.recommended:
        chosen = language.recommended
        return Wanted(name, chosen.name, None if is_local else chosen.code, language.code)
    if language is not None and is_local:
        return Wanted(name, "", None, language.code)
    if fetch.NAME.fullmatch(name) or is_local:
        return Wanted(name, name, None, None)
    catalogue.choose(name)          # raises the error that names the remedy
    raise AssertionError(name)


def fetched(
    asked: Wanted, folder: Path, *, release: str, url: str, sha256: str | None, progress: Progress, tell: Tell,
) -> TreebankSource:
    """Download the treebank to a folder, or find it there if it is already complete."""
    found = fetch.get(
        asked.treebank, release=release, output=folder, url=url, sha256=sha256, progress=progress, tell=tell,
    )
    return _source(found.folder, release)


def local(asked: Wanted, given: Path, folder: Path, release: str | None) -> TreebankSource:
    """Find the treebank in a folder, in a folder of treebanks, or in an archive, which is unpacked to `folder`."""
    if not given.exists():
        raise UsageError(f"{given}: there is no such folder or archive")
    if given.suffix == ".conllu":
        raise UsageError(
            f"{given}: this is a file, not the folder of a treebank; train with `gardenpath train {given} -o "
            f"{given.stem}.gp`, and install the model with `gardenpath models install {given.stem}.gp`"
        )
    place = given if given.is_dir() else _unpacked(given, folder / UNPACKED)
    source = _source(_folder_of(asked, place, given), release)
    code = source.parts.code
    if asked.code not in (None, code) or asked.language_code not in (None, code.partition("_")[0]):
        raise UsageError(
            f"{given}: this is the treebank {code}, not {asked.name}; give the name that belongs to the folder, as in "
            f"`gardenpath models make {code} --from {given}`"
        )
    return source


def _unpacked(archive: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if archive.suffix == ".zip":
        unpack_zip(archive, folder)
    elif archive.name.endswith((".tar.gz", ".tgz")):
        unpack(archive, folder)
    else:
        raise UsageError(f"{archive}: this is neither a folder nor an archive; archives end with .zip, .tar.gz or .tgz")
    return folder


def _folder_of(asked: Wanted, place: Path, given: Path) -> Path:
    """Return the folder with the CoNLL-U files: the given one, or the one of the treebank in it."""
    if any(place.glob("*.conllu")):
        return place
    names = (asked.treebank, asked.code)
    inside = [folder for folder in sorted(place.iterdir()) if folder.is_dir() and any(folder.glob("*.conllu"))]
    found = [folder for folder in inside if folder.name in names or folder.name.startswith(f"{asked.treebank}-r")]
    if not found:
        known = ", ".join(folder.name for folder in inside) or "no CoNLL-U files"
        raise InputError(f"{given}: there is no treebank {asked.treebank or asked.name}; there are {known}")
    return found[-1]


def _source(folder: Path, release: str | None) -> TreebankSource:
    parts, credits = find_parts(folder), read_credits(folder)
    entry = catalogue.find_treebank(parts.code)
    if "train" not in parts.by_part:
        raise InputError(f"{folder}: the treebank has no training set; {_alternatives(entry)}")
    record = fetch.read_record(folder)
    stated = release or (record.release if record else None)
    title = entry.title if entry else (record.name.replace("_", " ") if record else _title(parts.code))
    return TreebankSource(
        parts, f"{title} {stated}" if stated else title,
        credits.licence or (entry.licence if entry else None),
        credits.citation or (f"{COLLECTION} Release {stated}." if stated else COLLECTION),
        credits.is_non_commercial or bool(entry and not credits.licence and entry.is_non_commercial),
    )


def _title(code: str) -> str:
    """Return the title of a treebank that the catalogue does not have.

    The first releases had treebanks without a name of their own, such as UD Latvian with the code lv.
    """
    language = catalogue.find_language(code)
    return f"UD {language.name}" if language else code


def _alternatives(entry: TreebankEntry | None) -> str:
    """Return the end of the error message about a treebank without a training set: others of the language."""
    language = catalogue.find_language(entry.language) if entry else None
    others = [each.name for each in language.treebanks if each.can_train] if language else []
    if language and others:
        return f"choose another treebank of {language.name}: {', '.join(others)}"
    return "`gardenpath train FILE -o NAME.gp` trains on another file of it"
