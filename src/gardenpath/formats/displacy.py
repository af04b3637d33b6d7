"""Trees for spaCy's displaCy: `displacy.render(document.to_displacy(), manual=True)`."""

from __future__ import annotations

from typing import Any

from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import Arc, arcs, is_right_to_left, showable, shown


def to_displacy(sentence: Sentence, *, lemmas: bool = False) -> dict[str, Any]:
    """Return words and arcs for displaCy, numbered from 0 and without root arcs."""
    return {
        "words": [_word(word, lemmas) for word in sentence],
        "arcs": [_arc(arc) for arc in arcs(sentence)],
        "settings": {"direction": "rtl" if is_right_to_left(sentence) else "ltr"},
    }


def _word(word: Word, lemmas: bool) -> dict[str, str | None]:
    return {"text": showable(word.form), "tag": shown(word.upos), "lemma": shown(word.lemma) if lemmas else None}


def _arc(arc: Arc) -> dict[str, Any]:
    direction = "left" if arc.dependent == arc.first else "right"
    return {"start": arc.first - 1, "end": arc.last - 1, "label": arc.label, "dir": direction}
