"""Names in a pattern or in keys that are probably misspelt: tags, relations and features that no searched word has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import chain
from typing import NamedTuple

from gardenpath.evaluation.inventory import MISC_ATTRIBUTES, RELATIONS, UNIVERSAL_FEATURES, UPOS_TAGS
from gardenpath.formats.conllu import items_of
from gardenpath.queries.features import LABEL_FEATURES, TEXT_COLUMNS, item_name, part_of_label
from gardenpath.queries.index import Vocabulary
from gardenpath.queries.syntax import Clause, ComparisonClause, EdgeClause, NodeClause, Request, ValueClause

_SPACES = ("SpacesAfter", "SpacesBefore", "SpacesInToken")      # attributes of MISC that tokenizers write
_COLUMNS = ("form", "lemma", "upos")
_KNOWN = {
    "upos": UPOS_TAGS, "label": RELATIONS, "feats": UNIVERSAL_FEATURES.union(MISC_ATTRIBUTES, _SPACES, _COLUMNS),
}
_SIMILAR = 0.8           # treebanks have features of their own; one is only reported if it looks like another one


class Name(NamedTuple):
    """A name in a pattern: a tag (column `upos`), a relation without subtype (`label`) or a feature (`feats`)."""

    column: str
    text: str


class UnknownNames:
    """The names in a pattern, and features in keys, that UD does not know and that have not been found yet."""

    def __init__(self, request: Request, features: Iterable[str] = ()) -> None:
        clauses = chain(request.clauses, *(clauses for _, clauses in request.filters))
        in_pattern = (name for clause in clauses for name in _names_in(clause))
        names = dict.fromkeys(chain(in_pattern, *map(_names_of, features)))
        self.names = [name for name in names if name.text and name.text.partition("[")[0] not in _KNOWN[name.column]]

    def drop_found(self, vocabulary: Vocabulary) -> None:
        """Drop the names that occur in the searched sentences."""
        seen = {column: set(_seen(column, vocabulary)) for column in {name.column for name in self.names}}
        self.names = [name for name in self.names if name.text not in seen[name.column]]

    def notes(self, vocabulary: Vocabulary) -> list[str]:
        """Return a note about each name that is probably misspelt, with the most similar name that exists."""
        return [note for name in self.names if (note := _note(name, {*_seen(name.column, vocabulary)}))]


def _note(name: Name, seen: set[str]) -> str | None:
    known = {other.lower(): other for other in sorted(_KNOWN[name.column] | seen)}
    is_feature = name.column == "feats"
    similar = get_close_matches(name.text.lower(), known, 1, _SIMILAR if is_feature else 0.6)
    if is_feature and not similar:
        return None
    what = {"upos": "UPOS", "label": "relation", "feats": "feature"}[name.column]
    remedy = f"; did you mean `{known[similar[0]]}`?" if similar else ""
    elsewhere = "" if is_feature else ", and UD has none of that name"
    return f"no word that was searched has the {what} `{name.text}`{elsewhere}{remedy}"


def _names_in(clause: Clause) -> Iterator[Name]:
    match clause:
        case NodeClause():
            for test in chain.from_iterable(clause.alternatives):
                yield from _names_of(test.feature, test.test.constants)
        case EdgeClause():
            for test in clause.label:
                yield from _names_of(test.feature, test.test.constants)
        case ValueClause():
            yield from _names_of(clause.subject.feature, clause.test.constants)
        case ComparisonClause():
            yield from chain(_names_of(clause.left.feature), _names_of(clause.right.feature))


def _names_of(feature: str, constants: Iterable[str] = ()) -> Iterator[Name]:
    if feature == "upos":
        yield from (Name("upos", tag) for tag in sorted(constants))
    elif feature in ("label", "1"):
        yield from (Name("label", part_of_label(label, "1") or "") for label in sorted(constants))
    elif feature not in (*TEXT_COLUMNS, *LABEL_FEATURES, "enhanced"):
        yield Name("feats", item_name(feature))


def _seen(column: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the names in the searched sentences."""
    if column == "feats":
        for value in chain(vocabulary.of("feats")[1], vocabulary.of("misc")[1]):
            yield from items_of(value or "")
        return
    for value in vocabulary.of(column)[1]:
        yield (part_of_label(value or "", "1") or "") if column == "label" else value or ""
