"""The raw text behind a treebank, and where its tokens and sentences end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Token, Word

PARAGRAPH_BREAK = "\n\n"
MOST_PARAGRAPHS = 0.9  # a sentence
INSIDE, TOKEN_END, SENTENCE_END = range(3)  # what a character is: within a token, the last of one, the last of a sentence


@dataclass(slots=True)
class GoldText:
    """A treebank as a segmenter learns from it.

    `ends` says of each character that is no whitespace whether a token or a sentence ends with it; `forms` are those of the tokens, `words` those of the words
    that each stands for.
    """

    text: str
    ends: NDArray[np.uint8]
    forms: list[str]
    words: list[tuple[str, ...]]


def paragraphs(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """The sentences by paragraphs: `# newdoc` and `# newpar` begin one, and so does the first sentence."""
    found: list[list[Sentence]] = []
    for sentence in sentences:
        if not found or _opens_paragraph(sentence):
            found.append([])
        found[-1].append(sentence)
    return found


def raw_text(sentences: Iterable[Sentence]) -> str:
    """The text that the sentences were divided from: a space between them where none is denied, a blank line before a paragraph."""
    return _text(paragraphs(sentences))


def gold_text(sentences: Iterable[Sentence]) -> GoldText:
    """The raw text with all that is to be found in it.

    A treebank with a paragraph for nearly every sentence would show no ends of sentences but these: its text is then one paragraph.
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
                raise InputError(f"{sentence.where}: a token has no characters; write its FORM")
            ends += [INSIDE] * (len(_without_spaces(token.form)) - 1) + [TOKEN_END]
            forms.append(" ".join(token.form.split()))
            words.append(_forms(sentence, token))
        ends[-1] = SENTENCE_END
    return GoldText(_text(parts), np.array(ends, dtype=np.uint8), forms, words)


def sentence_text(sentence: Sentence) -> str:
    """The text of a sentence: its comment `# text`, or its forms where these say otherwise."""
    text = sentence.text
    spelled = "".join(token.form + ("" if _is_glued(token) else " ") for token in sentence.tokens).strip()
    return text if text is not None and text.split() == spelled.split() else spelled


def _opens_paragraph(sentence: Sentence) -> bool:
    return any(line[1:].partition("=")[0].split()[:1] in (["newdoc"], ["newpar"]) for line in sentence.comments)


def _text(parts: list[list[Sentence]]) -> str:
    return PARAGRAPH_BREAK.join(_paragraph_text(paragraph) for paragraph in parts)


def _paragraph_text(paragraph: list[Sentence]) -> str:
    pieces = [sentence_text(sentence) + ("" if _is_glued(sentence.tokens[-1]) else " ") for sentence in paragraph]
    return "".join(pieces).rstrip(" ")


def _is_glued(token: Token | Word) -> bool:
    return "SpaceAfter=No" in token.misc.split("|")


def _forms(sentence: Sentence, token: Token | Word) -> tuple[str, ...]:
    return tuple(word.form for word in sentence.words[token.first - 1 : token.last]) if isinstance(token, Token) else (token.form,)


def _without_spaces(text: str) -> str:
    return "".join(text.split())
