"""Download a file with retries. A broken download resumes where it ended, if the server supports it."""

from __future__ import annotations

import errno
import hashlib
import http.client
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from gardenpath import version as package
from gardenpath.errors import GardenpathError, InputError, UsageError

CHUNK = 1 << 16
ATTEMPTS = 6
OFFLINE_ATTEMPTS = 2              # if the server cannot be reached at all
PAUSE = 1.0                       # seconds before the second attempt; doubled before each later one
LONGEST_PAUSE = 30.0
TIMEOUT = 30.0                    # seconds without data before a connection counts as broken
LARGEST = 2 << 30                 # bytes; treebanks and models are much smaller
UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
TOO_MANY_REQUESTS = 429
RANGE_NOT_SATISFIABLE = 416

Progress = Callable[[int, int | None], None]       # bytes downloaded, and bytes in total if known
Tell = Callable[[str], None]


class UnreachableError(InputError):
    """The server cannot be reached, probably because there is no network."""


class _BrokenOffError(GardenpathError):
    """The connection broke or the server failed: worth a retry."""


class _OfflineError(_BrokenOffError):
    """There is no connection at all: worth one retry, unless there was one before."""


class _StaleError(GardenpathError):
    """The partial download is unusable: worth a retry from the beginning."""


def download(url: str, target: Path, *, progress: Progress = lambda *_: None, tell: Tell = lambda _: None) -> None:
    """Download a file to `target`.

    A partial download has the suffix `.part`, and a later call resumes it. After a broken connection or a server
    error the download is retried, with longer and longer pauses. Raise `FileNotFoundError` if the server has no such
    file, and `UnreachableError` soon if there is no connection.
    """
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{url}: the address must begin with https:// or http://")
    part = target.with_name(f"{target.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    reached = False
    for attempt in range(ATTEMPTS):
        try:
            _resume(url, part, progress)
            break
        except _StaleError:
            forget(part)
        except _BrokenOffError as error:
            reached = reached or not isinstance(error, _OfflineError)
            if not reached and attempt == OFFLINE_ATTEMPTS - 1:
                raise UnreachableError(f"{url}: {error}; check the connection") from None
            if attempt == ATTEMPTS - 1:
                raise InputError(
                    f"{url}: {error}, {ATTEMPTS} times; check the connection and run the command again to resume the "
                    "download"
                ) from None
            pause = min(PAUSE * 2**attempt, LONGEST_PAUSE)
            tell(f"{error}; trying again in {pause:g} s")
            time.sleep(pause)
    else:
        raise InputError(f"{url}: the file keeps changing during the download; try again later")
    part.replace(target)
    _tag_of(part).unlink(missing_ok=True)


def forget(part: Path) -> None:
    """Remove a partial download."""
    for path in (part, _tag_of(part)):
        path.unlink(missing_ok=True)


def check_sha256(text: str | None) -> None:
    """Raise `UsageError` if a text is given that is not a SHA-256."""
    if text is not None and not re.fullmatch("[0-9a-f]{64}", text):
        raise UsageError(
            f"{text}: this is not a SHA-256; a SHA-256 is 64 digits from 0 to 9 and a to f, as printed by sha256sum"
        )


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file, as printed by sha256sum."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _resume(url: str, part: Path, progress: Progress) -> None:
    """Request the missing bytes and append them. If the server sends the whole file, start again."""
    tag = _tag_of(part).read_text(encoding="ascii") if _tag_of(part).exists() else ""
    have = part.stat().st_size if tag and part.exists() else 0
    with _request(url, have, tag) as response:
        if response.status == http.client.PARTIAL_CONTENT:
            _check_continuation(response.headers, have, tag)
        else:
            have = 0
            _remember(part, response.headers)
        length = response.headers["Content-Length"]
        total = have + int(length) if length and length.isdigit() else None
        if (total or 0) > LARGEST:
            raise InputError(f"{url}: the file has {total:,} bytes, more than any treebank or model; check the address")
        with open(part, "ab" if have else "wb") as file:
            have = _copy(response, file, have, lambda done: progress(done, total))
    if total is not None and have != total:
        raise _BrokenOffError(f"the connection broke after {have:,} of {total:,} bytes")


def _request(url: str, have: int, tag: str) -> Any:
    """Request the file from byte `have` on, or all of it if it no longer matches the tag."""
    headers = {"User-Agent": f"gardenpath/{package.__version__}", "Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": tag}
    try:
        return _opener().open(urllib.request.Request(url, headers=headers), timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        with error:
            _raise_for_status(error, url, have)
    except urllib.error.URLError as error:
        kind = _OfflineError if _is_offline(error.reason) else _BrokenOffError
        raise kind(f"no connection ({error.reason})") from None
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenOffError(f"no response ({error or type(error).__name__})") from None


def _is_offline(reason: object) -> bool:
    """Return whether the server could not even be found, or refuses connections. A time-out may be a busy server."""
    return isinstance(reason, (ConnectionRefusedError, socket.gaierror)) or (
        isinstance(reason, OSError) and reason.errno in UNREACHABLE
    )


def _raise_for_status(error: urllib.error.HTTPError, url: str, have: int) -> None:
    if error.code == RANGE_NOT_SATISFIABLE and have:
        raise _StaleError from None
    if error.code >= http.client.INTERNAL_SERVER_ERROR or error.code == TOO_MANY_REQUESTS:
        raise _BrokenOffError(f"the server returned {error.code} {error.reason}") from None
    if error.code in (http.client.NOT_FOUND, http.client.GONE):
        raise FileNotFoundError(url) from None
    raise InputError(f"{url}: the server returned {error.code} {error.reason}; check the address") from None


def _opener() -> urllib.request.OpenerDirector:
    """Return an opener for https and http only, with the proxies of the environment."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.UnknownHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        _Redirects,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, except from https to an unencrypted protocol."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return the request that follows a redirect."""
        if req.type == "https" and not newurl.startswith("https:"):
            raise InputError(f"{req.full_url}: the server redirects to {newurl}, which is not https; check the address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_continuation(headers: http.client.HTTPMessage, have: int, tag: str) -> None:
    """Check that the server sends the bytes after ours, of the same file. Some servers ignore If-Range."""
    begins = re.match(r"bytes (\d+)-", headers["Content-Range"] or "")
    if not begins or int(begins[1]) != have or headers["ETag"] not in (None, tag):
        raise _StaleError


def _remember(part: Path, headers: http.client.HTTPMessage) -> None:
    """Save the strong ETag of the file, if there is one. A weak ETag does not identify the exact bytes."""
    forget(part)
    tag = headers["ETag"] or ""
    if re.fullmatch(r'"[\x21\x23-\x7e]*"', tag):
        _tag_of(part).write_text(tag, encoding="ascii")


def _tag_of(part: Path) -> Path:
    return part.with_name(f"{part.name}.etag")


def _copy(response: Any, file: IO[bytes], have: int, done: Callable[[int], None]) -> int:
    done(have)
    for piece in _pieces(response):
        file.write(piece)
        have += len(piece)
        if have > LARGEST:
            raise InputError(f"{response.url}: the file has more bytes than any treebank or model; check the address")
        done(have)
    return have


def _pieces(response: Any) -> Iterator[bytes]:
    while True:
        try:
            piece = response.read1(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _BrokenOffError(f"the connection broke ({error or type(error).__name__})") from None
        if not piece:
            return
        yield piece
