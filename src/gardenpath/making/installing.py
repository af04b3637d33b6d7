"""Install a model from a file, a folder or an address."""

from __future__ import annotations

import hashlib
import re
import urllib.parse
from pathlib import Path

from gardenpath.errors import InputError, UsageError
from gardenpath.models import installed
from gardenpath.treebank.download import Progress, Tell, check_sha256, checksum, download

LOOPBACK = ("localhost", "127.0.0.1", "::1")
ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".whl")
DOWNLOADS = ".downloads"          # in the folder of the installed models


def install(
    source: str, *, name: str | None = None, folder: str | Path | None = None, sha256: str | None = None,
    force: bool = False, progress: Progress = lambda *_: None, tell: Tell = lambda _: None,
) -> list[Path]:
    """Install a model file, all model files of a folder, or the model file at an address. Return the installed files.

    Each model is loaded before it is installed. `sha256` is the expected checksum of the file. An address must begin
    with https://, or with http:// if it is on this machine. An interrupted download continues in the next call.
    """
    check_sha256(sha256)
    if re.match(r"[a-z][a-z0-9+.-]+://", source, re.IGNORECASE):
        return [_from_address(source, name, folder, sha256, force, progress, tell)]
    path = Path(source)
    if path.is_dir():
        return _from_folder(path, name, folder, sha256, force)
    if not path.exists():
        raise UsageError(f"{source}: there is no such file or folder; give a model file, a folder of them, or a URL")
    _compare(path, source, sha256)
    return [installed.install(path, name or _name_of(path.name, source), folder, replace=force)]


def _from_folder(
    path: Path, name: str | None, folder: str | Path | None, sha256: str | None, force: bool,
) -> list[Path]:
    files = sorted(path.glob(f"*{installed.ENDING}"))
    if not files:
        raise InputError(f"{path}: no file in the folder ends with {installed.ENDING}; give the folder of the models")
    if len(files) > 1 and (name or sha256):
        raise UsageError(f"{path}: --name and --sha256 are for a single model, and the folder has {len(files)}")
    for file in files:
        _compare(file, str(file), sha256)
    names = [name or _name_of(file.name, str(file)) for file in files]
    return [installed.install(file, each, folder, replace=force) for file, each in zip(files, names, strict=True)]


def _from_address(
    url: str, name: str | None, folder: str | Path | None, sha256: str | None, force: bool, progress: Progress,
    tell: Tell,
) -> Path:
    parsed = urllib.parse.urlsplit(url)
    if parsed.scheme != "https" and not (parsed.scheme == "http" and parsed.hostname in LOOPBACK):
        raise UsageError(f"{url}: the address must begin with https://; http:// is for addresses on this machine only")
    chosen = name or _name_of(Path(urllib.parse.unquote(parsed.path)).name, url)
    target = installed.place(chosen, folder)
    if target.exists() and not force:
        raise UsageError(f"a model {chosen} is already installed ({target}); replace it with --force")
    downloads = installed.prepared(folder) / DOWNLOADS
    # A part of another file must not be continued, so the name depends on the address.
    file = downloads / f"{chosen}-{_digest(url)}{installed.ENDING}"
    try:
        download(url, file, progress=progress, tell=tell)
    except FileNotFoundError:
        raise InputError(f"{url}: the server has no such file; check the address") from None
    try:
        _compare(file, url, sha256)
        return installed.move_in(file, chosen, folder, replace=force)
    except InputError as error:
        raise InputError(str(error).replace(str(file), url)) from None
    finally:
        file.unlink(missing_ok=True)
        if not any(downloads.iterdir()):
            downloads.rmdir()


def _name_of(file: str, source: str) -> str:
    """Return the name of a model from the name of its file."""
    if file.lower().endswith(ARCHIVES):
        raise UsageError(f"{source}: this is an archive; unpack it, and give the model file or its folder")
    name = file.removesuffix(installed.ENDING)
    if name == file or not installed.NAME.fullmatch(name):
        raise UsageError(
            f"{source}: the name of the model does not follow from the name of the file, which should be NAME"
            f"{installed.ENDING} with letters, digits, hyphens and underscores; give it with --name"
        )
    return name


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _compare(path: Path, source: str, sha256: str | None) -> None:
    if sha256 is None:
        return
    found = checksum(path)
    if found != sha256:
        raise InputError(f"{source}: the file has SHA-256 {found}, not {sha256}; nothing was installed")
