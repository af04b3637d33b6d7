"""Fuzz everything that reads files or requests. See `driver` for the options.

    make fuzz FUZZ_SECONDS=600
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module

from driver import Target, main


def lazy(module: str, name: str, *arguments: object) -> Callable[[], Target]:
    """Return a function that makes a target of a module, which is imported when it is needed."""
    return lambda: getattr(import_module(module), name)(*arguments)


def _file(name: str) -> Target:
    resources = import_module("fuzz_resources")
    return resources.FileTarget(name, *resources.FILES[name])


TARGETS: dict[str, Callable[[], Target]] = {
    **{name: lazy("fuzz_formats", "ConlluTarget", name) for name in ("conllu", "conllx", "conll09", "conllup")},
    "json": lazy("fuzz_formats", "JsonTarget"),
    **{name: lazy("fuzz_formats", "BinaryTarget", name) for name in ("arrow", "parquet")},
    "text": lazy("fuzz_resources", "TextTarget"),
    **{name: partial(_file, name) for name in ("templates", "clusters", "vectors")},
    "archive": lazy("fuzz_resources", "ArchiveTarget"),
    "zip": lazy("fuzz_resources", "ZipTarget"),
    **{name: lazy("fuzz_models", "ModelTarget", name) for name in ("model", "network", "stack-lstm")},
    "udpipe": lazy("fuzz_models", "UdpipeTarget"),
    "requests": lazy("fuzz_requests", "RequestTarget"),
}

if __name__ == "__main__":
    sys.exit(main(TARGETS))
