"""Warn in a response of text that is probably not in the language of the model."""

from __future__ import annotations

from collections.abc import Iterable

from gardenpath.formats.document import Sentence
from gardenpath.models.languages import Misfit, own_language
from gardenpath.models.noticing import forms
from gardenpath.models.profile import CHARACTERS
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers

SHORT = 500              # characters; a longer text is judged in a worker thread


async def language_warnings(text: str, served: Served, models: ServedModels, workers: Workers) -> list[str]:
    """Return a warning with the likely language and the model for it, or no warning if the text fits the model."""
    if served.model.profile is None or served.model.profile.clearly_fits(text):
        return []
    is_short = len(text) <= SHORT
    found = served.model.misfit(text) if is_short else await workers.run_alone(served.model.misfit, text[:CHARACTERS])
    return [] if found is None else [found.message(_remedy(found, models))]


def beginning(sentences: Iterable[Sentence]) -> str:
    """Return the text of the first sentences, as much as is judged."""
    found = ""
    for sentence in sentences:
        if len(found) >= CHARACTERS:
            break
        found += f"{forms(sentence)} "
    return found


def _remedy(misfit: Misfit, models: ServedModels) -> str:
    """Return which model of the server to choose."""
    for served in models:
        if served.model.profile is not None and own_language(served.model.profile) in misfit.languages:
            return f"choose the model {served.name}"
    return "this server has no model for it" if misfit.languages else "choose a model for its language"
