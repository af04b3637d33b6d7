"""Download treebanks of Universal Dependencies from GitHub.

Only this module and `gardenpath.making.installing` open connections, when users ask for it.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gardenpath import catalogue
from gardenpath.catalogue.entries import BASE, archive_url
from gardenpath.catalogue.search import hint
from gardenpath.errors import InputError, UsageError
from gardenpath.treebank.archive import unpack
from gardenpath.treebank.credits import Credits, read_credits
from gardenpath.treebank.download import Progress, Tell, UnreachableError, check_sha256, checksum, download

RELEASE = catalogue.release()
RECORD = "gardenpath-download.json"
NAME = re.compile(r"UD_[A-Z][A-Za-z0-9_]*(-[A-Za-z0-9]+)?")
LIST = "https://universaldependencies.org"
OFFLINE = "gardenpath models make NAME --from FOLDER"


@dataclass(frozen=True, slots=True)
class Record:
    """The origin of a treebank. It is stored in the folder, and a folder with a record is complete."""

    name: str
    release: str
    url: str
    sha256: str
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class FetchedTreebank:
    """A downloaded treebank: its folder, CoNLL-U files, origin and credits, and whether it was downloaded just now."""

    folder: Path
    files: list[Path]
    record: Record
    credits: Credits
    is_new: bool


def get(
    name: str,
    *,
    release: str = RELEASE,
    output: str | Path = ".",
    url: str = BASE,
    sha256: str | None = None,
    force: bool = False,
    progress: Progress = lambda *_: None,
    tell: Tell = lambda _: None,
) -> FetchedTreebank:
    """Download a release of a treebank: by its name, or the recommended one of a language.

    `UD_English-EWT` at `2.16` goes to the folder `UD_English-EWT-r2.16` in `output`, which appears when it is
    complete. An existing treebank is downloaded again only with `force`. The checksum of the archive must equal
    `sha256` if given, else the one recorded by an earlier download. `url` is the base address of the treebanks:
    https://github.com/UniversalDependencies, or a mirror.
    """
    name = full_name(name)
    _check_numbers(release, sha256)
    folder = Path(output) / f"{name}-r{release}"
    known = read_record(folder)
    if folder.exists() and known is None:
        raise UsageError(
            f"{folder}: the folder exists and was not made by this command; choose another --output or move the folder "
            "away"
        )
    if known is not None and not force:
        if sha256 not in (None, known.sha256):
            raise InputError(
                f"{folder}: the treebank comes from an archive with SHA-256 {known.sha256}, not {sha256}; download it "
                "again with --force"
            )
        return FetchedTreebank(folder, _files(folder), known, read_credits(folder), is_new=False)
    source = archive_url(name, release, url)
    archive = _beside(folder, ".tar.gz")
    if not archive.exists():                     # otherwise it is complete, and unpacking was interrupted
        _download(name, source, archive, progress, tell)
    try:
        record = _unpack(archive, folder, Record(name, release, source, _compared(archive, sha256, known)), tell)
    except InputError:
        archive.unlink()
        raise
    archive.unlink()
    return FetchedTreebank(folder, _files(folder), record, read_credits(folder), is_new=True)


def full_name(name: str) -> str:
    """Return the full name (`UD_German-GSD`) of a treebank, or of the recommended treebank of a language.

    A full name that is not in the catalogue is returned as it is: the treebank may be newer.
    """
    return name if NAME.fullmatch(name) and not catalogue.find_treebank(name) else catalogue.choose(name).name


def _check_numbers(release: str, sha256: str | None) -> None:
    if not re.fullmatch(r"\d+\.\d+", release):
        raise UsageError(
            f"{release}: this is not a release; a release is two numbers separated by a dot, as in {RELEASE}"
        )
    check_sha256(sha256)


def _beside(folder: Path, ending: str) -> Path:
    """Return the name of a temporary file or folder next to `folder`."""
    return folder.with_name(f".{folder.name}{ending}")


def _download(name: str, source: str, archive: Path, progress: Progress, tell: Tell) -> None:
    try:
        download(source, archive, progress=progress, tell=tell)
    except UnreachableError as error:
        raise UnreachableError(f"{error}, or use a downloaded treebank: {OFFLINE}") from None
    except FileNotFoundError:
        raise InputError(
            f"{source}: the server has no such file; see {LIST} for the exact name of the treebank and its releases"
            f"{hint(name) if catalogue.find_treebank(name) is None else ''}"
        ) from None


def _compared(archive: Path, sha256: str | None, known: Record | None) -> str:
    """Return the checksum of the archive after comparing it with the expected one, if there is one."""
    found = checksum(archive)
    if sha256 not in (None, found):
        raise InputError(
            f"the downloaded archive has SHA-256 {found}, not {sha256}, and was deleted; check the release and the "
            "checksum"
        )
    if sha256 is None and known is not None and known.sha256 != found:
        raise InputError(
            f"the downloaded archive has SHA-256 {found}, the earlier one {known.sha256}, and was deleted; if GitHub "
            "may have "
            f"packed it again, accept it with --sha256 {found}"
        )
    return found


def _unpack(archive: Path, folder: Path, record: Record, tell: Tell) -> Record:
    """Unpack next to the folder, and rename when complete."""
    new, old = _beside(folder, ".unpacking"), _beside(folder, ".old")
    for path in (new, old):
        shutil.rmtree(path, ignore_errors=True)          # left by a killed process
    new.mkdir()
    try:
        found = unpack(archive, new)
        if not _files(new):
            raise InputError(
                f"{record.url}: no file ends with .conllu; check whether {record.name} has data in release "
                f"{record.release}"
            )
        if found.links:
            tell(f"skipped {len(found.links)} links: {', '.join(found.links[:5])}")
        record = replace(record, commit=found.commit)
        (new / RECORD).write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return record


def read_record(folder: Path) -> Record | None:
    """Return the origin of a treebank that was downloaded to this folder, or None if it was not."""
    try:
        return Record(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        raise InputError(f"{folder / RECORD}: the file was not written by this command; move the folder away") from None


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.conllu"))
