"""Getting treebanks of Universal Dependencies, as GitHub serves them at a release. Nothing else in this package opens a connection of its own accord."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank.archive import unpack
from gardenpath.treebank.credits import Credits, read_credits
from gardenpath.treebank.download import Progress, Tell, checksum, download

RELEASE = "2.16"                  # the one that the shipped model was trained on
BASE = "https://github.com/UniversalDependencies"
RECORD = "gardenpath-download.json"
NAME = re.compile(r"UD_[A-Z][A-Za-z0-9_]*(-[A-Za-z0-9]+)?")
LIST = "https://universaldependencies.org"


@dataclass(frozen=True, slots=True)
class Record:
    """Where a treebank came from. It is kept in the folder, which is complete if it holds one."""

    name: str
    release: str
    url: str
    sha256: str
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A treebank that is there: its folder, its CoNLL-U files, where they came from, under which licence, and whether they came just now."""

    folder: Path
    files: list[Path]
    record: Record
    credits: Credits
    is_new: bool


def get(
    name: str, *, release: str = RELEASE, output: str | Path = ".", url: str = BASE, sha256: str | None = None, force: bool = False,
    progress: Progress = lambda *_: None, tell: Tell = lambda _: None,
) -> Fetched:
    """Download a treebank at a release, `UD_English-EWT` at `2.16`, to the folder `UD_English-EWT-r2.16` in `output`, which appears when it is complete.

    What is there already is not fetched again but with `force`. The checksum of the archive must be `sha256`, if that is given, or else the one that an
    earlier download recorded. `url` is where the treebanks are: https://github.com/UniversalDependencies, or a mirror of it.
    """
    _see_to_names(name, release, sha256)
    folder = Path(output) / f"{name}-r{release}"
    known = _read_record(folder)
    if folder.exists() and known is None:
        raise UsageError(f"{folder}: there already, and not by this command; choose another --output or move it away")
    if known is not None and not force:
        if sha256 not in (None, known.sha256):
            raise InputError(f"{folder}: made from an archive whose SHA-256 is {known.sha256}, not {sha256}; --force downloads it again")
        return Fetched(folder, _files(folder), known, read_credits(folder), is_new=False)
    source = f"{url.rstrip('/')}/{name}/archive/refs/tags/r{release}.tar.gz"
    archive = _beside(folder, ".tar.gz")
    if not archive.exists():                     # else it is complete, and was not unpacked to the end
        _download(source, archive, progress, tell)
    try:
        record = _unpack(archive, folder, Record(name, release, source, _compared(archive, sha256, known)), tell)
    except InputError:
        archive.unlink()
        raise
    archive.unlink()
    return Fetched(folder, _files(folder), record, read_credits(folder), is_new=True)


def _see_to_names(name: str, release: str, sha256: str | None) -> None:
    if not NAME.fullmatch(name):
        raise UsageError(f"{name}: no name of a treebank; give it as {LIST} has it: UD_, the language, a hyphen, the treebank, as in UD_English-EWT")
    if not re.fullmatch(r"\d+\.\d+", release):
        raise UsageError(f"{release}: no release; they are two numbers with a dot between, as in {RELEASE}")
    if sha256 is not None and not re.fullmatch("[0-9a-f]{64}", sha256):
        raise UsageError(f"{sha256}: no SHA-256; that is 64 digits from 0 to 9 and a to f, as sha256sum prints them")


def _beside(folder: Path, ending: str) -> Path:
    """A name for what is on its way to be this folder."""
    return folder.with_name(f".{folder.name}{ending}")


def _download(source: str, archive: Path, progress: Progress, tell: Tell) -> None:
    try:
        download(source, archive, progress=progress, tell=tell)
    except FileNotFoundError:
        raise InputError(f"{source}: not there; see {LIST} for the exact name of the treebank and the releases that have it") from None


def _compared(archive: Path, sha256: str | None, known: Record | None) -> str:
    """The checksum of the archive, which is the expected one if there is one."""
    found = checksum(archive)
    if sha256 not in (None, found):
        raise InputError(f"the SHA-256 of what was downloaded is {found}, not {sha256}; it was thrown away: see whether the release and the checksum are right")
    if sha256 is None and known is not None and known.sha256 != found:
        raise InputError(
            f"the SHA-256 of what was downloaded is {found}, that of the earlier download {known.sha256}; it was thrown away: "
            f"if GitHub may have packed it anew, accept it with --sha256 {found}"
        )
    return found


def _unpack(archive: Path, folder: Path, record: Record, tell: Tell) -> Record:
    """Unpack beside the folder; what is complete takes its place."""
    new, old = _beside(folder, ".unpacking"), _beside(folder, ".old")
    for path in (new, old):
        shutil.rmtree(path, ignore_errors=True)          # what a process left that was killed
    new.mkdir()
    try:
        found = unpack(archive, new)
        if not _files(new):
            raise InputError(f"{record.url}: no file ends with .conllu; see whether {record.name} had data in release {record.release}")
        if found.links:
            tell(f"left out {len(found.links)} links: {', '.join(found.links[:5])}")
        record = replace(record, commit=found.commit)
        (new / RECORD).write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return record


def _read_record(folder: Path) -> Record | None:
    try:
        return Record(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        raise InputError(f"{folder / RECORD}: not as this command writes it; move the folder away") from None


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.conllu"))
