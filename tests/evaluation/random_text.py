"""Random CoNLL-U of the same text, with random tokenization, sentence splitting and annotation.

There are few letters and labels, so that many values agree by chance.
"""

from __future__ import annotations

import random

LABELS = [
    "nsubj", "nsubj:pass", "obj", "obl", "obl:tmod", "case", "det", "mark", "aux", "aux:pass", "cc", "punct", "conj",
    "dep", "weird", "_",
]
FEATS = ["_", "Case=Nom", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Case=Nom|Typo=Yes", "NumForm=Digit"]
SPACES = ["", "", "", "", " ", "\u00a0", "\u3000"]


def random_heads(rng: random.Random, words: int) -> list[int]:
    """Return the heads of a random tree with one root, projective or not."""
    order = rng.sample(range(1, words + 1), words)
    heads = [0] * words
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = rng.choice(order[:i])
    return heads


def random_conllu(rng: random.Random, text: str, *, multiword: float = 0.3, sentence_end: float = 0.2) -> str:
    """Split the text into sentences, tokens and words at random, and add random columns."""
    sentences: list[list[list[str]]] = [[]]
    while text:
        length = min(len(text), rng.choice([1, 1, 2, 3, 4]))
        sentences[-1].append(_token(rng, text[:length], multiword))
        text = text[length:]
        if text and rng.random() < sentence_end:
            sentences.append([])
    return "".join(_sentence(rng, tokens) for tokens in sentences)


def _token(rng: random.Random, text: str, multiword: float) -> list[str]:
    """Return the form of the token and, if it is a multi-word token, the forms of its words."""
    spaced = text[:1] + rng.choice(SPACES) + text[1:]
    if rng.random() >= multiword:
        return [spaced]
    if rng.random() < 0.5:
        return [spaced, text[:1] + rng.choice(SPACES), text[1:] or "b"]
    return [spaced, *rng.choices(["a", "b", "A", "ab", "ba", "aab"], k=rng.randint(1, 4))]


def _sentence(rng: random.Random, tokens: list[list[str]]) -> str:
    lines = ["# sent_id = random"]
    heads = random_heads(rng, sum(max(1, len(token) - 1) for token in tokens))
    word = 0
    for form, *pieces in tokens:
        if pieces:
            lines.append("\t".join([f"{word + 1}-{word + len(pieces)}", form, *"_" * 8]))
        for piece in pieces or [form]:
            word += 1
            lines.append("\t".join([str(word), piece, *_columns(rng, heads[word - 1])]))
            if rng.random() < 0.1:
                lines.append("\t".join([f"{word}.1", "empty", *"_" * 8]))
    return "\n".join([*lines, "", ""])


def _columns(rng: random.Random, head: int) -> list[str]:
    lemma, upos, xpos = rng.choice("_ab"), rng.choice(["NOUN", "VERB", "PUNCT"]), rng.choice("_N")
    return [lemma, upos, xpos, rng.choice(FEATS), str(head), rng.choice(LABELS) if head else "root", "_", "_"]
