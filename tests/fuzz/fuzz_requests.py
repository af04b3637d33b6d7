"""Target: requests to the server. Whatever is asked, the answer has a status below 500."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from urllib.parse import urlencode

import mutation
from driver import Target
from starlette.testclient import TestClient

import gardenpath as gp
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels

FORM = "application/x-www-form-urlencoded"


class RequestTarget(Target):
    """Requests: method, path, type and body, as JSON."""

    name = "requests"

    def __init__(self) -> None:
        app = create_app(ServedModels([Served("en", gp.load("en-fast"))]), Limits(threads=2, traced_words=40))
        self.client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)

    def mutated(self, rng: Random, seeds: Sequence[bytes]) -> bytes:
        seed = json.loads(rng.choice(seeds))
        for key in [key for key in ("json", "form") if key in seed]:
            if rng.random() < 0.8 and isinstance(seed[key], dict):
                value = mutation.plain(rng, seed[key]) if rng.random() < 0.5 else _texts(rng, seed[key])
                seed[key] = value
        return json.dumps(seed if rng.random() < 0.9 else mutation.plain(rng, seed)).encode()

    def run(self, data: bytes, rng: Random) -> None:
        request = json.loads(data)
        if not isinstance(request, dict):
            return
        path, kind = str(request.get("path", "/")), str(request.get("type", ""))
        if "json" in request:
            kind, body = "application/json", json.dumps(request["json"]).encode()
        else:
            form = request.get("form")
            body = urlencode(form, errors="replace").encode() if isinstance(form, dict) else str(form).encode()
        if rng.random() < 0.1:
            body = mutation.any_bytes(rng, body, data)
        method = "GET" if request.get("method") == "GET" else "POST"
        safe = "".join(character for character in path if character.isascii() and character.isprintable())
        headers = {"Content-Type": kind if kind.isascii() and kind.isprintable() else FORM}
        response = self.client.request(method, f"/{safe.lstrip('/')}", content=body, headers=headers)
        assert response.status_code < 500, response.text


def _texts(rng: Random, fields: dict[str, object]) -> dict[str, object]:
    """Change the texts among the fields, as the tables that most of them are."""
    return {
        key: mutation.table(rng, value.encode("utf-8", "replace"), b"a\tb").decode("utf-8", "replace")
        if isinstance(value, str) and rng.random() < 0.5 else value
        for key, value in fields.items()
    }
