"""The JSON API: models, transition systems, parsing and evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol

from fastapi import APIRouter, Path
from starlette.exceptions import HTTPException
from starlette.responses import Response

from gardenpath import oracles, systems
from gardenpath import version as package
from gardenpath.core.draft import Draft
from gardenpath.errors import InputError
from gardenpath.evaluation import evaluate as evaluate_sentences
from gardenpath.files import named
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.interruption import check
from gardenpath.models.record import dev_conditions
from gardenpath.parsing.given import PARTIAL, HeadPolicy
from gardenpath.pipeline.pipeline import Output
from gardenpath.web import schemas
from gardenpath.web.limits import Limits
from gardenpath.web.noticing import beginning, language_warnings
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.tasks import SentenceTask, TextTask, check_length, chunks, in_order, pieces
from gardenpath.web.work import Workers

SHORT = 5                # maximum number of sentences that are read and written without a worker thread
SystemName = Annotated[str, Path(description="Name of a transition system.", examples=[systems.DEFAULT])]
ModelName = Annotated[str, Path(description="Name or alias of a model.", examples=["en"])]
FAILURES: dict[int | str, dict[str, Any]] = {
    400: {"model": schemas.Failure, "description": "The request is invalid."},
    403: {"model": schemas.Failure, "description": "The host or the origin of the request is not allowed."},
    408: {"model": schemas.Failure, "description": "The request did not arrive within the time limit."},
    413: {"model": schemas.Failure, "description": "The request is too large."},
    503: {"model": schemas.Failure, "description": "The server is busy, or the request exceeded the time limit."},
}
NO_SYSTEM: dict[int | str, dict[str, Any]] = {
    404: {"model": schemas.Failure, "description": "The system does not exist."},
}


def responses(model: type) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of an operation: the model of a successful one, and the errors."""
    return {200: {"model": model}, **FAILURES}


def router(models: ServedModels, limits: Limits, workers: Workers) -> APIRouter:
    """Return the routes below /api, and /health."""
    routes = APIRouter()
    known = {name: describe_system(name) for name in systems.names()}
    served = schemas.ModelList(models=[describe_model(each) for each in models], default=models.default.name)
    parser = InputParser(models, limits, workers)

    @routes.get("/health", tags=["server"])
    async def health() -> schemas.Health:
        """Check that the server is running, and list the names of its models."""
        return schemas.Health(status="ok", version=package.__version__, models=[each.name for each in models])

    @routes.get("/api/models", tags=["parsing"])
    async def list_models() -> schemas.ModelList:
        """List the models, their steps and their training data."""
        return served

    @routes.get("/api/models/{name}/tags", tags=["parsing"], responses=FAILURES)
    async def list_tags(name: ModelName) -> schemas.TagList:
        """List the tags that the tagger of a model can assign; none if it has no tagger."""
        tagger = models.find(name).model.tagger
        return schemas.TagList(tags=[list(tag) for tag in tagger.tags] if tagger else [])

    @routes.post("/api/parse", tags=["parsing"], response_class=Response, responses=responses(schemas.ParseResponse))
    async def parse(request: schemas.ParseRequest) -> Response:
        """Parse text, or sentences in CoNLL-U."""
        return Response(await parser.parse(request), media_type="application/json")

    evaluated = responses(schemas.EvaluateResponse)

    @routes.post("/api/evaluate", tags=["evaluation"], response_class=Response, responses=evaluated)
    async def evaluate(request: schemas.EvaluateRequest) -> Response:
        """Score parsed text against gold trees. The default metrics are those of the CoNLL 2018 shared task."""
        return Response(await workers.run_alone(_evaluate, request, limits), media_type="application/json")

    @routes.get("/api/systems", tags=["systems"])
    async def list_systems() -> schemas.SystemList:
        """List the transition systems with their definitions."""
        return schemas.SystemList(systems=list(known.values()))

    @routes.get("/api/systems/{name}", tags=["systems"], responses=NO_SYSTEM)
    async def show_system(name: SystemName) -> schemas.SystemRecord:
        """Describe one transition system."""
        if name not in known:
            raise HTTPException(404, f"unknown system {name!r}; choose one of {', '.join(known)}")
        return known[name]

    return routes


def describe_model(served: Served) -> schemas.ModelRecord:
    """Return the description of a model for the API."""
    about = served.model.about
    scores = None
    if about.dev_uas is not None and about.dev_las is not None:
        conditions = dev_conditions(about.settings)
        scores = schemas.DevScores(uas=about.dev_uas, las=about.dev_las, conditions=conditions)
    return schemas.ModelRecord(
        name=served.name,
        aliases=served.aliases,
        steps=served.steps,  # type: ignore[arg-type]
        system=served.model.system,
        reads_tags=served.model.parser.scorer.reads_tags,
        treebank=about.treebank,
        licence=about.licence,
        citation=about.citation,
        scores=scores,
    )


def describe_system(name: str) -> schemas.SystemRecord:
    """Return the description of a transition system for the API."""
    system = systems.get(name)
    return schemas.SystemRecord(
        name=name, title=system.definition.splitlines()[0], definition=system.definition, moves=system.moves,
        oracles=oracles.kinds(name), projective=system.is_projective, single_root_mode=system.has_root_mode,
    )


@dataclass(slots=True)
class _Trees:
    """Collects parsed sentences for a response: as CoNLL-U, as JSON and, on request, as SVG."""

    svg: bool
    compact: bool
    confidence: bool
    conllu: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add_draft(self, output: Output, draft: Draft) -> None:
        """Add the sentences of a draft."""
        self.add(output.document(draft))

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Add sentences."""
        for sentence in sentences:
            check()
            self.conllu.append(sentence.to_conllu())
            self.sentences.append(_json(sentence.to_dict()))
            if self.svg:
                self.pictures.append(_json(sentence.to_svg(compact=self.compact, confidence=self.confidence)))

    def to_json(self, model: str) -> bytes:
        """Return the JSON of the response, in UTF-8."""
        conllu, sentences = _json("".join(self.conllu)), ", ".join(self.sentences)
        pictures = f', "svg": [{", ".join(self.pictures)}]' if self.svg else ""
        opening = f'"model": {_json(model)}, "warnings": {_json(self.warnings)}'
        return f'{{{opening}, "conllu": {conllu}, "sentences": [{sentences}]{pictures}}}'.encode()


class ParsedInput(Protocol):
    """A request with text or sentences to parse."""

    text: str
    input: Literal["text", "lines", "tokens", "conllu"]


class Collector(Protocol):
    """Receives parsed sentences in their order."""

    def add_draft(self, output: Output, draft: Draft) -> None:
        """Add the sentences of a draft."""

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Add sentences."""


class InputParser:
    """Parses the text or the sentences of requests."""

    def __init__(self, models: ServedModels, limits: Limits, workers: Workers) -> None:
        self.models, self.limits, self.workers = models, limits, workers

    async def parse(self, request: schemas.ParseRequest) -> bytes:
        """Return the JSON of the response."""
        served = self.models.find(request.model)
        if request.retag and request.input != "conllu":
            raise InputError("retag: needs the input format `conllu`; other input is always tagged")
        heads = HeadPolicy(request.keep_heads, request.drop_conflicts)
        if heads != PARTIAL and request.input != "conllu":
            raise InputError("keep_heads, drop_conflicts: need the input format `conllu`; other input has no heads")
        trees = _Trees(request.svg, request.compact, request.confidence)
        trees.warnings = await self.collect(request, served, trees, retag=request.retag, heads=heads)
        return await self._do(len(trees.sentences), trees.to_json, served.name)

    async def collect(
        self, request: ParsedInput, served: Served, trees: Collector, *, retag: bool = False,
        heads: HeadPolicy = PARTIAL,
    ) -> list[str]:
        """Parse the input of a request, give the sentences to a collector, and return warnings about the text."""
        if request.input == "conllu":
            text = await self._sentences(request, served, trees, retag, heads)
        else:
            text = await self._text(request, served, trees)
        return await language_warnings(text, served, self.models, self.workers)

    async def _text(self, request: ParsedInput, served: Served, trees: Collector) -> str:
        """Parse text, and return it."""
        output = served.model.pipeline().output()
        task = TextTask(served, request.input, tag=True, parse=True, longest=self.limits.words)
        by_line = request.input != "text"
        async for draft in in_order(self.workers, task, pieces(request.text.encode(), by_line=by_line)):
            await self._do(len(draft), trees.add_draft, output, draft)
        return request.text

    async def _sentences(
        self, request: ParsedInput, served: Served, trees: Collector, retag: bool, heads: HeadPolicy,
    ) -> str:
        """Parse the sentences of CoNLL-U, and return the text of the first ones."""
        task = SentenceTask(served, tag=retag, parse=True, longest=self.limits.words, heads=heads)
        read = await self._do(request.text.count("\n\n"), list, read_conllu(named(request.text.encode(), "text")))
        async for sentences in in_order(self.workers, task, chunks(read)):
            await self._do(len(sentences), trees.add, sentences)
        return beginning(read)

    async def _do(self, sentences: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function that reads or writes this number of sentences.

        Many sentences are processed in a worker thread, so that the event loop can handle other requests.
        """
        return await self.workers.run_alone(function, *arguments) if sentences > SHORT else function(*arguments)


def _evaluate(request: schemas.EvaluateRequest, limits: Limits) -> bytes:
    gold = _short(request.gold, "gold", limits)
    system = _short(request.system, "system", limits)
    result = evaluate_sentences(gold, system, punctuation=request.punctuation, subtypes=request.subtypes)
    check()
    return _json(result.to_dict()).encode()


def _short(conllu: str, name: str, limits: Limits) -> Iterator[Sentence]:
    """Yield the sentences of a request; raise `InputError` if one is too long."""
    for sentence in read_conllu(named(conllu.encode(), name)):
        check_length(len(sentence), limits.words, f"{sentence.where}: ")
        yield sentence


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
