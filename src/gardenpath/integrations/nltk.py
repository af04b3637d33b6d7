"""Convert sentences to and from NLTK's `DependencyGraph`.

UPOS becomes `ctag` and XPOS becomes `tag`. An empty column is `_`, as in NLTK's own reader. A `DependencyGraph` cannot
represent comments, multi-word tokens, empty nodes, DEPS and MISC.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.drawing import arcs, root_arcs

FIELDS = {
    "address": "id", "word": "form", "lemma": "lemma", "ctag": "upos", "tag": "xpos", "feats": "raw_feats",
    "head": "head", "rel": "deprel",
}


def to_nltk(sentence: Sentence) -> Any:
    """Convert a sentence to a `DependencyGraph`. The root is the first word with HEAD 0."""
    if find_spec("nltk") is None:
        raise UsageError("to_nltk needs NLTK; install it: pip install nltk")
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
    """Convert a `DependencyGraph` to a sentence. The words must be numbered 1, 2, 3, ..."""
    addresses = sorted(address for address in graph.nodes if address)
    if addresses != list(range(1, len(addresses) + 1)):
        found = ", ".join(map(str, addresses))
        raise InputError(f"the words of the graph are numbered {found}; number them 1, 2, 3, ...")
    return Sentence([_word(graph.nodes[address]) for address in addresses])


def _word(node: dict[str, Any]) -> Word:
    fields = ("word", "lemma", "ctag", "tag", "feats", "rel")
    form, lemma, upos, xpos, feats, deprel = (str(node.get(field) or EMPTY) for field in fields)
    return Word(node["address"], form, lemma, upos, xpos, feats, node.get("head"), deprel)
