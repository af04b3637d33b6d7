"""The raw text of a treebank, with the ends of its tokens and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Token, Word
from gardenpath.formats.spacing import paragraphs, raw_text, sentence_text, text_of_paragraphs

__all__ = ["GoldText", "gold_text", "paragraphs", "raw_text", "sentence_text"]

MOST_PARAGRAPHS = 0.9  # paragraphs per sentence
INSIDE, TOKEN_END, SENTENCE_END = range(3)  # whether a character is the last one of a token or of a sentence


@dataclass(slots=True)
class GoldText:
    """The raw text of a treebank with gold tokens and sentences, for training a segmenter.

    `ends` has INSIDE, TOKEN_END or SENTENCE_END for each character that is not whitespace. `forms` are the forms of
    the tokens, and `words` the forms of each token's words.
    """

    text: str
    ends: NDArray[np.uint8]
    forms: list[str]
    words: list[tuple[str, ...]]


def gold_text(sentences: Iterable[Sentence]) -> GoldText:
    """Return the raw text of sentences with gold tokens and sentences.

    If nearly every sentence is a paragraph, sentences hardly ever end inside a paragraph, and a segmenter cannot learn
    where they do. The text is then a single paragraph.
    """
    found = list(sentences)
    parts = paragraphs(found)
    if len(parts) > MOST_PARAGRAPHS * len(found):
        parts = [found]
    ends: list[int] = []
    forms: list[str] = []
    words: list[tuple[str, ...]] = []
    for sentence in found:
        for token in sentence.tokens:
            if not token.form.strip():
                raise InputError(f"{sentence.where}: a token has no characters; fill in its FORM")
            ends += [INSIDE] * (len(_without_spaces(token.form)) - 1) + [TOKEN_END]
            forms.append(" ".join(token.form.split()))
            words.append(_forms(sentence, token))
        ends[-1] = SENTENCE_END
    return GoldText(text_of_paragraphs(parts), np.array(ends, dtype=np.uint8), forms, words)


def _forms(sentence: Sentence, token: Token | Word) -> tuple[str, ...]:
    if isinstance(token, Token):
        return tuple(word.form for word in sentence.words[token.first - 1 : token.last])
    return (token.form,)


def _without_spaces(text: str) -> str:
    return "".join(text.split())
