"""The part of the JSON API that searches trees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from gardenpath.core.draft import Draft
from gardenpath.files import named
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.interruption import check
from gardenpath.pipeline.pipeline import Output
from gardenpath.queries.keys import Key
from gardenpath.queries.marking import pieces
from gardenpath.queries.match import Match
from gardenpath.queries.output import picture, ranked
from gardenpath.queries.pattern import Pattern
from gardenpath.queries.searching import search
from gardenpath.web.api import InputParser, responses
from gardenpath.web.limits import Limits
from gardenpath.web.search_schemas import SearchRequest, SearchResponse
from gardenpath.web.served import ServedModels
from gardenpath.web.tasks import check_length
from gardenpath.web.work import Workers

MOST_COUNTED = 100_000


def router(models: ServedModels, limits: Limits, workers: Workers) -> APIRouter:
    """Return the route /api/search."""
    routes = APIRouter(tags=["searching"])
    searcher = _Searcher(models, limits, workers)

    @routes.post("/api/search", response_class=Response, responses=responses(SearchResponse))
    async def search_trees(request: SearchRequest) -> Response:
        """Search text or sentences for a pattern in the language of Grew-match."""
        return Response(await searcher.search(request), media_type="application/json")

    return routes


class _Sentences:
    """Collects parsed sentences."""

    def __init__(self) -> None:
        self.sentences: list[Sentence] = []

    def add_draft(self, output: Output, draft: Draft) -> None:
        self.add(output.document(draft))

    def add(self, sentences: Iterable[Sentence]) -> None:
        self.sentences.extend(sentences)


class _Searcher:
    """Handler of /api/search."""

    def __init__(self, models: ServedModels, limits: Limits, workers: Workers) -> None:
        self.models, self.limits, self.workers = models, limits, workers
        self.parser = InputParser(models, limits, workers)

    async def search(self, request: SearchRequest) -> bytes:
        """Return the JSON of the response."""
        pattern = await self.workers.run_alone(_read, request)
        given = await self.workers.run_alone(self._given, request) if request.input == "conllu" else None
        warnings: list[str] = []
        if given is None:
            collected = _Sentences()
            warnings = await self.parser.collect(request, self.models.find(request.model), collected)
            given = collected.sentences
        return await self.workers.run_alone(_to_json, given, pattern, request, warnings)

    def _given(self, request: SearchRequest) -> list[Sentence] | None:
        """Return the sentences of a request in CoNLL-U, or None if no word has a head."""
        sentences = list(read_conllu(named(request.text.encode(), "text")))
        for sentence in sentences:
            check_length(len(sentence), self.limits.words, f"{sentence.where}: ")
        return sentences if any(word.head is not None for sentence in sentences for word in sentence) else None


def _read(request: SearchRequest) -> Pattern:
    """Read the pattern and check the keys, before anything is parsed."""
    pattern = Pattern(request.pattern)
    for key in request.by:
        Key(key, pattern)
    return pattern


def _to_json(sentences: list[Sentence], pattern: Pattern, request: SearchRequest, warnings: list[str]) -> bytes:
    numbers = {id(sentence): number for number, sentence in enumerate(sentences, 1)}
    counts: Counter[tuple[str | None, ...]] = Counter()
    shown: list[dict[str, Any]] = []
    matched: set[int] = set()
    total = 0
    matches = search(sentences, pattern, limit=MOST_COUNTED, watch=check)
    for match, values in matches.with_keys(*request.by):
        total += 1
        matched.add(id(match.sentence))
        if len(shown) < request.limit:
            shown.append(_record(match, numbers[id(match.sentence)], request.svg))
        if values:
            counts[values] += 1
        if total % 256 == 0:
            check()
    return json.dumps({
        "matches": shown, "total": total, "complete": total < MOST_COUNTED, "matched_sentences": len(matched),
        "sentences": len(sentences), "words": sum(map(len, sentences)), "notes": [*pattern.notes, *matches.notes],
        "warnings": warnings,
        "counts": [{"values": values, "count": count} for values, count in ranked(counts)],
    }, ensure_ascii=False).encode("utf-8", "replace")


def _record(match: Match, number: int, svg: bool) -> dict[str, Any]:
    edges = {
        name: {"head": edge.head.id, "dependent": edge.dependent.id, "label": edge.label}
        for name, edge in match.edges.items()
    }
    return {
        "sentence": number, "sent_id": match.sentence.sent_id, "nodes": match.ids, "edges": edges,
        "text": [{"text": text, "name": name} for text, name in pieces(match)],
        **({"svg": picture(match)} if svg else {}),
    }
