"""What a model's description says of its scores, in words."""

from __future__ import annotations

from typing import Any


def dev_conditions(settings: dict[str, Any]) -> str:
    """Under which conditions the dev scores of a model hold that was trained with these settings."""
    given = "gold tokens and tags" if settings.get("tags", "gold") == "gold" else "gold tokens, predicted tags"
    return f"dev set, {given}, punctuation counted, subtypes not compared"
