"""Trees as self-contained SVG. The same sentence always gives the same bytes.

`gardenpath.formats.layout` computes the positions. The classes of the elements (`gp-word`, `gp-arc`, `gp-label`, ...)
can be used in stylesheets; docs/exports.md lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from gardenpath.formats import doubt
from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import Arc, arcs, plain_text, root_arcs, showable, shown
from gardenpath.formats.layout import MARGIN, DrawnArc, TreeLayout, lay_out, text_width

FORM_SIZE, SMALL_SIZE = 16, 12
LONGEST = 40  # longest displayed form in characters; the tooltip shows the whole form
ROW = 18
RADIUS = 22
STYLESHEET = f"""
.gp-tree {{ font-family: sans-serif; text-anchor: middle; }}
.gp-tree .gp-background {{ fill: #ffffff; }}
.gp-tree .gp-form, .gp-tree .gp-token text {{ font-size: {FORM_SIZE}px; fill: #1b1f24; }}
.gp-tree .gp-tag, .gp-tree .gp-lemma, .gp-tree .gp-label {{ font-size: {SMALL_SIZE}px; }}
.gp-tree .gp-tag {{ fill: #57606a; }}
.gp-tree .gp-lemma {{ fill: #57606a; font-style: italic; }}
.gp-tree .gp-label {{ fill: #0a4fa3; }}
.gp-tree .gp-line {{ fill: none; stroke: #6e7781; stroke-width: 1.3px; }}
.gp-tree .gp-arrow {{ fill: #6e7781; }}
.gp-tree .gp-root .gp-line {{ stroke: #b3261e; }}
.gp-tree .gp-root .gp-arrow, .gp-tree .gp-root-label {{ fill: #b3261e; }}
@media (prefers-color-scheme: dark) {{
.gp-tree .gp-background {{ fill: #16191d; }}
.gp-tree .gp-form, .gp-tree .gp-token text {{ fill: #e6e8eb; }}
.gp-tree .gp-tag, .gp-tree .gp-lemma {{ fill: #a9b1ba; }}
.gp-tree .gp-label {{ fill: #8ab8ff; }}
.gp-tree .gp-line {{ stroke: #8b949e; }}
.gp-tree .gp-arrow {{ fill: #8b949e; }}
.gp-tree .gp-root .gp-line {{ stroke: #ff8f86; }}
.gp-tree .gp-root .gp-arrow, .gp-tree .gp-root-label {{ fill: #ff8f86; }}
}}
"""
MARKED = """
.gp-tree .gp-mark { fill: #ffe8a3; }
.gp-tree .gp-match .gp-form { font-weight: bold; }
.gp-tree .gp-match .gp-line { stroke: #9a5b00; stroke-width: 2.6px; }
.gp-tree .gp-match .gp-arrow, .gp-tree .gp-match .gp-label { fill: #9a5b00; }
.gp-tree .gp-match .gp-label { font-weight: bold; }
.gp-tree .gp-name { font-size: 12px; font-weight: bold; fill: #9a5b00; }
@media (prefers-color-scheme: dark) {
.gp-tree .gp-mark { fill: #5c4400; }
.gp-tree .gp-match .gp-line { stroke: #ffc24d; }
.gp-tree .gp-match .gp-arrow, .gp-tree .gp-match .gp-label, .gp-tree .gp-name { fill: #ffc24d; }
}
"""
UNSCALED = ".gp-scroll .gp-tree { max-width: none; }"  # otherwise notebooks scale the picture down to the cell


@dataclass(frozen=True, slots=True)
class Marks:
    """Highlighted words with their names (which may be empty), and the dependents of highlighted arcs."""

    names: Mapping[int, str] = field(default_factory=dict)
    dependents: frozenset[int] = frozenset()


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True)
class TreeStyle:
    """Drawing options: `compact` right-angled arcs, UPOS `tags` below the forms, `lemmas` below the tags.

    `confidence` marks annotations that are probably wrong.
    """

    compact: bool = False
    tags: bool = True
    lemmas: bool = False
    confidence: bool = False

    @property
    def step(self) -> int:
        """The height of an arc level in pixels."""
        return 19 if self.compact else 22

    @property
    def gap(self) -> int:
        """The minimum space between words in pixels."""
        return 8 if self.compact else 14

    def rows(self, word: Word) -> list[tuple[str, str]]:
        """Return the lines of text at a word from top to bottom, each with its CSS class."""
        rows = [("gp-form", _cut(word.form))]
        if self.tags:
            rows.append(("gp-tag", shown(word.upos)))
        if self.lemmas:
            rows.append(("gp-lemma", _cut(shown(word.lemma))))
        return rows


def to_svg(
    sentences: Iterable[Sentence], *, compact: bool = False, tags: bool = True, lemmas: bool = False,
    confidence: bool = False, marks: Sequence[Marks] = (),
) -> str:
    """Draw the trees of sentences below each other as one SVG.

    `compact` draws right-angled arcs. `tags` and `lemmas` print UPOS and lemmas below the words. `confidence` marks
    arcs, labels and tags whose confidence is low. `marks` has the highlighted words and arcs of each sentence.
    """
    style = TreeStyle(compact, tags, lemmas, confidence)
    listed = list(sentences)
    drawn = [
        _Drawing(sentence, [*arcs(sentence), *root_arcs(sentence)], style, marked)
        for sentence, marked in zip(listed, marks or [NO_MARKS] * len(listed), strict=True)
    ]
    width = max((drawing.layout.width for drawing in drawn), default=2 * MARGIN)
    parts, y = [], 0
    for drawing in drawn:
        x = width - drawing.layout.width if drawing.layout.right_to_left else 0
        parts.append(f'<g class="gp-sentence" transform="translate({x},{y})">\n{drawing.content()}</g>\n')
        y += drawing.height
    title = " ".join(plain_text(drawing.sentence) for drawing in drawn)
    description = " ".join(_description(drawing.sentence) for drawing in drawn)
    rules = (doubt.STYLESHEET if confidence else "") + (MARKED if marks else "")
    return _picture(width, y or 2 * MARGIN, title, description, "".join(parts), rules)


def to_stage(sentence: Sentence, drawn: Iterable[Arc]) -> str:
    """Draw a sentence with the given arcs instead of its HEAD column; a word may have several heads.

    The page that traces a parser shows and hides these arcs step by step.
    """
    drawing = _Drawing(sentence, list(drawn), TreeStyle())
    content = f'<g class="gp-sentence">\n{drawing.content()}</g>\n'
    return _picture(drawing.layout.width, drawing.height, plain_text(sentence), "", content)


def _picture(width: int, height: int, title: str, description: str, content: str, rules: str = "") -> str:
    described = f"<desc>{escape(description)}</desc>\n" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gp-tree" role="img" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<title>{escape(title)}</title>\n{described}<style>{STYLESHEET}{rules}</style>\n"
        f'<rect class="gp-background" width="{width}" height="{height}"/>\n{content}</svg>\n'
    )


def to_html(sentences: Sequence[Sentence], limit: int = 20) -> str:
    """Draw the first sentences for a web page or a notebook. Wide trees scroll; they are not scaled down."""
    more = len(sentences) - limit
    note = f"<p>and {more} more</p>" if more > 0 else ""
    content = f"<style>{UNSCALED}</style>{to_svg(sentences[:limit])}{note}"
    return f'<div class="gp-scroll" style="overflow-x: auto">{content}</div>'


class _Drawing:
    """One sentence and its vertical positions.

    Arcs end at `base`, forms are printed at `forms`, and the brackets of multi-word tokens start at `below`.
    """

    def __init__(self, sentence: Sentence, drawn: list[Arc], style: TreeStyle, marks: Marks = NO_MARKS) -> None:
        self.sentence, self.style, self.marks = sentence, style, marks
        self.doubts = doubt.Doubts(style.confidence)
        self.layout = self._lay_out(drawn)
        self.base = MARGIN + self.layout.levels * style.step + (SMALL_SIZE if self.layout.levels else 0)
        self.forms = self.base + 20
        self.below = self.forms + ROW * (style.tags + style.lemmas + bool(marks.names))
        self.height = self.below + (2 * ROW if sentence.ranges else 0) + MARGIN

    def _lay_out(self, drawn: list[Arc]) -> TreeLayout:
        widths = [
            max(text_width(text, FORM_SIZE if name == "gp-form" else SMALL_SIZE) for name, text in self._rows(word))
            for word in self.sentence
        ]
        tokens = self.sentence.ranges
        spans = [(token.first, token.last, text_width(_cut(token.form), FORM_SIZE)) for token in tokens]
        return lay_out(self.sentence, drawn, widths, spans, SMALL_SIZE, self.style.gap)

    def content(self) -> str:
        """Return the SVG elements. Lines come first, so that labels stay readable where arcs cross."""
        drawn = [*self.layout.arcs, *self.layout.roots]
        lines = [self.arc(arc) if arc.arc.head else self.root(arc) for arc in drawn]
        labels = [self.label(arc) for arc in drawn if arc.arc.label]
        words = [self.word(word, x) for word, x in zip(self.sentence, self.layout.words, strict=True)]
        return "".join([*lines, *labels, *words, *self.tokens()])

    def arc(self, drawn: DrawnArc) -> str:
        """Draw the line of an arc with its arrowhead."""
        left, right = sorted((drawn.head, drawn.dependent))
        radius = 0 if self.style.compact else RADIUS
        return self._line("gp-arc", drawn, _bridge(left, right, self.base, drawn.level * self.style.step, radius))

    def root(self, drawn: DrawnArc) -> str:
        """Draw the vertical line down to a root."""
        top = self.base - drawn.level * self.style.step
        return self._line("gp-arc gp-root", drawn, f"M{drawn.dependent},{top}V{self.base}")

    def _line(self, name: str, drawn: DrawnArc, path: str) -> str:
        arrow = f"M{drawn.dependent},{self.base + 2}l-4,-8h8z"
        paths = f'<path class="gp-line" d="{path}"/><path class="gp-arrow" d="{arrow}"/>'
        word = self._dependent(drawn)
        classes = f'{name}{self.doubts.name(word, "head")}{self._match(drawn)}'
        return f'<g class="{classes}" {_ends(drawn)}>{self.doubts.title(word, "head")}{paths}</g>\n'

    def _dependent(self, drawn: DrawnArc) -> Word:
        return self.sentence.words[drawn.arc.dependent - 1]

    def _match(self, drawn: DrawnArc) -> str:
        return " gp-match" if drawn.arc.dependent in self.marks.dependents else ""

    def label(self, drawn: DrawnArc) -> str:
        """Draw the label centred above its arc, with a background that hides the lines behind it."""
        name = "gp-label" if drawn.arc.head else "gp-label gp-root-label"
        x, y = (drawn.head + drawn.dependent) // 2, self.base - drawn.level * self.style.step - 5
        width = text_width(drawn.arc.label, SMALL_SIZE)
        position = f'x="{x - width // 2}" y="{y - SMALL_SIZE + 2}" width="{width}" height="{SMALL_SIZE + 1}"'
        background = f'<rect class="gp-background" {position}/>'
        word = self._dependent(drawn)
        group = f'gp-label-group{self.doubts.name(word, "label")}{self._match(drawn)}'
        content = f'{self.doubts.title(word, "label")}{background}{_text(name, x, y, drawn.arc.label)}'
        return f'<g class="{group}" {_ends(drawn)}>{content}</g>\n'

    def word(self, word: Word, x: int) -> str:
        """Draw a word and the rows below it. The tooltip shows its columns."""
        columns = " ".join(map(showable, (str(word.id), word.form, word.lemma, word.upos, word.xpos, word.raw_feats)))
        columns = " ".join(filter(None, [columns, self.doubts.note(word, "upos")]))
        rows = [
            _text(name + self.doubts.name(word, "upos") * (name == "gp-tag"), x, self.forms + ROW * i, text)
            for i, (name, text) in enumerate(self._rows(word)) if text
        ]
        name = "gp-word"
        if word.id in self.marks.names:
            width = text_width(_cut(word.form), FORM_SIZE) + 8
            place = f'x="{x - width // 2}" y="{self.forms - FORM_SIZE}" width="{width}" height="{FORM_SIZE + 5}"'
            name, rows = "gp-word gp-match", [f'<rect class="gp-mark" rx="4" {place}/>\n', *rows]
        return f'<g class="{name}" data-id="{word.id}"><title>{escape(columns)}</title>\n{"".join(rows)}</g>\n'

    def _rows(self, word: Word) -> list[tuple[str, str]]:
        names = [("gp-name", showable(self.marks.names.get(word.id, "")))] if self.marks.names else []
        return [*self.style.rows(word), *names]

    def tokens(self) -> list[str]:
        """Draw the multi-word tokens: brackets below their words, with their forms."""
        drawn = []
        for token in self.sentence.ranges:
            ends = [self.layout.words[token.first - 1], self.layout.words[token.last - 1]]
            left, right = min(ends) - 10, max(ends) + 10
            bracket = f'<path class="gp-line" d="M{left},{self.below + 6}v6H{right}v-6"/>\n'
            form = escape(_cut(token.form))
            text = f'<text x="{(left + right) // 2}" y="{self.below + 2 * ROW - 6}">{form}</text>\n'
            words = f'data-first="{token.first}" data-last="{token.last}"'
            drawn.append(f'<g class="gp-token" {words}>{bracket}{text}</g>\n')
        return drawn


def _ends(drawn: DrawnArc) -> str:
    return f'data-head="{drawn.arc.head}" data-dependent="{drawn.arc.dependent}"'


def _bridge(left: int, right: int, base: int, height: int, radius: int) -> str:
    """Return the path of an arc: up, across and down, with rounded corners if there is a radius."""
    if not radius:
        return f"M{left},{base}v-{height}H{right}v{height}"
    across, up = min(radius, (right - left) // 2), min(2 * radius, height)
    corner = f"a{across},{up} 0 0 1 {across}"
    return f"M{left},{base}v-{height - up}{corner},-{up}H{right - across}{corner},{up}v{height - up}"


def _text(name: str, x: int, y: int, text: str) -> str:
    return f'<text class="{name}" x="{x}" y="{y}">{escape(text)}</text>\n'


def _cut(form: str) -> str:
    return showable(form if len(form) <= LONGEST else form[: LONGEST - 1] + "…")


def _description(sentence: Sentence) -> str:
    """Describe the tree in words, for screen readers."""
    def name(word: int) -> str:
        return _cut(sentence.words[word - 1].form)

    parts = [f"{name(arc.dependent)}: {arc.label or 'root'}" for arc in root_arcs(sentence)]
    parts += [f"{name(arc.dependent)}: {arc.label or 'dependent'} of {name(arc.head)}" for arc in arcs(sentence)]
    return "; ".join(parts) + "." if parts else f"{len(sentence)} words without heads."
