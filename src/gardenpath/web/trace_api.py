"""The part of the JSON API that traces derivations."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence
from gardenpath.interruption import check
from gardenpath.parsing.derivation import Course, Derivation, derive, explain
from gardenpath.parsing.given import HeadPolicy
from gardenpath.parsing.latex import to_latex
from gardenpath.web.api import FAILURES, responses
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.trace_schemas import ReasonsRequest, ReasonsResponse, TraceRequest, TraceResponse
from gardenpath.web.tracing import first_sentence, to_reasons, to_response
from gardenpath.web.work import Workers

LATEX: dict[int | str, dict[str, Any]] = {
    200: {"description": "A LaTeX table.", "content": {"text/plain": {"schema": {"type": "string"}}}},
}


def router(models: ServedModels, limits: Limits, workers: Workers) -> APIRouter:
    """Return the routes /api/trace, /api/trace.tex and /api/reasons."""
    routes = APIRouter(tags=["tracing"])
    tracer = _Tracer(models, limits)

    @routes.post("/api/trace", response_class=Response, responses=responses(TraceResponse))
    async def trace(request: TraceRequest) -> Response:
        """Parse a sentence step by step.

        Each step has the stack, the buffer, the changed arcs, and all valid transitions with their scores and, with
        `gold`, their costs. Use `moves` to try other transitions than those of the parser.
        """
        return Response(await workers.run_alone(tracer.to_json, request), media_type="application/json")

    @routes.post("/api/trace.tex", response_class=Response, responses={**LATEX, **FAILURES})
    async def latex(request: TraceRequest) -> Response:
        """Parse a sentence step by step, and return the derivation as a LaTeX table."""
        return Response(await workers.run_alone(tracer.latex, request), media_type="text/plain; charset=utf-8")

    @routes.post("/api/reasons", response_class=Response, responses=responses(ReasonsResponse))
    async def reasons(request: ReasonsRequest) -> Response:
        """Tell what spoke for one transition of a derivation: the inputs of the model with their contributions.

        For a perceptron, the inputs are features, and a contribution is the difference of two weights. For a network,
        the inputs are the words in its slots, and a contribution is an integrated gradient.
        """
        return Response(await workers.run_alone(tracer.reasons, request), media_type="application/json")

    return routes


class _Tracer:
    """Derives sentences for requests. Its methods run in a worker thread."""

    def __init__(self, models: ServedModels, limits: Limits) -> None:
        self.models, self.limits = models, limits

    def to_json(self, request: TraceRequest) -> bytes:
        """Return the derivation as JSON."""
        served = self._served(request)
        return _encoded(to_response(self._derive(request, served), served))

    def reasons(self, request: ReasonsRequest) -> bytes:
        """Return the reasons of a step as JSON."""
        step = explain(self._sentence(request.conllu), self._course(request, self._served(request)), request.step)
        return _encoded(to_reasons(request.step, step))

    def latex(self, request: TraceRequest) -> bytes:
        """Return the derivation as LaTeX."""
        derivation = self._derive(request, self._served(request))
        return to_latex(derivation.sentence, derivation.steps).encode()

    def _served(self, request: TraceRequest) -> Served | None:
        return None if request.system and not request.model else self.models.find(request.model)

    def _derive(self, request: TraceRequest, served: Served | None) -> Derivation:
        course = self._course(request, served)
        return derive(self._sentence(request.conllu), course, gold=request.gold, watch=check)

    def _course(self, request: TraceRequest, served: Served | None) -> Course:
        if served and request.system and request.system != served.model.system:
            systems = f"uses the system {served.model.system}, not {request.system}"
            raise InputError(f"the model {served.name!r} {systems}; give either a model or a system")
        if request.oracle == "exact":
            raise InputError("the exact oracle is too slow for the server; use another oracle, or gp.oracles in Python")
        given = [(transition.move, transition.label) for transition in request.moves]
        model = served.model if served else None
        heads = HeadPolicy(request.keep_heads, request.drop_conflicts)
        return Course(model, request.system, request.oracle, given, request.then == "oracle", heads)

    def _sentence(self, conllu: str) -> Sentence:
        sentence = first_sentence(conllu)
        if len(sentence) > self.limits.traced_words:
            limit = f"the server traces at most {self.limits.traced_words:,} words (option --max-traced-words)"
            raise InputError(f"{sentence.where}: the sentence has {len(sentence):,} words, but {limit}")
        return sentence


def _encoded(response: dict[str, Any]) -> bytes:
    return json.dumps(response, ensure_ascii=False).encode()
