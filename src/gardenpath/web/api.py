"""The JSON API: models, systems, parsing, evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.exceptions import HTTPException
from starlette.responses import Response

import gardenpath
from gardenpath import oracles, systems
from gardenpath.formats.document import Sentence
from gardenpath.errors import InputError
from gardenpath.formats.conllu import read_conllu
from gardenpath.models.record import dev_conditions
from gardenpath.pipeline.draft import Draft
from gardenpath.pipeline.pipeline import Pipeline
from gardenpath.web import schemas
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.tasks import SentenceTask, TextTask, chunks, in_order, named, pieces
from gardenpath.web.work import Workers

SHORT = 5                # sentences; so many are read and written without a thread
SystemName = Annotated[str, Path(description="The name of a system.", examples=[systems.DEFAULT])]
FAILURES: dict[int | str, dict[str, Any]] = {
    400: {"model": schemas.Failure, "description": "The request is at fault."},
    408: {"model": schemas.Failure, "description": "The request did not arrive in time."},
    413: {"model": schemas.Failure, "description": "The request is too large."},
    503: {"model": schemas.Failure, "description": "The server is busy, or this would take too long."},
}


def router(models: ServedModels, limits: Limits, workers: Workers) -> APIRouter:
    """What answers below /api, and /health."""
    routes = APIRouter()
    known = {name: describe_system(name) for name in systems.names()}
    served = schemas.ModelList(models=[describe_model(each) for each in models], default=models.default.name)
    parser = _Parser(models, limits, workers)

    @routes.get("/health", tags=["server"])
    async def health() -> schemas.Health:
        """Is the server there, and which models has it?"""
        return schemas.Health(status="ok", version=gardenpath.__version__, models=[each.name for each in models])

    @routes.get("/api/models", tags=["parsing"])
    async def list_models() -> schemas.ModelList:
        """The models that are served, what they can do, and what they were trained on."""
        return served

    @routes.post("/api/parse", tags=["parsing"], response_class=Response, responses={200: {"model": schemas.ParseAnswer}, **FAILURES})
    async def parse(request: schemas.ParseRequest) -> Response:
        """Parse text, or sentences in CoNLL-U."""
        return Response(await parser.parse(request), media_type="application/json")

    @routes.post("/api/evaluate", tags=["evaluation"], response_class=Response, responses={200: {"model": schemas.Evaluation}, **FAILURES})
    async def evaluate(request: schemas.EvaluateRequest) -> Response:
        """Score parsed text against gold, as the CoNLL 2018 shared task did unless told otherwise."""
        return Response(await workers.run_alone(_evaluate, request), media_type="application/json")

    @routes.get("/api/systems", tags=["systems"])
    async def list_systems() -> schemas.SystemList:
        """The transition systems as their papers define them."""
        return schemas.SystemList(systems=list(known.values()))

    @routes.get("/api/systems/{name}", tags=["systems"], responses={404: {"model": schemas.Failure, "description": "There is no such system."}})
    async def show_system(name: SystemName) -> schemas.SystemRecord:
        """One of them."""
        if name not in known:
            raise HTTPException(404, f"no system is called {name!r}; there are {', '.join(known)}")
        return known[name]

    return routes


def describe_model(served: Served) -> schemas.ModelRecord:
    """A model as the API shows it."""
    record = served.model.description
    scores = None
    if "dev_las" in record:
        scores = schemas.Scores(uas=record["dev_uas"], las=record["dev_las"], conditions=dev_conditions(record["settings"]))
    return schemas.ModelRecord(
        name=served.name, aliases=served.aliases, steps=served.steps, system=served.model.system, treebank=record["treebank"],      # type: ignore[arg-type]
        licence=record["licence"], citation=record["citation"], scores=scores,
    )


def describe_system(name: str) -> schemas.SystemRecord:
    """A transition system as the API shows it."""
    system = systems.get(name)
    return schemas.SystemRecord(
        name=name, title=system.definition.splitlines()[0], definition=system.definition, moves=system.moves, oracles=oracles.kinds(name),
        projective=system.is_projective, single_root_mode=system.has_root_mode,
    )


@dataclass(slots=True)
class _Trees:
    """Parsed sentences on their way to an answer: as CoNLL-U, as JSON, and drawn if asked for."""

    svg: bool
    compact: bool
    conllu: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)

    def add_draft(self, pipeline: Pipeline, draft: Draft, number: int) -> None:
        """Add the sentences of a draft; the first has this number."""
        self.add(pipeline.document(draft, number, number == 1))

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Add sentences."""
        for sentence in sentences:
            self.conllu.append(sentence.to_conllu())
            self.sentences.append(_json(sentence.to_dict()))
            if self.svg:
                self.pictures.append(_json(sentence.to_svg(compact=self.compact)))

    def answer(self, model: str) -> bytes:
        """The JSON, in UTF-8."""
        pictures = f', "svg": [{", ".join(self.pictures)}]' if self.svg else ""
        text = f'{{"model": {_json(model)}, "conllu": {_json("".join(self.conllu))}, "sentences": [{", ".join(self.sentences)}]{pictures}}}'
        return text.encode()


class _Parser:
    """What answers /api/parse."""

    def __init__(self, models: ServedModels, limits: Limits, workers: Workers) -> None:
        self.models, self.limits, self.workers = models, limits, workers

    async def parse(self, request: schemas.ParseRequest) -> bytes:
        """The answer, written as it is sent."""
        served = self.models.find(request.model)
        if request.retag and request.input != "conllu":
            raise InputError("retag is for input `conllu`: what has no tags is tagged anyway")
        trees = _Trees(request.svg, request.compact)
        await (self._sentences if request.input == "conllu" else self._text)(request, served, trees)
        return await self._do(len(trees.sentences), trees.answer, served.name)

    async def _text(self, request: schemas.ParseRequest, served: Served, trees: _Trees) -> None:
        pipeline = served.model.pipeline()
        task = TextTask(served, request.input, tag=True, parse=True, longest=self.limits.words)
        number = 1
        async for draft in in_order(self.workers, task, pieces(request.text.encode(), by_line=request.input != "text")):
            await self._do(len(draft), trees.add_draft, pipeline, draft, number)
            number += len(draft)

    async def _sentences(self, request: schemas.ParseRequest, served: Served, trees: _Trees) -> None:
        task = SentenceTask(served, tag=request.retag, parse=True, longest=self.limits.words)
        read = await self._do(request.text.count("\n\n"), list, read_conllu(named(request.text.encode(), "text")))
        async for sentences in in_order(self.workers, task, chunks(read)):
            await self._do(len(sentences), trees.add, sentences)

    async def _do(self, sentences: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Read or write so many sentences: few at once, many in a thread, so that others are answered meanwhile."""
        return await self.workers.run_alone(function, *arguments) if sentences > SHORT else function(*arguments)


def _evaluate(request: schemas.EvaluateRequest) -> bytes:
    gold, system = named(request.gold.encode(), "gold"), named(request.system.encode(), "system")
    return _json(gardenpath.evaluate(gold, system, punctuation=request.punctuation, subtypes=request.subtypes).to_dict()).encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
