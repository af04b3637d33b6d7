"""Trees in DOT, the language of Graphviz. `dot -Tpdf` draws them from the root downwards."""

from __future__ import annotations

from collections.abc import Iterable

from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import arcs, root_arcs, showable, shown

SETTINGS = """\
  graph [ordering=out, fontname="Helvetica"];
  node [shape=plaintext, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=11];
"""


def to_dot(sentences: Iterable[Sentence]) -> str:
    """Return one directed graph with a cluster per sentence, a node per word and an edge per arc."""
    clusters = "".join(_cluster(number, sentence) for number, sentence in enumerate(sentences, 1))
    return f"digraph {{\n{SETTINGS}{clusters}}}\n"


def _cluster(number: int, sentence: Sentence) -> str:
    roots = root_arcs(sentence)
    nodes = [f"{_name(number, word.id)} [label={_quoted(*_lines(word))}];" for word in sentence]
    if roots:
        nodes.insert(0, f"{_name(number, 0)} [shape=point];")
    edges = [
        f"{_name(number, arc.head)} -> {_name(number, arc.dependent)} [label={_quoted(arc.label)}];"
        for arc in (*roots, *arcs(sentence))
    ]
    lines = ["peripheries=0;", f"label={_quoted(showable(sentence.sent_id or ''))};", *nodes, *edges]
    return f"  subgraph cluster_{number} {{\n    " + "\n    ".join(lines) + "\n  }\n"


def _name(sentence: int, word: int) -> str:
    return f"s{sentence}w{word}"


def _lines(word: Word) -> list[str]:
    return [line for line in (showable(word.form), shown(word.upos)) if line]


def _quoted(*lines: str) -> str:
    """Join lines to a DOT string, with backslashes, quotes and ampersands escaped."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(escaped) + '"'
