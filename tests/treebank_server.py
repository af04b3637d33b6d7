"""A local server with one treebank that can be made to misbehave, and archives like those of GitHub."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import tarfile
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME, RELEASE = "UD_Sample-Test", "2.16"
PATH = f"/{NAME}/archive/refs/tags/r{RELEASE}.tar.gz"
TOP = f"{NAME}-r{RELEASE}"
README = """\
# Summary

A sample.

# Acknowledgments

Nobody.

## References

Ada Lovelace. 1843. Notes.

# Changelog

=== Machine-readable metadata (DO NOT REMOVE!) ===
License: CC BY-NC-SA 4.0
===
"""
SENTENCE = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "README.md": README,
    "LICENSE.txt": "All of it.\n",
    "xx_test-ud-train.conllu": SENTENCE * 3,
    "xx_test-ud-dev.conllu": SENTENCE,
}


def archive_of(files, *, members=(), commit="c0ffee", top=TOP):
    """Return a .tar.gz of these files in one folder, and of further members, with the same bytes at any time."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file, \
            tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": commit}) as tar:
        for name, text in files.items():
            add(tar, f"{top}/{name}", text.encode())
        for member in members:
            tar.addfile(member, io.BytesIO(bytes(member.size)))
    return packed.getvalue()


def add(tar, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def member(name, kind=tarfile.REGTYPE, link="", size=0):
    """Return an archive entry that no treebank has."""
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.size = kind, link, size
    return found


class Server:
    """Serves `content` at the address of the treebank, and `others` at their paths.

    `plan` has a step for each request; after the last step all requests succeed. A step is a status code to return, a
    number of bytes after which the connection breaks (as a negative number), or new content that replaces the old
    one.
    """

    def __init__(self, content):
        self.content = content
        self.others = {}                # further files by their paths
        self.plan = []
        self.requests = []
        self.ranges = True
        self.tags = "strong"
        self.honours_if_range = True
        self.redirect = None
        self.is_chunked = False
        self.chunk = 1 << 16
        self.between = lambda: None
        handler = type("Handler", (Handler,), {"ours": self})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.http.server_port}"

    @property
    def tag(self):
        return self.tag_of(self.content)

    def tag_of(self, content):
        strong = f'"{hashlib.md5(content).hexdigest()}"'
        return {"strong": strong, "weak": f"W/{strong}", "none": None}[self.tags]

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    ours: Server

    def log_message(self, *arguments):
        pass

    def handle(self):
        with suppress(ConnectionError):         # a client that was killed
            super().handle()

    def do_GET(self):
        server = self.ours
        server.requests.append({name.lower(): value for name, value in self.headers.items()} | {"path": self.path})
        if server.redirect and self.path.startswith("/UD_"):
            return self.reply(302, b"", {"Location": server.redirect + self.path.replace("/UD_", "/moved/UD_")})
        other = server.others.get(self.path.removeprefix("/moved"))
        if other is None and not self.path.endswith(PATH):
            return self.reply(404, b"none")
        step = server.plan.pop(0) if server.plan else None
        if isinstance(step, bytes):
            server.content, step = step, None
        if step and step > 0:
            return self.reply(step, b"not now")
        return self.serve(server.content if other is None else other, -step if step else None)

    def serve(self, content, breaks_after):
        server = self.ours
        wanted = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        fits = not server.honours_if_range or self.headers.get("If-Range") == server.tag_of(content)
        headers = {"ETag": server.tag_of(content)} if server.tags != "none" else {}
        if wanted and server.ranges and fits:
            begin = int(wanted[1])
            if begin >= len(content):
                return self.reply(416, b"")
            headers["Content-Range"] = f"bytes {begin}-{len(content) - 1}/{len(content)}"
            return self.reply(206, content[begin:], headers, breaks_after)
        return self.reply(200, content, headers, breaks_after)

    def reply(self, status, body, headers=(), breaks_after=None):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header(
            *(("Transfer-Encoding", "chunked") if self.ours.is_chunked else ("Content-Length", str(len(body))))
        )
        self.end_headers()
        self.close_connection = True
        sent = body if breaks_after is None else body[:breaks_after]
        for begin in range(0, len(sent), self.ours.chunk):
            piece = sent[begin:begin + self.ours.chunk]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if self.ours.is_chunked else piece)
            self.wfile.flush()
            self.ours.between()
        if self.ours.is_chunked and breaks_after is None:
            self.wfile.write(b"0\r\n\r\n")
