"""The raw text of a treebank, with the ends of its tokens and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Token, Word

PARAGRAPH_BREAK = "\n\n"
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


def paragraphs(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """Group sentences into paragraphs. The first sentence, `# newdoc` and `# newpar` begin a paragraph."""
    found: list[list[Sentence]] = []
    for sentence in sentences:
        if not found or _opens_paragraph(sentence):
            found.append([])
        found[-1].append(sentence)
    return found


def raw_text(sentences: Iterable[Sentence]) -> str:
    """Return the raw text of sentences.

    `SpaceAfter=No` suppresses the space after a token or a sentence. A blank line separates paragraphs.
    """
    return _text(paragraphs(sentences))


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
    return GoldText(_text(parts), np.array(ends, dtype=np.uint8), forms, words)


def sentence_text(sentence: Sentence) -> str:
    """Return the comment `# text` of a sentence, or its joined forms if the comment is missing or differs from them."""
    text = sentence.text
    spelled = "".join(token.form + ("" if _is_glued(token) else " ") for token in sentence.tokens).strip()
    return text if text is not None and text.split() == spelled.split() else spelled


def _opens_paragraph(sentence: Sentence) -> bool:
    return any(line[1:].partition("=")[0].split()[:1] in (["newdoc"], ["newpar"]) for line in sentence.comments)


def _text(parts: list[list[Sentence]]) -> str:
    return PARAGRAPH_BREAK.join(_paragraph_text(paragraph) for paragraph in parts)


def _paragraph_text(paragraph: list[Sentence]) -> str:
    texts = [sentence_text(sentence) + ("" if _is_glued(sentence.tokens[-1]) else " ") for sentence in paragraph]
    return "".join(texts).rstrip(" ")


def _is_glued(token: Token | Word) -> bool:
    return "SpaceAfter=No" in token.misc.split("|")


def _forms(sentence: Sentence, token: Token | Word) -> tuple[str, ...]:
    if isinstance(token, Token):
        return tuple(word.form for word in sentence.words[token.first - 1 : token.last])
    return (token.form,)


def _without_spaces(text: str) -> str:
    return "".join(text.split())
