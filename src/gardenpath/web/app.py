"""The application: routes and middleware of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from gardenpath import version as package
from gardenpath.web import api, errors, metrics, page, reference, search_api, trace_api, udpipe
from gardenpath.web.access import AccessLog
from gardenpath.web.compression import Compression
from gardenpath.web.direct import Direct
from gardenpath.web.guard import Guard
from gardenpath.web.limits import Limits
from gardenpath.web.metrics import Metrics
from gardenpath.web.origins import OriginPolicy
from gardenpath.web.served import ServedModels
from gardenpath.web.work import Workers

DESCRIPTION = """\
Parse text and sentences, search and evaluate trees, and show derivations step by step.
The server also implements UDPipe's REST API (`/models`, `/process`, `/weblicht/...`) as UDPipe documents it."""


def create_app(
    models: ServedModels, limits: Limits = Limits(), log: AccessLog | None = None,
    policy: OriginPolicy = OriginPolicy(),
) -> FastAPI:
    """Create the ASGI application. `gardenpath serve` runs it with uvicorn.

    The default policy allows only the names of the loopback interface as the host, such as `localhost`.
    """
    workers = Workers(limits.threads)
    counts = Metrics(workers)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()

    app = FastAPI(
        title="gardenpath", version=package.__version__, description=DESCRIPTION, docs_url=None, redoc_url=None,
        lifespan=lifespan, redirect_slashes=False, generate_unique_id_function=reference.operation_name,
    )
    app.include_router(api.router(models, limits, workers))
    app.include_router(trace_api.router(models, limits, workers))
    app.include_router(search_api.router(models, limits, workers))
    app.router.routes.extend([*metrics.routes(counts), *reference.routes(), *page.routes()])
    reference.describe(app)
    errors.install(app)
    app.add_middleware(Direct, routes=udpipe.routes(models, limits, workers))
    app.add_middleware(Compression, workers=workers)
    app.add_middleware(Guard, limits=limits, metrics=counts, log=log, policy=policy)
    return app
