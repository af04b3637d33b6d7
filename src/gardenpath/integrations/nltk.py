"""Sentences as NLTK's `DependencyGraph`, and back.

UPOS is its `ctag`, XPOS its `tag`. It has no place for comments, multiword tokens, empty nodes, DEPS and MISC, and it writes `_` for an empty column, as its
own reader does.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.drawing import arcs, root_arcs

FIELDS = {"address": "id", "word": "form", "lemma": "lemma", "ctag": "upos", "tag": "xpos", "feats": "feats", "head": "head", "rel": "deprel"}


def to_nltk(sentence: Sentence) -> Any:
    """The tree as a `DependencyGraph`; its root is the first word whose HEAD is 0."""
    if find_spec("nltk") is None:
        raise UsageError("this needs NLTK: pip install nltk")
    from nltk.parse import DependencyGraph

    graph = DependencyGraph()
    for word in sentence:
        graph.add_node({field: getattr(word, column) for field, column in FIELDS.items()})
    roots = root_arcs(sentence)
    for arc in (*roots, *arcs(sentence)):
        graph.add_arc(arc.head, arc.dependent)
    graph.root = graph.nodes[roots[0].dependent] if roots else None
    return graph


def from_nltk(graph: Any) -> Sentence:
    """The sentence of a `DependencyGraph`, whose words are numbered from 1."""
    addresses = sorted(address for address in graph.nodes if address)
    if addresses != list(range(1, len(addresses) + 1)):
        raise InputError(f"the words of the graph are numbered {', '.join(map(str, addresses))}; number them 1, 2, 3, ...")
    return Sentence([_word(graph.nodes[address]) for address in addresses])


def _word(node: dict[str, Any]) -> Word:
    form, lemma, upos, xpos, feats, deprel = (str(node.get(field) or EMPTY) for field in ("word", "lemma", "ctag", "tag", "feats", "rel"))
    return Word(node["address"], form, lemma, upos, xpos, feats, node.get("head"), deprel)
