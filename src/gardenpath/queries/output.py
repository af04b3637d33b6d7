"""Write matches: as CoNLL-U, as a table, as counts, or as pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from html import escape

from gardenpath.formats.document import Sentence
from gardenpath.formats.svg import UNSCALED, to_svg
from gardenpath.queries.marking import marks, pieces
from gardenpath.queries.match import Match
from gardenpath.queries.pattern import Pattern

NODE_COLUMNS = ("id", "form", "lemma", "upos")
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ margin: 1rem auto; max-width: 80rem; padding: 0 1rem; font-family: sans-serif; }}
pre {{ overflow-x: auto; padding: 0.5rem; border: 1px solid; }}
mark b {{ font-size: 0.75em; vertical-align: super; }}
{unscaled}
</style>
</head>
<body>
<h1>{title}</h1>
<pre>{pattern}</pre>
"""


def with_matches(sentence: Sentence, matches: Iterable[Match]) -> Sentence:
    """Return the sentence with a comment `# match = V:3 S:1 e:3>1` for each match, after its other comments."""
    lines = [f"# match = {_summary(match)}" for match in matches]
    marked = copy(sentence)
    marked.comments += lines
    return marked


def default_columns(pattern: Pattern) -> list[str]:
    """Return the keys of a table: the sentence, some features of each node, and the labels of the named edges."""
    nodes = [f"{name}.{column}" for name in pattern.nodes for column in NODE_COLUMNS]
    return ["sent_id", *nodes, *(f"{name}.label" for name in pattern.edges), "text"]


def ranked(counts: Counter[tuple[str | None, ...]]) -> list[tuple[tuple[str | None, ...], int]]:
    """Return the counts, the largest first; equal ones are sorted by their values."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], [value or "" for value in entry[0]]))


def count_table(
    counts: Counter[tuple[str | None, ...]], keys: Sequence[str],
) -> tuple[list[str], Iterator[list[str | int | None]]]:
    """Return the header and the rows of a table of counts, the largest first. Undefined values are None."""
    return [*keys, "count"], ([*values, count] for values, count in ranked(counts))


def picture(match: Match) -> str:
    """Draw the tree of a match as SVG, with the match highlighted."""
    return to_svg([match.sentence], marks=[marks(match)])


def pictures(matches: Iterable[Match]) -> str:
    """Draw the trees of matches below each other as one SVG."""
    found = list(matches)
    return to_svg([match.sentence for match in found], marks=[marks(match) for match in found])


def page(matches: Iterable[Match], pattern: Pattern) -> Iterator[str]:
    """Yield the parts of an HTML page with the sentences and trees of all matches."""
    yield _PAGE.format(title="Matches", pattern=escape(pattern.text), unscaled=UNSCALED)
    for number, match in enumerate(matches, 1):
        text = "".join(_marked(*piece) for piece in pieces(match))
        heading = f"{number}. {match.sentence.sent_id or ''}".rstrip(" ")
        tree = f'<div class="gp-scroll" style="overflow-x: auto">{picture(match)}</div>'
        yield f"<h2>{escape(heading)}</h2>\n<p>{text}</p>\n{tree}\n"
    yield "</body>\n</html>\n"


def _marked(text: str, name: str) -> str:
    return f"<mark>{escape(text)}<b>{name}</b></mark>" if name else escape(text)


def _summary(match: Match) -> str:
    nodes = [f"{name}:{number}" for name, number in match.ids.items()]
    edges = [f"{name}:{edge.head.id}>{edge.dependent.id}" for name, edge in match.edges.items()]
    return " ".join([*nodes, *edges])
