"""Limits on requests, so that one client cannot block the others."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from gardenpath.errors import InputError

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server. Each is an option of `gardenpath serve`."""

    body: int = 4 * MEBIBYTE        # bytes in the body of a request
    words: int = 1_000              # words in a sentence
    traced_words: int = 200         # words in a sentence that is shown step by step
    seconds: float = 30.0           # time for a request, from its first byte to the response
    requests: int = 256             # concurrent requests; others are rejected
    threads: int = os.cpu_count() or 1      # worker threads


class Deadline:
    """Raises `InputError` with a message when it is called after the time limit."""

    def __init__(self, seconds: float, message: str) -> None:
        self.end, self.message = time.monotonic() + seconds, message

    def __call__(self) -> None:
        """Check the time."""
        if time.monotonic() > self.end:
            raise InputError(self.message)
