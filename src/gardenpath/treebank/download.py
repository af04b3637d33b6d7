"""Downloading a file, in as many goes as it takes: what came before a connection broke is kept and not asked for again, where the server can do without."""

from __future__ import annotations

import hashlib
import http.client
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import gardenpath
from gardenpath.errors import GardenpathError, InputError, UsageError

CHUNK = 1 << 16
ATTEMPTS = 6
PAUSE = 1.0                       # seconds before the second attempt; twice as many before each that follows
LONGEST_PAUSE = 30.0
TIMEOUT = 30.0                    # seconds without a byte, after which a connection counts as broken
LARGEST = 2 << 30                 # bytes; no treebank comes near it
TOO_MANY_REQUESTS = 429
RANGE_NOT_SATISFIABLE = 416

Progress = Callable[[int, int | None], None]       # how many bytes are there, of how many if that is known
Tell = Callable[[str], None]


class _BrokenOffError(GardenpathError):
    """The connection broke, or the server is not well: worth another attempt."""


class _StaleError(GardenpathError):
    """What is there already is of no use: worth an attempt from the beginning."""


def download(url: str, target: Path, *, progress: Progress = lambda *_: None, tell: Tell = lambda _: None) -> None:
    """Download a file to `target`; until it is complete, it is called `target` with `.part` behind it, and a later call goes on from there.

    After a broken connection or an error of the server it is tried again some times, with longer and longer pauses between. `FileNotFoundError` if the server
    has no such file.
    """
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{url}: no address to download from; it begins with https:// or http://")
    part = target.with_name(f"{target.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(ATTEMPTS):
        try:
            _go_on(url, part, progress)
            break
        except _StaleError:
            forget(part)
        except _BrokenOffError as error:
            if attempt == ATTEMPTS - 1:
                raise InputError(f"{url}: {error}, {ATTEMPTS} times; look at the connection and run the command again: it goes on where this ended") from None
            pause = min(PAUSE * 2**attempt, LONGEST_PAUSE)
            tell(f"{error}; trying again in {pause:g} s")
            time.sleep(pause)
    else:
        raise InputError(f"{url}: the file changes again and again while it is being downloaded; try again later")
    part.replace(target)
    _tag_of(part).unlink(missing_ok=True)


def forget(part: Path) -> None:
    """Remove what came of a file."""
    for path in (part, _tag_of(part)):
        path.unlink(missing_ok=True)


def checksum(path: Path) -> str:
    """The SHA-256 of a file, as sha256sum prints it."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _go_on(url: str, part: Path, progress: Progress) -> None:
    """Ask for what is missing, and add it; if all of it comes instead, begin anew."""
    tag = _tag_of(part).read_text(encoding="ascii") if _tag_of(part).exists() else ""
    have = part.stat().st_size if tag and part.exists() else 0
    with _ask(url, have, tag) as response:
        if response.status == http.client.PARTIAL_CONTENT:
            _see_that_it_fits(response.headers, have, tag)
        else:
            have = 0
            _remember(part, response.headers)
        length = response.headers["Content-Length"]
        total = have + int(length) if length and length.isdigit() else None
        if (total or 0) > LARGEST:
            raise InputError(f"{url}: {total:,} bytes, more than any treebank has; see whether the address is right")
        with open(part, "ab" if have else "wb") as file:
            have = _copy(response, file, have, lambda done: progress(done, total))
    if total is not None and have != total:
        raise _BrokenOffError(f"the connection broke after {have:,} of {total:,} bytes")


def _ask(url: str, have: int, tag: str) -> Any:
    """The server's answer to a request for the file from byte `have` on, or for all of it if it is no longer the one that the tag stands for."""
    headers = {"User-Agent": f"gardenpath/{gardenpath.__version__}", "Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": tag}
    try:
        return _opener().open(urllib.request.Request(url, headers=headers), timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        with error:
            _judge(error, url, have)
    except urllib.error.URLError as error:
        raise _BrokenOffError(f"no connection ({error.reason})") from None
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenOffError(f"no answer ({error or type(error).__name__})") from None


def _judge(error: urllib.error.HTTPError, url: str, have: int) -> None:
    if error.code == RANGE_NOT_SATISFIABLE and have:
        raise _StaleError from None
    if error.code >= http.client.INTERNAL_SERVER_ERROR or error.code == TOO_MANY_REQUESTS:
        raise _BrokenOffError(f"the server answers {error.code} {error.reason}") from None
    if error.code in (http.client.NOT_FOUND, http.client.GONE):
        raise FileNotFoundError(url) from None
    raise InputError(f"{url}: the server answers {error.code} {error.reason}; see whether the address is right") from None


def _opener() -> urllib.request.OpenerDirector:
    """What opens https and http, by a proxy if the environment names one, and nothing else."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler, urllib.request.UnknownHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler, _Redirects, urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Redirects are followed, but not from https to where others can read along and change what comes."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:
        """The request that follows a redirect."""
        if req.type == "https" and not newurl.startswith("https:"):
            raise InputError(f"{req.full_url}: redirected to {newurl}, which is not https; see whether the address is right")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _see_that_it_fits(headers: http.client.HTTPMessage, have: int, tag: str) -> None:
    """Does a part of the file begin where ours ends, and is it the same file? There are servers that do not look at If-Range."""
    begins = re.match(r"bytes (\d+)-", headers["Content-Range"] or "")
    if not begins or int(begins[1]) != have or headers["ETag"] not in (None, tag):
        raise _StaleError


def _remember(part: Path, headers: http.client.HTTPMessage) -> None:
    """Write down which file this is, if the server says so: by a strong tag, for a weak one may stand for other bytes as well."""
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
            raise InputError(f"{response.url}: more bytes than any treebank has; see whether the address is right")
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
