"""The part of the JSON API that shows a parser at work."""

from __future__ import annotations

import json
import time
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence
from gardenpath.search.derivation import Course, Derivation, derive
from gardenpath.search.latex import to_latex
from gardenpath.web.api import FAILURES
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.trace_schemas import TraceAnswer, TraceRequest
from gardenpath.web.tracing import first_sentence, to_answer
from gardenpath.web.work import Workers

LATEX: dict[int | str, dict[str, Any]] = {200: {"description": "A LaTeX table.", "content": {"text/plain": {"schema": {"type": "string"}}}}}


def router(models: ServedModels, limits: Limits, workers: Workers) -> APIRouter:
    """What answers /api/trace and /api/trace.tex."""
    routes = APIRouter(tags=["tracing"])
    tracer = _Tracer(models, limits)

    @routes.post("/api/trace", response_class=Response, responses={200: {"model": TraceAnswer}, **FAILURES})
    async def trace(request: TraceRequest) -> Response:
        """Parse a sentence step by step: stack, buffer, arcs, the scores of all moves and, with gold, their costs. With `moves`: what if?"""
        return Response(await workers.run_alone(tracer.answer, request), media_type="application/json")

    @routes.post("/api/trace.tex", response_class=Response, responses={**LATEX, **FAILURES})
    async def latex(request: TraceRequest) -> Response:
        """The same as a table for LaTeX."""
        return Response(await workers.run_alone(tracer.latex, request), media_type="text/plain; charset=utf-8")

    return routes


class _Tracer:
    """What requests for derivations are answered with; runs in a thread."""

    def __init__(self, models: ServedModels, limits: Limits) -> None:
        self.models, self.limits = models, limits

    def answer(self, request: TraceRequest) -> bytes:
        """The derivation as JSON."""
        served = self._served(request)
        return json.dumps(to_answer(self._derive(request, served), served), ensure_ascii=False).encode()

    def latex(self, request: TraceRequest) -> bytes:
        """The derivation as LaTeX."""
        derivation = self._derive(request, self._served(request))
        return to_latex(derivation.sentence, derivation.steps).encode()

    def _served(self, request: TraceRequest) -> Served | None:
        return None if request.system and not request.model else self.models.find(request.model)

    def _derive(self, request: TraceRequest, served: Served | None) -> Derivation:
        if served and request.system and request.system != served.model.system:
            raise InputError(f"the model {served.name!r} is of the system {served.model.system}, not {request.system}; name one of the two")
        if request.oracle == "exact":
            raise InputError("the exact oracle searches all there is, which is nothing for a server; take another, or gp.oracles in Python")
        course = Course(
            served.model if served else None, request.system, request.oracle, [(given.move, given.label) for given in request.moves], request.then == "oracle",
        )
        return derive(self._sentence(request.conllu), course, gold=request.gold, watch=_Deadline(self.limits.seconds))

    def _sentence(self, conllu: str) -> Sentence:
        sentence = first_sentence(conllu)
        if len(sentence) > self.limits.traced_words:
            limit = f"{self.limits.traced_words:,} at most step by step (its option --max-traced-words)"
            raise InputError(f"{sentence.where}: {len(sentence):,} words; this server shows {limit}")
        return sentence


class _Deadline:
    """Stops what takes too long, when it is asked to look at the clock."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def __call__(self) -> None:
        if time.monotonic() > self.end:
            raise InputError("this derivation takes longer than this server allows (its option --timeout); take a shorter sentence")
