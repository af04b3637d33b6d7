"""The description of the API: /openapi.json, and the page /api that displays it.

The page loads nothing from other servers.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.routing import Route

from gardenpath.web.page import FOLDER, file_route

UNUSED = ("HTTPValidationError", "ValidationError")


def routes() -> list[Route]:
    """Return the route GET /api."""
    return [file_route("/api", FOLDER / "reference.html")]


def describe(app: FastAPI) -> None:
    """Adapt FastAPI's description: invalid requests get the status 400 instead of FastAPI's 422."""
    made = app.openapi()
    for operations in made["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            responses.pop("422", None)
            success = responses["200"]
            success["description"] = success["description"].replace("Successful Response", "The result.")
    for name in UNUSED:
        made["components"]["schemas"].pop(name, None)


def operation_name(route: Any) -> str:
    """Return the name of an operation in the description."""
    return route.name
