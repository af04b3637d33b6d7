"""Inputs of `growth.py`: trees, sentences and texts that are easy to make large and unpleasant to process."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import gardenpath as gp

Heads = list[int]


def chain(n: int) -> Heads:
    """Return a tree in which each word depends on the word before it."""
    return list(range(n))


def left_chain(n: int) -> Heads:
    """Return a tree in which each word depends on the word after it."""
    return [*range(2, n + 1), 0]


def star(n: int) -> Heads:
    """Return a tree in which all words depend on the word in the middle."""
    middle = n // 2 + 1
    return [0 if word == middle else middle for word in range(1, n + 1)]


def zigzag(n: int) -> Heads:
    """Return a chain over the words 1, n, 2, n - 1, ...: deep and projective, with long arcs."""
    order = [word for pair in zip(range(1, n + 1), range(n, 0, -1), strict=True) for word in pair][:n]
    return along(order)


def braid(n: int) -> Heads:
    """Return two chains, of the odd and of the even words."""
    return [0, 1, *range(1, n - 1)][:n]


def two_stars(n: int) -> Heads:
    """Return a tree in which odd words depend on the first word and even words on the last."""
    return [0, *(1 if word % 2 or word == n else n for word in range(2, n + 1))]


def halves(n: int) -> Heads:
    """Return a chain of the words of the first half, each with one dependent in the second half."""
    half = (n + 1) // 2
    return [word - 1 if word <= half else word - half for word in range(1, n + 1)]


def random_tree(n: int) -> Heads:
    """Return a random tree: each word of a random order depends on an earlier one."""
    rng = Random(n)
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for at in range(1, n):
        heads[order[at] - 1] = order[rng.randrange(at)]
    return heads


def random_chain(n: int) -> Heads:
    """Return a chain over the words in a random order."""
    return along(Random(n).sample(range(1, n + 1), n))


def cycle(n: int) -> Heads:
    """Return one cycle of all words."""
    return [n, *range(1, n)]


def pairs(n: int) -> Heads:
    """Return cycles of two words each."""
    return [word + 1 if word % 2 else word - 1 for word in range(1, n - n % 2 + 1)] + [0] * (n % 2)


def along(order: list[int]) -> Heads:
    """Return the chain that visits the words in this order."""
    heads = [0] * len(order)
    for head, word in pairwise(order):
        heads[word - 1] = head
    return heads


TREES: dict[str, Callable[[int], Heads]] = {
    "chain": chain, "left chain": left_chain, "star": star, "zigzag": zigzag, "braid": braid, "two stars": two_stars,
    "halves": halves, "random tree": random_tree, "random chain": random_chain,
}
GRAPHS = {"cycle": cycle, "pairs": pairs}


def sentence(heads: Heads) -> gp.Sentence:
    """Return a tagged sentence with these heads."""
    labels = ("nsubj", "obj", "obl", "advmod", "punct")
    tags = ("NOUN", "VERB", "ADJ", "ADV", "PUNCT")
    words = [
        gp.Word(
            word, f"w{word % 97}", f"w{word % 89}", tags[word % 5], tags[word % 3], "_", head,
            labels[word % 5] if head else "root",
        )
        for word, head in enumerate(heads, 1)
    ]
    return gp.Sentence(words, [f"# sent_id = {len(heads)}"])


def comments(n: int) -> gp.Sentence:
    """Return a sentence with n comments."""
    made = sentence([0])
    made.comments += [f"# key{number} = value" for number in range(n)]
    return made


def features(n: int) -> gp.Sentence:
    """Return a word with n features, and n items in DEPS and in MISC."""
    made = sentence(chain(n))
    word = made.words[0]
    word.feats = "|".join(f"F{number:07}=V" for number in range(n))
    word.deps = "|".join(f"{number}:dep" for number in range(n))
    word.misc = "|".join(f"M{number:07}=V" for number in range(n))
    return made


def empty_nodes(n: int) -> gp.Sentence:
    """Return a word with n empty nodes after it."""
    made = sentence([0])
    made.empty_nodes = [gp.EmptyNode(1, number, "e") for number in range(1, n + 1)]
    return made


def one_range(n: int) -> gp.Sentence:
    """Return a multi-word token of n words."""
    made = sentence(chain(n))
    made.ranges = [gp.Token(1, n, "token" * n)] if n > 1 else []
    return made


def ranges(n: int) -> gp.Sentence:
    """Return multi-word tokens of two words each."""
    made = sentence(chain(n))
    made.ranges = [gp.Token(first, first + 1, f"t{first}") for first in range(1, n, 2)]
    return made


def long_form(n: int) -> gp.Sentence:
    """Return a word whose form and lemma have n characters."""
    made = sentence([0])
    made.words[0].form = made.words[0].lemma = "ab" * (n // 2)
    return made


SENTENCES: dict[str, Callable[[int], gp.Sentence]] = {
    **{name: (lambda n, make=make: sentence(make(n))) for name, make in (TREES | GRAPHS).items()},
    "comments": comments, "features": features, "empty nodes": empty_nodes, "one range": one_range, "ranges": ranges,
    "long form": long_form,
}
TEXTS: dict[str, Callable[[int], str]] = {
    "words": lambda n: "word " * n, "one word": lambda n: "a" * n, "spaces": lambda n: " " * n + "a",
    "line ends": lambda n: "\n" * n + "a", "full stops": lambda n: "." * n, "abbreviations": lambda n: "U.S." * n,
    "brackets": lambda n: "(" * n, "quotes": lambda n: "'\"" * n, "digits": lambda n: "1,1." * n,
    "accents": lambda n: "e\u0301\u0301" * n, "no spaces": lambda n: "\u732b\u304c" * n,
    "zero width": lambda n: "\u200b" * n + "a", "clitics": lambda n: "n't've" * n,
    "sentences": lambda n: "It is so. " * n, "paragraphs": lambda n: "It is so.\n\n" * n,
    "emoji": lambda n: "\U0001f469\u200d" * n, "unknown": lambda n: " ".join(f"x{i}y" for i in range(n)),
}
