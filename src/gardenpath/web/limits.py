"""Limits on requests, so that one client cannot block the others."""

from __future__ import annotations

import os
from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server. Each is an option of `gardenpath serve`."""

    body: int = 4 * MEBIBYTE        # bytes in the body of a request
    words: int = 1_000              # words in a sentence
    traced_words: int = 200         # words in a sentence that is shown step by step
    seconds: float = 30.0           # time for a request, from its first byte to the response
    requests: int = 256             # concurrent requests; others are rejected
    connections: int = 1_000        # open connections; others are rejected
    bodies: int = 32 * MEBIBYTE     # bytes in the bodies of all concurrent requests; others are rejected
    threads: int = os.cpu_count() or 1      # worker threads
