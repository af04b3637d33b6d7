"""Trees as spaCy's displaCy draws them: `displacy.render(document.to_displacy(), manual=True)`."""

from __future__ import annotations

from typing import Any

from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import Arc, arcs, is_right_to_left, showable, shown


def to_displacy(sentence: Sentence, *, lemmas: bool = False) -> dict[str, Any]:
    """Words and arcs as displaCy has them: numbered from 0, without an arc to the root."""
    return {
        "words": [_word(word, lemmas) for word in sentence],
        "arcs": [_arc(arc) for arc in arcs(sentence)],
        "settings": {"direction": "rtl" if is_right_to_left(sentence) else "ltr"},
    }


def _word(word: Word, lemmas: bool) -> dict[str, str | None]:
    return {"text": showable(word.form), "tag": shown(word.upos), "lemma": shown(word.lemma) if lemmas else None}


def _arc(arc: Arc) -> dict[str, Any]:
    return {"start": arc.first - 1, "end": arc.last - 1, "label": arc.label, "dir": "left" if arc.dependent == arc.first else "right"}
