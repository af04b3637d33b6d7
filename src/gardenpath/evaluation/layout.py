"""The sentences of a file as one sequence of characters and words, with spans and heads as positions in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Word
from gardenpath.trees import find_problems

Span = tuple[int, int]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

ROOT = -1
SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")  # Unicode category Zs
UNPARSED = "only parsed sentences can be evaluated, so fill in HEAD and DEPREL with `gardenpath parse`"


@dataclass(slots=True)
class TextLayout:
    """One side of an evaluation, gold or system, and the name of its source.

    A span is (start, end) in `characters`, the text of all tokens without spaces. A word in a multi-word token has the
    span of the token. `heads` are positions in `words`, or ROOT.
    """

    side: str
    name: str = ""
    sentences: list[Sentence] = field(default_factory=list)
    characters: str = ""
    tokens: list[Span] = field(default_factory=list)
    sentence_spans: list[Span] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    multiword: list[bool] = field(default_factory=list)
    heads: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    def place(self, sentence: int) -> str:
        """Return the name of a sentence for messages: file and line if they are known, otherwise its number."""
        known = self.sentences[sentence]
        return known.where if known.place or known.sent_id else f"{self.side} sentence {sentence + 1}"

    def lengths(self) -> Integers:
        """Return the number of words of each sentence."""
        return np.array([len(sentence) for sentence in self.sentences], np.int64)

    def starts(self) -> Integers:
        """Return the position of the first word of each sentence."""
        lengths = self.lengths()
        return np.cumsum(lengths) - lengths

    def sentence_of(self, word: int) -> int:
        """Return the number of the sentence, from 0, that the word at this position belongs to."""
        return int(np.searchsorted(self.starts(), word, side="right")) - 1


def lay_out(sentences: Iterable[Sentence], side: str, name: str, *, multi_root: bool = False) -> TextLayout:
    """Combine sentences to one layout. `name` is the name of the source.

    An `InputError` is raised if there are no sentences, if a sentence is not a tree, or if it has several roots and
    `multi_root` is false.
    """
    layout = TextLayout(side, name)
    pieces: list[str] = []
    heads: list[int] = []
    end = 0
    for sentence in sentences:
        layout.sentences.append(sentence)
        heads.extend(_tree(sentence, layout, len(layout.words), single_root=not multi_root))
        start = end
        end = _add_tokens(sentence, layout, start, pieces)
        layout.sentence_spans.append((start, end))
    if not layout.sentences:
        raise InputError(f"{name}: no sentences; give CoNLL-U with at least one")
    layout.characters = "".join(pieces)
    layout.heads = np.array(heads, np.int64)
    return layout


def _add_tokens(sentence: Sentence, layout: TextLayout, end: int, pieces: list[str]) -> int:
    inside = {token.first: token for token in sentence.ranges}
    last = 0
    for position, word in enumerate(sentence.words, 1):
        form = word.form
        multiword = position <= last or position in inside
        if position > last:
            if multiword:
                last = inside[position].last
            text = SPACES.sub("", inside[position].form if multiword else form)
            if not text:
                place = layout.place(len(layout.sentences) - 1)
                raise InputError(f"{place}: the token at word {position} has no characters; fill in its FORM")
            pieces.append(text)
            start, end = end, end + len(text)
            layout.tokens.append((start, end))
        layout.words.append(word)
        layout.forms.append(form if multiword else text)
        layout.spans.append(layout.tokens[-1])
        layout.multiword.append(multiword)
    return end


def _tree(sentence: Sentence, layout: TextLayout, before: int, *, single_root: bool) -> list[int]:
    """Return the heads as positions in the file, with `before` words before the sentence."""
    heads = sentence.heads
    problems = find_problems(heads, single_root=single_root)
    if problems:
        remedy = UNPARSED if None in heads else problems[0].remedy
        raise InputError(f"{layout.place(len(layout.sentences) - 1)}: {problems[0].fault}; {remedy}")
    return [before + head - 1 if head else ROOT for head in heads]
