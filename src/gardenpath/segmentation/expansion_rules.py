"""The rules behind the multiword tokens of a treebank.

A rule (cut, first, middle, last, keeps, part) makes words of a form. The first word is the form without its last `cut` characters, or nothing of it if `cut` is
WHOLE, and `first` behind it; `middle` are the words between; the last word is `last` and behind it the last `part` characters of the form if the rule `keeps`
these, or else all but the first `part`. So (3, "", (), "", True, 3) makes `do` `n't` of `don't`, and (1, "e", (), "le", True, 0) makes `De` `le` of `Du`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Rule = tuple[int, str, tuple[str, ...], str, bool, int]
MultiwordToken = tuple[str, tuple[str, ...]]

WHOLE = -1
MOST_RULES = 1000


def learn_rules(tokens: Sequence[MultiwordToken]) -> tuple[list[Rule], list[int]]:
    """The rules behind these forms and their words, the most used first, and for each token the number of its rule, from 1; 0 if that is too rare to be kept.

    Where several rules explain a token, its is the one that explains most forms of the treebank.
    """
    kinds = sorted(set(tokens))
    support = Counter(rule for token in kinds for rule in _explanations(*token))
    chosen = {token: max(_explanations(*token), key=lambda rule: support[rule]) for token in kinds}
    uses = Counter(chosen[token] for token in tokens)
    rules = sorted(uses, key=lambda rule: (-uses[rule], rule))[:MOST_RULES]
    numbers = {rule: number for number, rule in enumerate(rules, 1)}
    return rules, [numbers.get(chosen[token], 0) for token in tokens]


def _explanations(form: str, words: tuple[str, ...]) -> list[Rule]:
    """The rules that make these words of the form."""
    first, *middle, last = words
    head = _common(form, first)
    tail = _common(form[::-1], last[::-1])
    beginnings = [(len(form) - head, first[head:])] if head else []
    beginnings.append((WHOLE, first))
    endings = [(last[: len(last) - tail], True, tail)]
    if tail:
        endings.append((last[: len(last) - tail], False, len(form) - tail))
    return [(*beginning, tuple(middle), *ending) for beginning in beginnings for ending in endings]


def _common(one: str, other: str) -> int:
    """How many characters do both begin with?"""
    return next((i for i, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), min(len(one), len(other)))
