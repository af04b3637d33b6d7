"""Pages with pairs of trees, to work through: filters by label, a tick for each item, no scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from gardenpath.formats.document import Sentence
from gardenpath.formats.svg import STYLESHEET as TREE_STYLESHEET
from gardenpath.formats.svg import UNSCALED, to_svg
from gardenpath.report.html import escape, prose, whole_page
from gardenpath.report.stylesheet import STYLESHEET

STYLE = STYLESHEET + TREE_STYLESHEET + UNSCALED + """
body { max-width: 100rem; }
.filters { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; border: 1px solid var(--line); font-size: 0.875rem; }
.item { border-top: 1px solid var(--line); padding: 0.75rem 0; }
.item h2 { border: none; margin: 0; padding: 0; font-size: 1rem; }
.item p { margin: 0.25rem 0; max-width: none; }
.trees { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 0.5rem; }
.trees h3 { margin: 0.25rem 0; }
.trees.stacked { display: block; overflow-x: auto; }
.trees.stacked .scroll { overflow: visible; max-width: none; }
.item:has(.done:checked) .trees, .item:has(.done:checked) p { display: none; }
.item:has(.done:checked) h2 { color: var(--soft); }
"""
LONGEST = 12         # trees of longer sentences are below each other and scroll together


@dataclass(frozen=True, slots=True)
class TreePair:
    """Two trees of a sentence: a heading, lines of text, the numbers of the words to mark, labels to filter by."""

    heading: str
    lines: Sequence[str]
    trees: Sequence[tuple[str, Sentence]]          # with their titles
    marked: Sequence[Collection[int]]              # by tree
    labels: frozenset[str]


def tree_page(title: str, about: str, pairs: Sequence[TreePair]) -> str:
    """Return a page with a section for each pair. `about` is a paragraph at the top."""
    counts = Counter(label for pair in pairs for label in pair.labels)
    names = {label: f"f{number}" for number, label in enumerate(sorted(counts))}
    hide = "".join(
        f"body:has(#{name}:checked) .item:not(.{name}) {{ display: none; }}\n" for name in names.values()
    )
    body = [f"<h1>{escape(title)}</h1>", f"<p>{prose(about)}</p>", _filters(names, counts)]
    body += [_item(number, pair, names) for number, pair in enumerate(pairs, 1)]
    return whole_page(escape(title), STYLE + hide, body)


def _filters(names: dict[str, str], counts: Counter[str]) -> str:
    buttons = ['<label><input type="radio" name="label" checked> all</label>']
    buttons += [
        f'<label><input type="radio" name="label" id="{name}"> {escape(label)} ({counts[label]})</label>'
        for label, name in names.items()
    ]
    return f'<fieldset class="filters"><legend>Label</legend>{"".join(buttons)}</fieldset>'


def _item(number: int, pair: TreePair, names: dict[str, str]) -> str:
    classes = " ".join(["item", *(names[label] for label in sorted(pair.labels))])
    done = '<input type="checkbox" class="done" aria-label="done">'
    lines = "".join(f"<p>{escape(line)}</p>" for line in pair.lines)
    trees = "".join(
        f"<div><h3>{escape(title)}</h3>{_tree(sentence, marked, f't{number}-{side}')}</div>"
        for side, ((title, sentence), marked) in enumerate(zip(pair.trees, pair.marked, strict=True))
    )
    stacked = " stacked" if len(pair.trees[0][1]) > LONGEST else ""
    return (
        f'<section class="{classes}"><h2><label>{done} {number}. {escape(pair.heading)}</label></h2>'
        f'{lines}<div class="trees{stacked}">{trees}</div></section>'
    )


def _tree(sentence: Sentence, marked: Iterable[int], name: str) -> str:
    """Draw a tree whose marked words have arcs of another colour. The page has the stylesheet of the trees once."""
    drawn = re.sub(r"<style>.*?</style>\n", "", to_svg([sentence], compact=True), flags=re.DOTALL)
    rules = "".join(
        f'#{name} .gp-arc[data-dependent="{word}"] .gp-line {{ stroke: var(--hue1); stroke-width: 2.5px; }}\n'
        f'#{name} .gp-label-group[data-dependent="{word}"] text {{ fill: var(--hue1); font-weight: 600; }}\n'
        for word in marked
    )
    return f'<div class="scroll" id="{name}"><style>{rules}</style>{drawn}</div>'
