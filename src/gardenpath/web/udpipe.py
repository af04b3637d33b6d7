"""UDPipe's REST API, for clients of UDPipe: `/models`, `/process` and, for WebLicht, `/weblicht/...`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gardenpath.errors import InputError
from gardenpath.web.forms import read_body, read_query
from gardenpath.web.limits import Limits
from gardenpath.web.noticing import language_warnings
from gardenpath.web.process import ProcessRequest, ProcessResult, process, read_request
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers

LARGE = 1 << 16          # larger bodies (in bytes) and results (in characters) are processed in a worker thread
WEBLICHT = {"/weblicht/tokenize": "tokenizer", "/weblicht/tag": "tagger", "/weblicht/parse": "parser"}
JSON = "application/json"
CLOSING = '"\n}\n'        # end of a response, after its result
Parameters = Callable[[Request, bytes], dict[str, str]]      # reads the parameters of a request with this body
_encode = json.JSONEncoder(ensure_ascii=False).encode


def routes(models: ServedModels, limits: Limits, workers: Workers) -> list[Route]:
    """Return the routes of UDPipe's REST API."""
    api = _Api(models, limits, workers)
    return [
        Route("/models", api.list_models, methods=["GET", "POST"]),
        Route("/process", api.process, methods=["GET", "POST"]),
        *(Route(path, api.weblicht, methods=["POST"]) for path in WEBLICHT),
    ]


class _Api:
    def __init__(self, models: ServedModels, limits: Limits, workers: Workers) -> None:
        self.models = models
        self.limits = limits
        self.workers = workers
        steps = {served.name: served.steps for served in models}
        self.list = _indented({"models": steps, "default_model": models.default.name}) + "\n"
        self.openings = {served.name: _opening(served) for served in models}

    async def list_models(self, _: Request) -> Response:
        """List the models and their steps."""
        return Response(self.list, media_type=JSON)

    async def process(self, request: Request) -> Response:
        """Run steps of a model on the data."""
        wanted, result = await self._process(_parameters, request)
        warnings = await language_warnings(wanted.beginning, wanted.served, self.models, self.workers)
        opening = _opening(wanted.served, warnings) if warnings else self.openings[wanted.served.name]
        write = partial(_write, opening, result.parts)
        content = await self.workers.run_alone(write) if result.characters > LARGE else write()
        return Response(content, headers=_billing(result), media_type=JSON)

    async def weblicht(self, request: Request) -> Response:
        """Run one step for WebLicht: the body is the data, and the response is CoNLL-U."""
        _, result = await self._process(_weblicht_parameters, request)
        return Response(result.text, headers=_billing(result), media_type="application/conllu")

    async def _process(self, parameters: Parameters, request: Request) -> tuple[ProcessRequest, ProcessResult]:
        body = await request.body() if request.method == "POST" else b""
        read = partial(self._read, parameters, request, body)
        wanted = await self.workers.run_alone(read) if len(body) > LARGE else read()
        return wanted, await process(wanted, self.limits, self.workers)

    def _read(self, parameters: Parameters, request: Request, body: bytes) -> ProcessRequest:
        return read_request(parameters(request, body), self.models)


def _parameters(request: Request, body: bytes) -> dict[str, str]:
    """Return the parameters of the query and of the body. Those of the body take precedence."""
    query = read_query(request.scope["query_string"])
    return query | read_body(request.headers.get("content-type", ""), body) if request.method == "POST" else query


def _weblicht_parameters(request: Request, body: bytes) -> dict[str, str]:
    try:
        data = body.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"Byte {error.start + 1} (0x{body[error.start]:02x})"
        raise InputError(f"Cannot parse the payload. {byte} is not UTF-8; convert it to UTF-8 first.") from None
    model = read_query(request.scope["query_string"]).get("model", "")
    return {"data": data, "model": model, WEBLICHT[request.url.path]: ""}


def _write(opening: bytes, parts: list[str]) -> bytes:
    """Return a response in JSON. Its result is one string, so the quotes around each part are removed."""
    return b"".join([opening, *(_encode(part)[1:-1].encode() for part in parts), CLOSING.encode()])


def _billing(result: ProcessResult) -> dict[str, str]:
    return {"X-Billing-Input-NFC-Len": str(result.characters)}


def _opening(served: Served, warnings: Sequence[str] = ()) -> bytes:
    """Return the beginning of a response, up to the quote before its result. UDPipe has no warnings."""
    citation = served.model.about.citation
    warned = {"warnings": warnings} if warnings else {}
    acknowledgements = [citation] if citation else []
    response = _indented({"model": served.name, "acknowledgements": acknowledgements, **warned, "result": ""})
    return response.removesuffix(CLOSING.rstrip()).encode()


def _indented(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
