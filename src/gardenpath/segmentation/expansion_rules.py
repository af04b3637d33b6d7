"""Rules that split the multi-word tokens of a treebank into words.

There are two kinds of rules. A rule of the first kind is a tuple (cut, first, middle, last, keeps, part):

- The first word is the form without its last `cut` characters, followed by `first`. If `cut` is WHOLE, it is `first`.
- `middle` contains the words between the first and the last.
- The last word is `last`, followed by the last `part` characters of the form if `keeps` is true, and otherwise by all
  but the first `part` characters.

For example, (3, "", (), "", True, 3) splits `don't` into `do` and `n't`, and (1, "e", (), "le", True, 0) splits `Du`
into `De` and `le`.

A rule of the second kind is a tuple (before, front, skip, drop, back, after). One word is a slice of the form: the form
without its first `skip` and its last `drop` characters, between `front` and `back`. `before` and `after` contain the
other words. For example, (("w",), "", 1, 1, "", ("h",)) splits `wktabh` into `w`, `ktab` and `h`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from gardenpath.core.shapes import OneOf
from gardenpath.core.stored import LONGEST_ADDED

EdgeRule = tuple[int, str, tuple[str, ...], str, bool, int]
SliceRule = tuple[tuple[str, ...], str, int, int, str, tuple[str, ...]]
Rule = EdgeRule | SliceRule
MultiwordToken = tuple[str, tuple[str, ...]]

WHOLE = -1
MOST_RULES = 1000
MOST_MIDDLE = 100        # words besides the first and the last word, or besides the slice
LONGEST_SLICED = 100     # characters of the form and the words of a token in which slices are looked for

STORED_RULE = OneOf((int, str, [str], str, bool, int), ([str], str, int, int, str, [str]))


def learn_rules(tokens: Sequence[MultiwordToken]) -> tuple[list[Rule], list[int]]:
    """Learn rules from multi-word tokens.

    Where several rules produce the words of a token, the rule that fits the most forms of the treebank is chosen. Where
    rules of both kinds fit equally many forms, a rule of the first kind is chosen.

    Returns:
        The rules, the most frequent first, and for each token the number of its rule, counted from 1, or 0 if the rule
        is too rare to be kept.
    """
    explanations = {token: _explanations(*token) for token in sorted(set(tokens))}
    support = Counter(rule for rules in explanations.values() for rule in rules)
    chosen = {token: max(rules, key=lambda rule: support[rule]) for token, rules in explanations.items()}
    uses = Counter(chosen[token] for token in tokens if _is_short(chosen[token]))
    rules = sorted(uses, key=lambda rule: (-uses[rule], is_slice_rule(rule), rule))[:MOST_RULES]
    numbers = {rule: number for number, rule in enumerate(rules, 1)}
    return rules, [numbers.get(chosen[token], 0) for token in tokens]


def is_slice_rule(rule: Sequence[Any]) -> bool:
    """Return whether a rule, also one from a model file, is of the second kind."""
    return not isinstance(rule[0], int)


def stored(rule: Rule) -> list[Any]:
    """Return the rule as it is stored in a model file."""
    return [list(part) if isinstance(part, tuple) else part for part in rule]


def _is_short(rule: Rule) -> bool:
    """Return whether a model file may have the rule."""
    texts: list[str] = []
    for part in rule:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, tuple):
            texts += part
    return len(texts) - 2 <= MOST_MIDDLE and all(len(text) <= LONGEST_ADDED for text in texts)


def _explanations(form: str, words: tuple[str, ...]) -> list[Rule]:
    """Return the rules that make these words of the form, those of the first kind first."""
    return [*_edge_rules(form, words), *_slice_rules(form, words)]


def _edge_rules(form: str, words: tuple[str, ...]) -> list[EdgeRule]:
    first, *middle, last = words
    head = _common(form, first)
    tail = _common(form[::-1], last[::-1])
    beginnings = [(len(form) - head, first[head:])] if head else []
    beginnings.append((WHOLE, first))
    endings = [(last[: len(last) - tail], True, tail)]
    if tail:
        endings.append((last[: len(last) - tail], False, len(form) - tail))
    return [(*beginning, tuple(middle), *ending) for beginning in beginnings for ending in endings]


def _slice_rules(form: str, words: tuple[str, ...]) -> Iterator[SliceRule]:
    """Yield the rules with the longest slice of each word, except where a rule of the first kind has this slice."""
    if len(words) > MOST_MIDDLE or max(map(len, (form, *words))) > LONGEST_SLICED:
        return
    for i, word in enumerate(words):
        for skip, start, length in _longest_common(form, word):
            front, back, drop = word[:start], word[start + length :], len(form) - skip - length
            begins = i == 0 and skip == 0 and not front
            ends = i == len(words) - 1 and drop == 0 and not back
            if not begins and not ends:
                yield words[:i], front, skip, drop, back, words[i + 1 :]


def _longest_common(form: str, word: str) -> list[tuple[int, int, int]]:
    """Return the longest common substrings, each as its start in the form, its start in the word, and its length."""
    longest = [(i, j) for i, left in enumerate(form) for j, right in enumerate(word) if left == right]
    equal = set(longest)
    length = 1
    while longer := [(i, j) for i, j in longest if (i + length, j + length) in equal]:
        longest = longer
        length += 1
    return [(i, j, length) for i, j in longest]


def _common(one: str, other: str) -> int:
    """Return the length of the longest common prefix."""
    different = (i for i, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(different, min(len(one), len(other)))
