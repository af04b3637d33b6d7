"""The conditions of the scores in a model's description."""

from __future__ import annotations

from gardenpath.models.settings import Settings


def dev_conditions(settings: Settings) -> str:
    """Return the conditions of the dev scores of a model that was trained with these settings."""
    given = "gold tokens and tags" if settings.tagger.tags == "gold" else "gold tokens, predicted tags"
    return f"dev set, {given}, punctuation counted, subtypes not compared"
