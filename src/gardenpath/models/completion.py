"""The settings as named arguments in a signature, for `help` and for completion in notebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from gardenpath.core.settings import settings_of
from gardenpath.models import scorers
from gardenpath.models.arguments import TrainingArguments
from gardenpath.models.setting_names import flat_settings

Function = TypeVar("Function", bound=Callable[..., Any])


def with_settings(function: Function) -> Function:
    """Show each setting with its default in the signature of a function, in place of `**settings`."""
    signature = inspect.signature(function)
    named = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    defaults = _defaults()
    settings = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=hint)
        for name, hint in get_type_hints(TrainingArguments).items()
    ]
    function.__signature__ = signature.replace(parameters=[*named, *settings])     # type: ignore[attr-defined]
    return function


def _defaults() -> dict[str, Any]:
    """The defaults of all settings. Where scorers differ, it is that of the default scorer."""
    found: dict[str, Any] = {}
    for scorer in (scorers.DEFAULT, *scorers.BUILT_IN):
        for name, part in flat_settings(scorer).items():
            found.setdefault(name, settings_of(part)[name].default)
    return found | {"scorer": scorers.DEFAULT.name}
