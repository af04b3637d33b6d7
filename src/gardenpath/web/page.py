"""The web page that shows the parser step by step.

Its files are read once at the start. Requests are never turned into paths of files.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).with_name("page")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:",
    "X-Content-Type-Options": "nosniff",
}


def routes() -> list[Route]:
    """Return the routes of the page: `/`, and the files that it needs below `/page/`."""
    needed = sorted(file for file in FOLDER.iterdir() if file.suffix in TYPES and file.suffix != ".html")
    return [file_route("/", FOLDER / "index.html"), *(file_route(f"/page/{file.name}", file) for file in needed)]


def file_route(path: str, file: Path) -> Route:
    """Return a route that sends a file, with an ETag for the browser cache."""
    content = file.read_bytes()
    headers = HEADERS | {"ETag": f'"{sha256(content).hexdigest()[:32]}"'}

    async def send(request: Request) -> Response:
        if headers["ETag"] in request.headers.get("If-None-Match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=TYPES[file.suffix], headers=headers)

    return Route(path, send)
