"""The API described: /openapi.json, and the page at /api that a browser makes of it, which loads nothing from elsewhere."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from gardenpath.web.page import FOLDER, file_route

UNUSED = ("HTTPValidationError", "ValidationError")


def routes() -> list[Route]:
    """GET /api."""
    return [file_route("/api", FOLDER / "reference.html")]


def describe(app: FastAPI) -> None:
    """Describe what is answered in our words, and invalid requests as we refuse them, with 400, not as FastAPI does by itself."""
    made = app.openapi()
    for operations in made["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            responses.pop("422", None)
            responses["200"]["description"] = responses["200"]["description"].replace("Successful Response", "The answer.")
    for name in UNUSED:
        made["components"]["schemas"].pop(name, None)


def operation_name(route: Any) -> str:
    """What an operation is called in the description."""
    return route.name
