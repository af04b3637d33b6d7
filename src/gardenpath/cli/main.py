"""The entry point: collects the commands, turns errors into one sentence and an exit code."""

from __future__ import annotations

import io
import sys

import typer

import gardenpath
from gardenpath.cli import bounds, check, evaluate, info, parse, repairs, systems, trace, train
from gardenpath.errors import InputError, UsageError

app = typer.Typer(
    name="gardenpath",
    help="A dependency parser that can change its mind.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (train, parse, evaluate, check, info, systems, trace, repairs, bounds):
    app.command(name=module.__name__.rpartition(".")[2])(module.command)


def _version(asked: bool) -> None:
    if asked:
        print(f"gardenpath {gardenpath.__version__}")
        raise typer.Exit


@app.callback()
def options(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version.")) -> None:
    """A dependency parser that can change its mind."""


def main() -> None:
    """Run the command line; exit code 1 if the input is at fault, 2 if the call is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")      # as CoNLL-U is, whatever the locale says
    try:
        app()
    except UsageError as error:
        _stop(str(error), 2)
    except InputError as error:
        _stop(str(error), 1)
    except OSError as error:
        _stop(f"{error.filename or 'input/output'}: {error.strerror or error}", 1)


def _stop(message: str, code: int) -> None:
    print(f"gardenpath: {message}", file=sys.stderr)
    raise SystemExit(code)
