"""Command-line options made from the settings classes, and help in which options have headings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field
from functools import wraps
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gardenpath.core.settings import SettingsPart, info_of, settings_of


class GroupedCommand(TyperCommand):
    """A command whose help has a section for each group of options (`rich_help_panel`)."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and then the groups of options."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                default = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or default, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def options_of(
    part: type[SettingsPart], group: str | None, *, without: tuple[str, ...] = (),
) -> list[inspect.Parameter]:
    """An option for each setting of a class, except those called `without`."""
    return [option_of(part, name, group) for name in settings_of(part) if name not in without]


def option_of(part: type[SettingsPart], name: str, group: str | None) -> inspect.Parameter:
    """The option for one setting."""
    return _of_field(name, settings_of(part)[name], rich_help_panel=group)


def options_of_scorers(kinds: Mapping[str, type[SettingsPart]]) -> list[inspect.Parameter]:
    """An option for each setting of some scorers, by their titles. Settings of the same name share an option."""
    owners: dict[str, list[str]] = {}
    for title, kind in kinds.items():
        for name in settings_of(kind):
            owners.setdefault(name, []).append(title)
    options = []
    for name, titles in owners.items():
        each = settings_of(kinds[titles[0]])[name]
        if len(titles) == 1:
            options.append(_of_field(name, each, rich_help_panel=titles[0][0].upper() + titles[0][1:]))
        else:
            defaults = ", ".join(f"{settings_of(kinds[title])[name].default} for the {title}" for title in titles)
            options.append(_of_field(name, each, rich_help_panel="Several scorers", show_default=defaults))
    return options


def old_options_of(*parts: type[SettingsPart]) -> list[inspect.Parameter]:
    """Hidden options with the old names of settings."""
    return [
        _of_field(old, each, hidden=True)
        for part in parts for each in settings_of(part).values() if (old := info_of(each).old_name)
    ]


def with_options(*options: inspect.Parameter) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command that takes `**settings`: give it these options, before its keyword-only parameters.

    The command receives only those settings that were given on the command line.
    """
    names = [option.name for option in options]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters.values()
        first = [each for each in own if each.kind is each.POSITIONAL_OR_KEYWORD]
        last = [each for each in own if each.kind is each.KEYWORD_ONLY]

        @wraps(command)
        def wrapped(context: typer.Context, **values: Any) -> None:
            command(**{name: value for name, value in values.items() if name not in names or _is_given(context, name)})

        context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        signature = inspect.Signature([context, *first, *options, *last])
        wrapped.__signature__ = signature      # type: ignore[attr-defined]
        return wrapped

    return decorate


def option(name: str, kind: Any, default: Any, help: str, **details: Any) -> inspect.Parameter:
    """An option as a parameter of a command."""
    flag = f"--{name.replace('_', '-')}"
    flags = f"{flag}/--no-{name.replace('_', '-')}" if kind is bool else flag
    annotation = Annotated[kind, typer.Option(flags, help=help, **details)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _of_field(name: str, each: Field[Any], **details: Any) -> inspect.Parameter:
    info = info_of(each)
    kind: Any = info.kind
    help = info.help
    if info.choices:
        help += f" Choices: {', '.join(info.choices)}."
    elif info.known:
        help += f" Known names: {', '.join(info.known())}."
    if info.default_text:
        details["show_default"] = info.default_text
    if info.is_file and not info.known:
        details["metavar"] = "FILE"
    return option(name, kind | None if each.default is None else kind, each.default, help, **details)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP")
