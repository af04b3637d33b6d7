"""The page that shows a parser at work: its files, read once; no part of a request ever becomes a path."""

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
    """The page at `/`, and each file that it needs under `/page/`."""
    needed = sorted(file for file in FOLDER.iterdir() if file.suffix in TYPES and file.suffix != ".html")
    return [file_route("/", FOLDER / "index.html"), *(file_route(f"/page/{file.name}", file) for file in needed)]


def file_route(path: str, file: Path) -> Route:
    """The file at that path, with what browsers need to keep it."""
    content = file.read_bytes()
    headers = HEADERS | {"ETag": f'"{sha256(content).hexdigest()[:32]}"'}

    async def send(request: Request) -> Response:
        if headers["ETag"] in request.headers.get("If-None-Match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=TYPES[file.suffix], headers=headers)

    return Route(path, send)
