"""The entry point: collects the commands, and turns errors into a message and an exit code."""

from __future__ import annotations

import io
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer

from gardenpath import version as package
from gardenpath.errors import InputError, UsageError, show_warnings_plainly
from gardenpath.plugins import load_code

COMMANDS = (
    "parse", "models", "train", "evaluate", "compare", "diff", "check", "suspects", "convert", "search", "treebank",
    "info", "calibrate", "language", "systems", "trace", "repairs", "bounds", "clusters", "experiment", "report",
    "serve", "corpus",
)


def app_with(commands: tuple[str, ...]) -> typer.Typer:
    """Return the application with these commands."""
    app = typer.Typer(
        name="gardenpath",
        help="A dependency parser for Universal Dependencies: from raw text to trees.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    app.callback()(options)
    for name in commands:
        module = import_module(f"gardenpath.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name=name, cls=getattr(module, "COMMAND_CLASS", None))(module.command)
    return app


def _version(asked: bool) -> None:
    if asked:
        print(f"gardenpath {package.__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    code: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A Python file that registers systems, oracles or scorers. Can be repeated."),
    ] = None,
) -> None:
    """A dependency parser for Universal Dependencies: from raw text to trees."""
    load_code(code or [])


def _with_code_first(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the options `--code` with their values, and all other arguments. Those after `--` are not options."""
    code, others = [], []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            others += [argument, *waiting]
        elif argument == "--code":
            file = next(waiting, "-")
            if file.startswith("-"):
                raise UsageError("`--code` needs a file: gardenpath COMMAND --code FILE")
            code += [argument, file]
        else:
            (code if argument.startswith("--code=") else others).append(argument)
    return code, others


def main() -> None:
    """Run the command line. The exit code is 1 for errors in the input, 2 for errors in the call."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")      # the encoding of CoNLL-U, in every locale
    try:
        code, others = _with_code_first(sys.argv[1:])
        asked = others[0] if others else ""
        with warnings.catch_warnings(), _ending_on_signals():
            show_warnings_plainly()
            # Only the command that is called is imported, since importing all takes longer than parsing a sentence.
            app_with((asked,) if asked in COMMANDS else () if asked == "--version" else COMMANDS)([*code, *others])
    except SystemExit as stop:
        # Typer ends with 1 if the process that reads our output has ended (`| head`). This is not an error.
        raise SystemExit(0 if isinstance(stop.__context__, BrokenPipeError) else stop.code) from None
    except UsageError as error:
        _stop(str(error), 2)
    except InputError as error:
        _stop(str(error), 1)
    except OSError as error:
        _stop(f"{error.filename or 'input/output'}: {error.strerror or error}", 1)


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """End with an exception when the process is to end, so that temporary files are removed."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    known = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in known:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in known:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: Any) -> None:
    raise SystemExit(128 + number)


def _stop(message: str, code: int) -> None:
    print(f"gardenpath: {message}", file=sys.stderr)
    raise SystemExit(code)
