"""Run the server as a process for tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from waiting import HANG, wait_until

PLAN = "The president admitted the plan will change."


class Running:
    """A running server with its URL and its standard error."""

    def __init__(self, process: subprocess.Popen, errors: Path) -> None:
        self.process = process
        self._errors = errors
        self.port = self._find_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def stderr(self) -> str:
        return self._errors.read_text(encoding="utf-8")

    def _find_port(self) -> int:
        found = wait_until(
            lambda: re.search(r"serving .* on http://\S+:(\d+) ", self.stderr()) or self.process.poll() is not None
        )
        if found is True:
            raise RuntimeError(f"the server ended with exit code {self.process.returncode}: {self.stderr()}")
        return int(found[1])


@contextmanager
def running_server(*arguments: str, env: dict[str, str] | None = None) -> Iterator[Running]:
    """Run `gardenpath serve` with these arguments on a free port, and stop it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        errors = Path(folder) / "stderr"
        command = [sys.executable, "-m", "gardenpath", "serve", *map(str, arguments), "--port", "0"]
        with errors.open("wb") as file:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env={**os.environ, **(env or {})}
            )
        try:
            yield Running(process, errors)
        finally:
            process.terminate()
            try:
                process.wait(HANG)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
