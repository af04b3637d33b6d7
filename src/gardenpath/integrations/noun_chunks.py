"""English noun chunks (`doc.noun_chunks` in spaCy) from Universal Dependencies.

spaCy's own rules for English expect other labels (`dobj`, `pobj`). A chunk is a noun, proper noun or pronoun with its
determiners and modifiers before it, without clauses and without what a preposition adds: *a book* in *a book about
birds*. Chunks do not overlap: *Mary's brother* is one chunk.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span, Token

LABEL = "NP"
BEFORE = ("det", "amod", "nummod", "compound", "nmod:poss", "nmod:unmarked", "nmod:npmod", "det:predet", "flat")
AFTER = ("flat", "goeswith", "nummod")
# Nouns with these labels are parts of another chunk, or no noun phrases.
PARTS = (*BEFORE, "flat:foreign", "flat:name", "fixed", "goeswith", "expl", "case", "advmod", "discourse", "reparandum")


def noun_chunks(span: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield the start, the end and the label of each noun chunk of a document or a span."""
    label = span.doc.vocab.strings.add(LABEL)
    last = -1
    for token in span:
        if token.pos not in (NOUN, PROPN, PRON) or _label(token) in PARTS:
            continue
        start, end = _start(token), _end(token)
        if start > last:
            last = end - 1
            yield start, end, label


def _label(token: Token) -> str:
    """Return the label of a token; for a conjunct, that of the first conjunct."""
    seen = 0
    while token.dep_ == "conj" and seen < len(token.doc):
        token, seen = token.head, seen + 1
    return str(token.dep_)


def _start(token: Token) -> int:
    """Return the first token of the chunk: that of the farthest modifier that only modifiers separate from the noun."""
    start = token.i
    for child in reversed(list(token.lefts)):
        if child.dep_ in BEFORE:
            start = child.left_edge.i
        elif child.dep_ != "punct":
            break
    return int(start)


def _end(token: Token) -> int:
    """Return the token after the chunk, which can include the rest of a name."""
    end = token.i + 1
    for child in token.rights:
        if child.dep_.partition(":")[0] not in AFTER or child.left_edge.i != end:
            break
        end = child.right_edge.i + 1
    return int(end)
