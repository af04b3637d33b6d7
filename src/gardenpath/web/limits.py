"""How much one client may ask for, so that the others do not have to wait for it."""

from __future__ import annotations

import os
from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; each is an option of `gardenpath serve`."""

    body: int = 4 * MEBIBYTE        # bytes in the body of a request
    words: int = 1_000              # in a sentence
    traced_words: int = 200         # in a sentence that is shown step by step
    seconds: float = 30.0           # for a request, from its first byte to its answer
    requests: int = 256             # under way at once; more are turned away
    threads: int = os.cpu_count() or 1      # that parse
