"""UDPipe's REST API, so that its clients can talk to this server: `/models`, `/process` and, for WebLicht, `/weblicht/...`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gardenpath.errors import InputError
from gardenpath.web.forms import read_body, read_query
from gardenpath.web.limits import Limits
from gardenpath.web.process import Answer, Asked, ask, process
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers

LARGE = 1 << 16          # bytes of a body, or characters of an answer's words; more is taken apart, or put together, in a thread
WEBLICHT = {"/weblicht/tokenize": "tokenizer", "/weblicht/tag": "tagger", "/weblicht/parse": "parser"}
JSON = "application/json"
CLOSING = '"\n}\n'        # how an answer ends, after its result
_encode = json.JSONEncoder(ensure_ascii=False).encode


def routes(models: ServedModels, limits: Limits, workers: Workers) -> list[Route]:
    """The URLs of UDPipe's REST API."""
    api = _Api(models, limits, workers)
    steps = [Route(path, api.weblicht, methods=["POST"]) for path in WEBLICHT]
    return [Route("/models", api.list_models, methods=["GET", "POST"]), Route("/process", api.process, methods=["GET", "POST"]), *steps]


class _Api:
    def __init__(self, models: ServedModels, limits: Limits, workers: Workers) -> None:
        self.models = models
        self.limits = limits
        self.workers = workers
        self.list = _indented({"models": {served.name: served.steps for served in models}, "default_model": models.default.name}) + "\n"
        self.openings = {served.name: _opening(served) for served in models}

    async def list_models(self, _: Request) -> Response:
        """The models, and what each can do."""
        return Response(self.list, media_type=JSON)

    async def process(self, request: Request) -> Response:
        """Data through some steps of a model."""
        asked, answer = await self._process(_parameters, request)
        write = partial(_write, self.openings[asked.served.name], answer.parts)
        content = await self.workers.run_alone(write) if answer.characters > LARGE else write()
        return Response(content, headers=_billing(answer), media_type=JSON)

    async def weblicht(self, request: Request) -> Response:
        """One step, as WebLicht asks for it: the body is the data, and CoNLL-U comes back."""
        _, answer = await self._process(_weblicht_parameters, request)
        return Response(answer.result, headers=_billing(answer), media_type="application/conllu")

    async def _process(self, read: Callable[[Request, bytes], dict[str, str]], request: Request) -> tuple[Asked, Answer]:
        body = await request.body() if request.method == "POST" else b""
        understand = partial(self._understand, read, request, body)
        asked = await self.workers.run_alone(understand) if len(body) > LARGE else understand()
        return asked, await process(asked, self.limits, self.workers)

    def _understand(self, read: Callable[[Request, bytes], dict[str, str]], request: Request, body: bytes) -> Asked:
        return ask(read(request, body), self.models)


def _parameters(request: Request, body: bytes) -> dict[str, str]:
    """Those of the query, and those of the body, which come before them."""
    query = read_query(request.scope["query_string"])
    return query | read_body(request.headers.get("content-type", ""), body) if request.method == "POST" else query


def _weblicht_parameters(request: Request, body: bytes) -> dict[str, str]:
    try:
        data = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot parse the payload. Byte {error.start + 1} (0x{body[error.start]:02x}) is not UTF-8; convert it to UTF-8 first.") from None
    return {"data": data, "model": read_query(request.scope["query_string"]).get("model", ""), WEBLICHT[request.url.path]: ""}


def _write(opening: bytes, parts: list[str]) -> bytes:
    """An answer in JSON; its result is one string, of which the quotes of its parts do not belong to it."""
    return b"".join([opening, *(_encode(part)[1:-1].encode() for part in parts), CLOSING.encode()])


def _billing(answer: Answer) -> dict[str, str]:
    return {"X-Billing-Input-NFC-Len": str(answer.characters)}


def _opening(served: Served) -> bytes:
    """How an answer begins, up to the quote before its result."""
    citation = served.model.description["citation"]
    answer = _indented({"model": served.name, "acknowledgements": [citation] if citation else [], "result": ""})
    return answer.removesuffix(CLOSING.rstrip()).encode()


def _indented(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
