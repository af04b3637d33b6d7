"""Download treebanks from a local server.

The folder is complete or absent, and nothing is downloaded twice without need.
"""

import errno
import gzip
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import tracemalloc
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import archive, download, fetch, tar
from gardenpath.treebank.credits import Credits, read_credits
from treebank_server import FILES, NAME, README, SENTENCE, TOP, Server, archive_of, member
from waiting import HANG, wait_until

NOISE = random.Random(1).randbytes(300_000).hex()        # makes the archive long enough to break in the middle


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.01)
    started = Server(archive_of({**FILES, "stats.xml": NOISE}))
    yield started
    started.close()


@pytest.fixture
def getting(server, tmp_path):
    """Download the treebank from the server to an empty folder."""
    def call(**options):
        return fetch.get(NAME, output=tmp_path, url=server.url, **options)

    return call


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def is_whole(tmp_path):
    """Check that only the folder exists and that it has all files."""
    assert names(tmp_path) == [TOP]
    assert names(tmp_path / TOP) == sorted([*FILES, "stats.xml", fetch.RECORD])
    assert (tmp_path / TOP / "xx_test-ud-train.conllu").read_text() == SENTENCE * 3
    assert (tmp_path / TOP / "stats.xml").read_text() == NOISE
    return True


def test_a_treebank_is_downloaded_completely(server, getting, tmp_path):
    seen = []
    found = getting(progress=lambda done, total: seen.append((done, total)))
    assert is_whole(tmp_path)
    assert [path.name for path in found.files] == ["xx_test-ud-dev.conllu", "xx_test-ud-train.conllu"]
    assert found.record == fetch.Record(
        NAME, "2.16", server.url + server.requests[0]["path"], hashlib.sha256(server.content).hexdigest(), "c0ffee"
    )
    assert (found.is_new, found.credits.licence, found.credits.is_non_commercial) == (True, "CC BY-NC-SA 4.0", True)
    assert found.credits.citation == "Ada Lovelace. 1843. Notes."
    assert seen[0] == (0, len(server.content))
    assert seen[-1] == (len(server.content), len(server.content))
    assert "range" not in server.requests[0]


def test_an_existing_treebank_is_downloaded_again_only_with_force(server, getting, tmp_path):
    getting()
    assert not getting().is_new
    assert len(server.requests) == 1
    (tmp_path / TOP / "more.txt").write_text("mine")
    assert getting(force=True).is_new
    assert len(server.requests) == 2
    assert is_whole(tmp_path)


def test_an_unrelated_folder_is_not_changed(getting, server, tmp_path):
    (tmp_path / TOP).mkdir()
    with pytest.raises(UsageError, match="the folder exists and was not made by this command"):
        getting(force=True)
    assert (names(tmp_path / TOP), server.requests) == ([], [])


def test_a_broken_download_resumes_where_it_broke(server, getting, tmp_path):
    messages = []
    server.plan = [-100_000, -50_000]
    getting(tell=messages.append)
    assert is_whole(tmp_path)
    assert [request.get("range") for request in server.requests] == [None, "bytes=100000-", "bytes=150000-"]
    assert server.requests[1]["if-range"] == server.tag
    assert messages[0] == f"the connection broke after 100,000 of {len(server.content):,} bytes; trying again in 0.01 s"


def test_a_later_call_resumes_the_download(server, getting, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "ATTEMPTS", 1)
    server.plan = [-100_000]
    with pytest.raises(
        InputError, match=r"broke after 100,000 of .* 1 times; check the connection and run the command again"
    ):
        getting()
    assert names(tmp_path) == [f".{TOP}.tar.gz.part", f".{TOP}.tar.gz.part.etag"]
    getting()
    assert server.requests[-1]["range"] == "bytes=100000-"
    assert is_whole(tmp_path)


@pytest.mark.parametrize("tags", ["strong", "weak", "none"])
def test_without_ranges_the_download_starts_again(server, getting, tmp_path, tags):
    server.ranges, server.tags, server.plan = False, tags, [-100_000]
    getting()
    assert is_whole(tmp_path)
    assert len(server.requests) == 2


@pytest.mark.parametrize("tags", ["weak", "none"])
def test_without_a_strong_etag_no_range_is_requested(server, getting, tmp_path, tags):
    server.tags, server.plan = tags, [-100_000]
    getting()
    assert is_whole(tmp_path)
    assert not any("range" in request for request in server.requests)


def test_a_server_that_sends_no_content_length(server, getting, tmp_path):
    """GitHub does so: chunks, a weak ETag, no ranges."""
    seen, messages = [], []
    server.is_chunked, server.ranges, server.tags, server.plan = True, False, "weak", [-100_000]
    getting(progress=lambda *at: seen.append(at), tell=messages.append)
    assert is_whole(tmp_path)
    assert seen[-1] == (len(server.content), None)
    assert len(messages) == 1
    assert messages[0].startswith("the connection broke (")


@pytest.mark.parametrize("honours", [True, False])
def test_the_download_of_a_changed_file_starts_again(server, getting, tmp_path, honours):
    """The server notices the change itself, or returns a part of the new file."""
    server.honours_if_range = honours
    server.plan = [-100_000, archive_of({**FILES, "stats.xml": NOISE}, commit="decaf")]
    assert getting().record.commit == "decaf"
    assert is_whole(tmp_path)


def test_a_part_longer_than_the_file_is_deleted(server, getting, tmp_path):
    part = tmp_path / f".{TOP}.tar.gz.part"
    part.write_bytes(bytes(len(server.content) + 5))
    part.with_name(f"{part.name}.etag").write_text(server.tag)
    getting()
    assert is_whole(tmp_path)


def test_server_errors_are_retried(server, getting, tmp_path):
    server.plan = [500, 503, 429]
    getting()
    assert is_whole(tmp_path)
    assert len(server.requests) == 4


def test_permanent_server_errors(server, getting, tmp_path):
    server.plan = [500] * download.ATTEMPTS
    with pytest.raises(
        InputError, match="the server returned 500 Internal Server Error, 6 times; check the connection"
    ):
        getting()
    assert names(tmp_path) == []


@pytest.fixture
def attempts(monkeypatch):
    """The requests that were made, with or without success."""
    made = []
    opened = download._request
    monkeypatch.setattr(download, "_request", lambda *given: (made.append(given), opened(*given))[1])
    return made


def test_no_server(server, getting, attempts):
    server.close()
    with pytest.raises(download.UnreachableError, match=r"no connection .*refused.* models make NAME --from FOLDER"):
        getting()
    assert len(attempts) == download.OFFLINE_ATTEMPTS


@pytest.mark.parametrize("reason", [socket.gaierror(-3, "no name"), OSError(errno.ENETUNREACH, "no network")])
def test_no_network(server, getting, monkeypatch, reason):
    monkeypatch.setattr(socket, "getaddrinfo", Mock(side_effect=reason))
    with pytest.raises(download.UnreachableError, match=reason.strerror):
        getting()
    assert socket.getaddrinfo.call_count == download.OFFLINE_ATTEMPTS


def test_time_outs_are_retried(server, getting, monkeypatch):
    monkeypatch.setattr(socket, "create_connection", Mock(side_effect=TimeoutError("timed out")))
    with pytest.raises(InputError, match=r"timed out.*, 6 times"):
        getting()


def test_a_server_that_disappears_in_the_middle_is_tried_again(server, getting, attempts):
    server.plan = [-100_000]
    tell = Mock(side_effect=lambda _: server.close() if server.requests else None)
    with pytest.raises(InputError, match=r"refused.*, 6 times; check the connection"):
        getting(tell=tell)
    assert len(attempts) == download.ATTEMPTS


def test_redirects_are_followed(server, getting, tmp_path):
    server.redirect = server.url
    server.plan = [-100_000]
    getting()
    assert is_whole(tmp_path)
    assert server.requests[-1]["range"] == "bytes=100000-"


def test_redirects_to_other_protocols_are_not_followed(server, getting, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "ATTEMPTS", 1)
    server.redirect = "file://"
    with pytest.raises(InputError, match="the server returned 302"):
        getting()
    assert names(tmp_path) == []


def test_redirects_from_https_to_http_are_an_error():
    asked = download.urllib.request.Request("https://github.com/x")
    with pytest.raises(InputError, match=r"the server redirects to http://example\.org/x, which is not https"):
        download._Redirects().redirect_request(asked, None, 302, "Found", {}, "http://example.org/x")


def test_an_unknown_treebank(server, tmp_path):
    with pytest.raises(
        InputError,
        match=(
            r"UD_Sample-Nothing/archive/refs/tags/r2.16.tar.gz: the server has no such file; see "
            r"https://universaldependencies.org"
        ),
    ):
        fetch.get("UD_Sample-Nothing", output=tmp_path, url=server.url)
    assert (names(tmp_path), len(server.requests)) == ([], 1)


def test_a_misspelt_treebank_gets_suggestions(server, tmp_path):
    with pytest.raises(InputError, match=r"GSE/.* the server has no such file; .* did you mean UD_German-GSD"):
        fetch.get("UD_German-GSE", output=tmp_path, url=server.url)


@pytest.mark.parametrize("name", ["UD_Latvian-LVTB", "Latvian-LVTB", "lv_lvtb", "Latvian", "latviešu", "lv", "LAV"])
def test_names_of_languages_and_treebanks(name):
    assert fetch.full_name(name) == "UD_Latvian-LVTB"
    assert fetch.full_name("UD_Latvian-New") == "UD_Latvian-New"


def test_other_status_codes_are_not_retried(server, getting, tmp_path):
    server.plan = [403]
    with pytest.raises(InputError, match="the server returned 403 Forbidden; check the address"):
        getting()
    assert len(server.requests) == 1


@pytest.mark.parametrize("options, message", [
    ({"name": "UD_English-EWT/../x"}, "the catalogue has no language or treebank 'UD_English-EWT/../x'"),
    ({"name": "Germn"}, r"no language or treebank 'Germn'; did you mean German\?"),
    ({"release": "r2.16"}, "this is not a release; .* as in 2.16"),
    ({"sha256": "abc"}, "this is not a SHA-256; a SHA-256 is 64 digits"),
    ({"url": "file:///etc"}, "the address must begin with https:// or http://"),
])
def test_invalid_names(tmp_path, options, message):
    with pytest.raises(UsageError, match=message):
        fetch.get(**({"name": NAME, "output": tmp_path, "url": "http://127.0.0.1:9"} | options))


def test_the_given_checksum_is_verified(server, getting, tmp_path):
    right = hashlib.sha256(server.content).hexdigest()
    with pytest.raises(
        InputError, match=f"the downloaded archive has SHA-256 {right}, not {'0' * 64}, and was deleted"
    ):
        getting(sha256="0" * 64)
    assert names(tmp_path) == []
    assert getting(sha256=right).record.sha256 == right
    with pytest.raises(InputError, match="the treebank comes from an archive with SHA-256"):
        getting(sha256="0" * 64)


def test_the_checksum_of_an_earlier_download_is_verified(server, getting, tmp_path):
    first = getting().record.sha256
    server.content = archive_of({**FILES, "stats.xml": NOISE}, commit="decaf")
    second = hashlib.sha256(server.content).hexdigest()
    with pytest.raises(
        InputError, match=f"has SHA-256 {second}, the earlier one {first}, .* accept it with --sha256 {second}"
    ):
        getting(force=True)
    assert is_whole(tmp_path)
    assert getting().record.sha256 == first
    assert getting(force=True, sha256=second).record.commit == "decaf"


HOSTILE = {
    "upwards": ([member(f"{TOP}/../../evil")], "is not a valid path for a file of a treebank"),
    "absolute": ([member("/tmp/evil")], "is not a valid path for a file of a treebank"),
    "of another system": ([member(f"{TOP}/..\\evil")], "is not a valid path for a file of a treebank"),
    "drive": ([member(f"{TOP}/C:evil")], "is not a valid path for a file of a treebank"),
    "device": ([member(f"{TOP}/null", tarfile.CHRTYPE)], "is neither a file nor a folder"),
    "pipe": ([member(f"{TOP}/pipe", tarfile.FIFOTYPE)], "is neither a file nor a folder"),
    "twice": ([member(f"{TOP}/README.md")], "occurs twice"),
    "file as folder": ([member(f"{TOP}/README.md/evil")], "occurs twice"),
    "too large": ([member(f"{TOP}/zeros", size=2_000_000)], "more than 50 files or 1,500,000 bytes"),
    "long name": ([member(f"{TOP}/{'a' * 300}")], "the name of a file is too long"),
    "too many links": (
        [member(f"{TOP}/{i}", tarfile.SYMTYPE) for i in range(60)], "more than 50 files or 1,500,000 bytes",
    ),
    "too many": ([member(f"{TOP}/{i}") for i in range(60)], "more than 50 files or 1,500,000 bytes"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives(server, getting, tmp_path, monkeypatch, name):
    monkeypatch.setattr(archive, "MOST_FILES", 50)
    monkeypatch.setattr(archive, "MOST_BYTES", 1_500_000)
    members, message = HOSTILE[name]
    server.content = archive_of(FILES, members=members)
    with pytest.raises(InputError, match=message):
        getting()
    assert names(tmp_path) == []
    assert not (tmp_path.parent / "evil").exists()


def test_a_header_that_requires_too_much_memory(server, getting, tmp_path):
    server.content = archive_of(FILES, members=[member(f"{TOP}/x", tarfile.GNUTYPE_LONGNAME, size=1 << 22)])
    with pytest.raises(InputError, match="a header requires 4,194,304 bytes"):
        getting()
    assert names(tmp_path) == []


def header_of(name, kind=b"0", size="00000000000"):
    """Return the header of a member with any size field and a right checksum."""
    header = bytearray(tarfile.TarInfo(f"{TOP}/{name}").tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = size.encode("latin-1").ljust(12, b"\0")
    header[156:157] = kind
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def pax(content):
    """Return a pax header with this content."""
    padded = content + bytes(-len(content) % 512)
    return header_of("pax", b"x", f"{len(content):011o}") + padded


GOOD = gzip.decompress(archive_of(FILES)).rstrip(b"\0")
GOOD += bytes(-len(GOOD) % 512)
DAMAGED = "the archive is damaged or truncated .* run the command again"
STRANGE = {
    "negative size": (header_of("a", size="\xff" * 12) + bytes(512), DAMAGED),
    "size of spaces": (header_of("a", size=" -7"), DAMAGED),
    "huge size": (header_of("a", size="7" * 11), "more than 100,000 files or 8,589,934,592 bytes|" + DAMAGED),
    "pax length of many digits": (pax(b"9" * 200_000 + b" path=a\n"), DAMAGED),
    "pax length beyond the header": (pax(b"99 path=a\n"), DAMAGED),
    "pax length 0": (pax(b"0 path=a\n"), DAMAGED),
    "pax size negative": (pax(b"11 size=-7\n") + header_of("a"), DAMAGED),
    "pax size huge": (pax(b"41 size=" + b"9" * 32 + b"\n") + header_of("a"), DAMAGED),
    "sparse file of pax": (
        pax(b"22 GNU.sparse.major=1\n") + header_of("a") + bytes(512), "it contains a sparse file",
    ),
    "sparse file of GNU": (header_of("a", b"S"), "neither a file nor a folder"),
    "name that is not UTF-8": (header_of("a", b"L", "00000000002") + b"\xff\xfe" + bytes(510), "is not UTF-8"),
    "wrong checksum": (b"x" + header_of("a")[1:], DAMAGED),
    "zeros after the end": (bytes(4 << 20), "it has data after its last file"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_headers(server, getting, tmp_path, name):
    """Nothing hangs, is written or stays, and the next attempt downloads the archive again."""
    strange, message = STRANGE[name]
    server.content = gzip.compress(GOOD + strange + bytes(1024), mtime=0)
    with pytest.raises(InputError, match=message):
        getting()
    assert names(tmp_path) == []
    server.content = archive_of({**FILES, "stats.xml": NOISE})
    getting()
    assert is_whole(tmp_path)


@pytest.mark.parametrize("end", [gzip.compress(b"", mtime=0) * 100, b"x", bytes(100)])
def test_data_after_the_end_of_the_archive(server, getting, tmp_path, end):
    server.content = archive_of(FILES) + end
    with pytest.raises(InputError, match="it has data after its end"):
        getting()
    assert names(tmp_path) == []


def test_many_pax_headers_take_no_memory(tmp_path):
    """Records without a meaning are not kept."""
    headers = b"".join(pax(b"%d key%05d=%s\n" % (90_016, i, b"a" * 90_000)) for i in range(100))
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(headers + header_of("a") + bytes(1024), mtime=0))
    tracemalloc.start()
    with open(tmp_path / "a.tar.gz", "rb") as file:
        assert [found.name for found in tar.TarReader(file, 1 << 30)] == [f"{TOP}/a"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


def test_long_names(server, getting):
    """Names that need a pax header, or the prefix of ustar."""
    files = {**FILES, f"{'a' * 90}/{'b' * 120}.txt": "x", f"{'c' * 60}/{'d' * 60}": "y", "é" * 80: "z"}
    server.content = archive_of(files)
    folder = getting().folder
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == {*files, fetch.RECORD}


def test_links_are_skipped(server, getting, tmp_path):
    links = [
        member(f"{TOP}/link", tarfile.SYMTYPE, "/etc"),
        member(f"{TOP}/hard", tarfile.LNKTYPE, "/etc/passwd"),
        member(f"{TOP}/link/evil"),
    ]
    server.content = archive_of(FILES, members=links)
    messages = []
    folder = getting(tell=messages.append).folder
    assert messages == ["skipped 2 links: link, hard"]
    assert names(folder) == sorted([*FILES, "link", fetch.RECORD])
    assert names(folder / "link") == ["evil"]
    assert not any(path.is_symlink() for path in folder.rglob("*"))


def test_unreleased_files_are_skipped(server, getting):
    server.content = archive_of({**FILES, "not-to-release/sources/a.conllu": SENTENCE})
    assert names(getting().folder) == sorted([*FILES, fetch.RECORD])


def test_an_archive_without_a_treebank(server, getting, tmp_path):
    server.content = archive_of({"README.md": README})
    with pytest.raises(InputError, match=r"no file ends with \.conllu"):
        getting()
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "content",
    [
        archive_of(FILES)[:-300],
        archive_of(FILES)[:-6],
        archive_of(FILES)[:-8] + bytes(8),
        b"<html>",
        b"",
        archive_of(FILES)[:200] + bytes(50),
    ],
    ids=range(6),
)
def test_damaged_or_truncated_archives(server, getting, tmp_path, content):
    server.content = content
    with pytest.raises(InputError, match=r"the archive is damaged or truncated .* run the command again"):
        getting()
    assert names(tmp_path) == []
    server.content = archive_of({**FILES, "stats.xml": NOISE})
    getting()
    assert is_whole(tmp_path)


def test_no_space_while_downloading(server, getting, tmp_path, monkeypatch):
    class Full:
        def __init__(self, file):
            self.file, self.left = file, 100_000

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, piece):
            self.left -= len(piece)
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return self.file.write(piece)

    with monkeypatch.context() as patched:
        patched.setattr(download, "open", lambda path, mode: Full(Path(path).open(mode)), raising=False)  # noqa: SIM115
        with pytest.raises(OSError, match="No space left"):
            getting()
    assert names(tmp_path) == [f".{TOP}.tar.gz.part", f".{TOP}.tar.gz.part.etag"]
    getting()
    assert "range" in server.requests[-1]
    assert is_whole(tmp_path)


def test_no_space_while_unpacking(server, getting, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(archive, "_write", full)
        with pytest.raises(OSError, match="No space left"):
            getting()
    assert names(tmp_path) == [f".{TOP}.tar.gz"]
    getting()
    assert len(server.requests) == 1
    assert is_whole(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_the_download_of_a_killed_process_is_resumed(server, getting, tmp_path):
    sent, killed = count(1), threading.Event()
    server.chunk, server.between = 20_000, lambda: next(sent) < 10 or killed.wait(HANG)          # stalls in the middle
    options = ["--url", server.url, "--output", str(tmp_path)]
    command = [sys.executable, "-m", "gardenpath", "treebank", "get", NAME, *options]
    part = tmp_path / f".{TOP}.tar.gz.part"
    with subprocess.Popen(command) as process:
        wait_until(lambda: part.exists() and part.stat().st_size > 60_000)
        process.send_signal(signal.SIGKILL)
    killed.set()
    assert names(tmp_path) == [part.name, f"{part.name}.etag"]
    server.between = lambda: None
    getting()
    assert int(server.requests[-1]["range"].removeprefix("bytes=").rstrip("-")) > 60_000
    assert is_whole(tmp_path)


def test_files_left_by_a_process_killed_while_unpacking(getting, tmp_path):
    for name in (".unpacking", ".old"):
        left = tmp_path / f".{TOP}{name}"
        left.mkdir()
        (left / "half.conllu").write_text("1\t")
    getting()
    assert is_whole(tmp_path)


def test_a_record_that_cannot_be_read(getting, tmp_path):
    (tmp_path / TOP).mkdir()
    (tmp_path / TOP / fetch.RECORD).write_text(json.dumps({"name": 1}))
    with pytest.raises(InputError, match="the file was not written by this command; move the folder away"):
        getting()


def test_the_record_is_json(getting):
    found = getting()
    assert json.loads(Path(found.folder / fetch.RECORD).read_text())["url"].endswith("r2.16.tar.gz")


def test_parsing_and_training_import_no_network_modules():
    code = (
        "import sys, gardenpath.models.training; gardenpath.load('en'); gardenpath.treebank; "
        "print({'http.client', 'urllib.request'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize(
    "readme, terms, expected",
    [
        (
            "# Citations\n\nCite:\n\n    @book{a}\n\n# Metadata\n\nLicense: CC BY-SA 4.0\n",
            "NonCommercial",
            ("CC BY-SA 4.0", False, "Cite:\n\n    @book{a}"),
        ),
        ("License: LGPLLR\n", "", ("LGPLLR", False, None)),
        ("# How to cite\nA.\n## B\nC.\n# D\nE.", "\nCC BY-NC 3.0\n", ("CC BY-NC 3.0", True, "A.\n## B\nC.")),
        ("# References\n", "Attribution-NonCommercial 4.0", ("Attribution-NonCommercial 4.0", True, None)),
        ("", "", (None, False, None)),
    ],
)
def test_licences_and_citations(tmp_path, readme, terms, expected):
    (tmp_path / "README.txt").write_text(readme)
    (tmp_path / "LICENSE.txt").write_text(terms)
    assert read_credits(tmp_path) == Credits(*expected)
