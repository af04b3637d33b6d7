"""Fast routing for frequent URLs: a lookup by path, before FastAPI tries its routes one by one."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gardenpath.errors import GardenpathError
from gardenpath.web import errors


class Direct:
    """ASGI middleware with its own routes. Their paths have no parameters."""

    def __init__(self, app: ASGIApp, routes: Iterable[Route]) -> None:
        self.app = app
        self.routes = {route.path: route for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass it on to the application."""
        route = self.routes.get(scope.get("path", ""))
        if route is None:
            await self.app(scope, receive, send)
            return
        scope["route"] = route
        try:
            await route.handle(scope, receive, send)
        except (GardenpathError, HTTPException) as error:
            await errors.response_for(scope, error)(scope, receive, send)
