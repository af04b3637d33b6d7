r"""Trees for the LaTeX package tikz-dependency (`\usepackage{tikz-dependency}`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import arcs, root_arcs, showable, shown

# In a deptext `\&` separates cells, so an ampersand is written by its number. A bracket would start an option. `{}`
# prevents several hyphens from becoming a dash.
_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\symbol{38}", "#": r"\#", "$": r"\$", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}", "-": "-{}",
}
_SPECIAL = re.compile(r"[\\{}&#$%_~^`<>|[]|-(?=-)")


def to_tikz(sentences: Iterable[Sentence]) -> str:
    """Return sentences as `dependency` environments with forms and UPOS."""
    return "\n".join(_environment(sentence) for sentence in sentences)


def _environment(sentence: Sentence) -> str:
    lines = [*_text(sentence)] if len(sentence) else []
    lines += [rf"\deproot{{{arc.dependent}}}{{{escaped(arc.label)}}}" for arc in root_arcs(sentence)]
    lines += [rf"\depedge{{{arc.head}}}{{{arc.dependent}}}{{{escaped(arc.label)}}}" for arc in arcs(sentence)]
    return "\n".join([r"\begin{dependency}", *lines, r"\end{dependency}", ""])


def _text(sentence: Sentence) -> list[str]:
    forms = [showable(word.form) for word in sentence]
    tags = [shown(word.upos) for word in sentence]
    rows = [forms, tags] if any(tags) else [forms]
    lines = [r" \& ".join(map(escaped, row)) + r" \\" for row in rows]
    return [r"\begin{deptext}[column sep=1em]", *lines, r"\end{deptext}"]


def escaped(text: str) -> str:
    """Escape the special characters of LaTeX in a text for a deptext or a table."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)
