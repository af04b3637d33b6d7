"""Random changes of tokenization and sentence splitting that keep the text and keep the trees valid."""

from __future__ import annotations

import random

from gardenpath import Sentence, Token, Word


def redivide(sentences: list[Sentence], rng: random.Random, rate: float = 0.1) -> list[Sentence]:
    """Merge and split words, form multi-word tokens and split sentences at random."""
    divided = []
    for sentence in sentences:
        for word in sentence.words:
            word.deps = "_"
        for i in range(len(sentence), 0, -1):
            if rng.random() < rate:
                rng.choice([merge, split, gather])(sentence, i)
        divided.extend(halves(sentence, rng.randint(1, len(sentence))) if rng.random() < rate else [sentence])
    return divided


def merge(sentence: Sentence, i: int) -> None:
    """Merge words i and i + 1 if they are tokens and one is the head of the other."""
    if i == len(sentence) or _in_range(sentence, i) or _in_range(sentence, i + 1):
        return
    left, right = sentence.words[i - 1 : i + 1]
    if left.head == i + 1:
        left.head, left.deprel = right.head, right.deprel
    elif right.head != i:
        return
    left.form += right.form
    del sentence.words[i]
    _renumber(sentence, {old: old - (old > i) for old in range(len(sentence) + 2)})


def split(sentence: Sentence, i: int) -> None:
    """Split word i if it is a token of at least two characters."""
    word = sentence.words[i - 1]
    rest = word.form[1:].strip()
    if not rest or _in_range(sentence, i):
        return
    _renumber(sentence, {old: old + (old > i) for old in range(len(sentence) + 1)})
    sentence.words.insert(i, Word(i + 1, rest, "_", word.upos, head=i, deprel="goeswith"))
    word.form = word.form[:1]


def gather(sentence: Sentence, i: int) -> None:
    """Form a multi-word token of words i and i + 1 if they are tokens."""
    if i < len(sentence) and not _in_range(sentence, i) and not _in_range(sentence, i + 1):
        sentence.ranges.append(Token(i, i + 1, sentence.words[i - 1].form + sentence.words[i].form))
        sentence.ranges.sort(key=lambda token: token.first)


def halves(sentence: Sentence, last: int) -> list[Sentence]:
    """Split the sentence after word `last`, unless that is inside a multi-word token."""
    if last == len(sentence) or any(token.first <= last < token.last for token in sentence.ranges):
        return [sentence]
    left = Sentence(sentence.words[:last], ranges=[token for token in sentence.ranges if token.last <= last])
    moved = [
        Token(token.first - last, token.last - last, token.form) for token in sentence.ranges if token.first > last
    ]
    right = Sentence(sentence.words[last:], ranges=moved)
    for half, before in ((left, 0), (right, last)):
        ids = range(before + 1, before + len(half) + 1)
        top = next(word for word in half.words if word.head not in ids)
        for word in half.words:
            word.head = 0 if word is top else word.head - before if word.head in ids else top.id - before
        for i, word in enumerate(half.words, 1):
            word.id = i
    return [left, right]


def _in_range(sentence: Sentence, i: int) -> bool:
    return any(token.first <= i <= token.last for token in sentence.ranges)


def _renumber(sentence: Sentence, new: dict[int, int]) -> None:
    sentence.empty_nodes.clear()
    for word in sentence.words:
        word.id, word.head = new[word.id], new[word.head or 0]
    for token in sentence.ranges:
        token.first, token.last = new[token.first], new[token.last]
