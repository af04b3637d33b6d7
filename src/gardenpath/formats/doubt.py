"""Confidence in pictures: levels of doubt, with a colour and a dash pattern for each."""

from __future__ import annotations

from gardenpath.formats.document import Word

LIMITS = (0.95, 0.8, 0.5)       # a probability below one of these limits raises the level of doubt by one
STYLESHEET = """
.gp-tree .gp-doubt-2 .gp-line { stroke-dasharray: 8 3; }
.gp-tree .gp-doubt-3 .gp-line { stroke-dasharray: 2 3; stroke-width: 2px; }
.gp-tree .gp-doubt-1 .gp-line { stroke: #8a5a00; }
.gp-tree .gp-doubt-2 .gp-line { stroke: #b34700; }
.gp-tree .gp-doubt-3 .gp-line { stroke: #b3261e; }
.gp-tree .gp-doubt-1 .gp-arrow, .gp-tree .gp-doubt-1 .gp-label, .gp-tree .gp-doubt-1.gp-tag { fill: #8a5a00; }
.gp-tree .gp-doubt-2 .gp-arrow, .gp-tree .gp-doubt-2 .gp-label, .gp-tree .gp-doubt-2.gp-tag { fill: #b34700; }
.gp-tree .gp-doubt-3 .gp-arrow, .gp-tree .gp-doubt-3 .gp-label, .gp-tree .gp-doubt-3.gp-tag { fill: #b3261e; }
@media (prefers-color-scheme: dark) {
.gp-tree .gp-doubt-1 .gp-line { stroke: #edc464; }
.gp-tree .gp-doubt-2 .gp-line { stroke: #ffa569; }
.gp-tree .gp-doubt-3 .gp-line { stroke: #ff8f86; }
.gp-tree .gp-doubt-1 .gp-arrow, .gp-tree .gp-doubt-1 .gp-label, .gp-tree .gp-doubt-1.gp-tag { fill: #edc464; }
.gp-tree .gp-doubt-2 .gp-arrow, .gp-tree .gp-doubt-2 .gp-label, .gp-tree .gp-doubt-2.gp-tag { fill: #ffa569; }
.gp-tree .gp-doubt-3 .gp-arrow, .gp-tree .gp-doubt-3 .gp-label, .gp-tree .gp-doubt-3.gp-tag { fill: #ff8f86; }
}
"""


class Doubts:
    """Classes and tooltips for the confidence of words. If they are not wanted, all are empty."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted

    def name(self, word: Word, field: str) -> str:
        """Return the class of an annotation, with a space before it: a level of doubt from 1 to 3, or none."""
        probability = self._probability(word, field)
        level = 0 if probability is None else sum(probability < limit for limit in LIMITS)
        return f" gp-doubt-{level}" if level else ""

    def note(self, word: Word, field: str) -> str:
        """Return the probability of an annotation as text, such as `head 62 %`, or an empty text."""
        probability = self._probability(word, field)
        return "" if probability is None else f"{field} {100 * probability:.0f} %"

    def title(self, word: Word, field: str) -> str:
        """Return the probability of an annotation as a tooltip."""
        note = self.note(word, field)
        return f"<title>{note}</title>" if note else ""

    def _probability(self, word: Word, field: str) -> float | None:
        return getattr(word.confidence, field) if self.wanted and word.confidence is not None else None
