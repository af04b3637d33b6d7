"""The files of the page: all of them are served unchanged, and nothing else."""

import http.client
import re
from pathlib import Path

import pytest

from gardenpath.web import page
from waiting import HANG

FOLDER = Path(page.FOLDER)
FILES = sorted(file.name for file in FOLDER.iterdir())
PAGES = {"index.html": "/", "reference.html": "/api"}

pytestmark = pytest.mark.xdist_group("server")


def get(server, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def address(name):
    return PAGES.get(name, f"/page/{name}")


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_served_unchanged(server, name):
    status, headers, body = get(server, address(name))
    assert (status, body) == (200, (FOLDER / name).read_bytes())
    assert headers["Content-Type"].split(";")[0] == page.TYPES[Path(name).suffix]
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"].startswith("default-src 'self';")
    assert "unsafe-eval" not in headers["Content-Security-Policy"]
    assert "script-src" not in headers["Content-Security-Policy"]


def test_a_cached_file_is_not_sent_again(server):
    tag = get(server, "/")[1]["ETag"]
    status, headers, body = get(server, "/", **{"If-None-Match": f'"other", {tag}'})
    assert (status, headers["ETag"], body) == (304, tag, b"")
    assert get(server, "/", **{"If-None-Match": '"other"'})[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/page/", "/page/page.py", "/page/../page.py", "/page/%2e%2e/page.py", "/page/..%2fpage.py", "/page/index.html",
        "/page/main.js/", "/page/%00",
    ],
)
def test_nothing_else_is_served(server, path):
    assert get(server, path)[0] == 404


def test_all_references_in_the_files_exist():
    """The files contain no references to other servers."""
    named = set()
    for name in FILES:
        text = (FOLDER / name).read_text(encoding="utf-8")
        named |= {Path(found).name for found in re.findall(r'(?:from "\./|src="page/|href="page/)([^"]+)"', text)}
        assert not re.search(r"""(?:src|href|url|import|fetch)\s*[=(]?\s*["'(]?(?:https?:)?//""", text), name
    assert named == set(FILES) - set(PAGES)
