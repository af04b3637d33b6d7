"""Features of nodes and labels: where their values are, and how they are read.

A node has the features `form`, `lemma`, `upos`, `xpos`, `textform`, `wordform`, those in FEATS and those in MISC. A
label has the features `label`, `1`, `2` and `deep`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Sentence, Word

TEXT_COLUMNS = ("form", "lemma", "upos", "xpos", "textform", "wordform")
LABEL_FEATURES = ("label", "1", "2", "deep")
MISC_PREFIX = "__MISC__"
_NOT_FEATURES = {
    "id": "compare positions with `X < Y`, `X << Y` or `delta(X, Y)`",
    "head": "use an edge: `H -> X`", "deprel": "use an edge: `e: H -> X`, and `e.label`",
    "deps": "enhanced dependencies cannot be searched", "feats": "name the feature itself, such as `Number`",
    "misc": "name the item itself, such as `SpaceAfter`",
}


class Source(NamedTuple):
    """A place where the value of a feature may be: a column, and how the value is read from it."""

    column: str
    read: Callable[[str], str | None]


def sources(feature: str, *, of_label: bool = False) -> tuple[Source, ...]:
    """Return the places of a feature of a node or a label. The first one in which it is defined counts."""
    if of_label:
        return (Source("label", lambda label: part_of_label(label, feature)),)
    if feature in TEXT_COLUMNS:
        return (Source(feature, str),)
    name = item_name(feature)
    misc = Source("misc", lambda column: item(column, name))
    if feature.startswith(MISC_PREFIX):
        return (misc,)
    return Source("feats", lambda column: item(column, name)), misc


def item(column: str, name: str) -> str | None:
    """Return the value of an item of FEATS or MISC; one without `=` has an empty value."""
    if name not in column:
        return None
    items = items_of(column)
    return items[name] or "" if name in items else None


def part_of_label(label: str, feature: str) -> str | None:
    """Return a feature of a label: `nsubj:pass` has 1=nsubj and 2=pass, `comp:obl@agent` has deep=agent as well."""
    if feature == "label":
        return label
    relation, _, deep = label.partition("@")
    first, _, second = relation.partition(":")
    return {"1": first, "2": second, "deep": deep}.get(feature) or None


def value_of(sentence: Sentence, word: Word | None, feature: str) -> str | None:
    """Return the value of a feature of a word, or None. The word None is the node at position 0."""
    if word is None:
        return "__0__" if feature == "form" else None
    if feature in ("textform", "wordform"):
        return next(value for other, value in zip(sentence, surface(sentence, feature), strict=True) if other is word)
    for column, read in sources(feature):
        content = str(getattr(word, column))
        value = None if content == EMPTY and column != "form" else read(content)
        if value is not None:
            return value
    return None


def surface(sentence: Sentence, feature: str) -> Iterator[str]:
    """Yield the `textform` or `wordform` of the words of a sentence.

    The first word of a multi-word token has the token as its `textform`, the other words have `_`. An item of MISC with
    the name of the feature comes before all else.
    """
    inside = {i: token for token in sentence.ranges for i in range(token.first, token.last + 1)}
    for word in sentence:
        token = inside.get(word.id) if feature == "textform" else None
        default = word.form if token is None else token.form if token.first == word.id else EMPTY
        yield item(word.misc, feature) or default


def check_name(feature: str) -> str | None:
    """Return why a name is not the name of a feature, or None."""
    if feature.lower() in TEXT_COLUMNS and feature not in TEXT_COLUMNS:
        return f"features are written in lower case; write `{feature.lower()}`"
    if feature.lower() in _NOT_FEATURES:
        return f"`{feature}` is not a feature; {_NOT_FEATURES[feature.lower()]}"
    return None


def item_name(feature: str) -> str:
    """Return the name of a feature as FEATS or MISC has it: Grew writes `Number__psor` for `Number[psor]`."""
    name = feature.removeprefix(MISC_PREFIX)
    base, separator, layer = name.partition("__")
    return f"{base}[{layer}]" if base and separator and layer else name
