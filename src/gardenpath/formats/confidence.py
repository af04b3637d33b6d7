"""The confidence of a word: probabilities that its annotations are right."""

from __future__ import annotations

from typing import NamedTuple

_EMPTY = "_"
KEYS = ("ConfUPOS", "ConfTag", "ConfHead", "ConfLabel")       # in MISC, in the order of the fields


class Confidence(NamedTuple):
    """Probabilities between 0 and 1, calibrated on the dev set of the model; None where a probability is unknown.

    For instance, `upos` and `tag` are unknown if the tags were given.
    """

    upos: float | None = None            # that UPOS is right
    tag: float | None = None             # that UPOS, XPOS and FEATS are right
    head: float | None = None            # that the head is right
    label: float | None = None           # that the label is right, if the head is right

    @property
    def arc(self) -> float | None:
        """The probability that head and label are right."""
        return None if self.head is None or self.label is None else self.head * self.label

    def items(self) -> list[str]:
        """Return the known probabilities as items of MISC, such as `ConfHead=0.9731`."""
        return [f"{key}={value:.4f}" for key, value in zip(KEYS, self, strict=True) if value is not None]


def with_confidence(misc: str, confidence: Confidence | None) -> str:
    """Return the column MISC with the items of a confidence in place of old ones."""
    if confidence is None:
        return misc
    old = [item for item in misc.split("|") if misc != _EMPTY and item.partition("=")[0] not in KEYS]
    return "|".join([*old, *confidence.items()]) or _EMPTY
