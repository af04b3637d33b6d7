"""Rules that split the multi-word tokens of a treebank into words.

A rule is a tuple (cut, first, middle, last, keeps, part):

- The first word is the form without its last `cut` characters, followed by `first`. If `cut` is WHOLE, it is `first`.
- `middle` contains the words between the first and the last.
- The last word is `last`, followed by the last `part` characters of the form if `keeps` is true, and otherwise by all
  but the first `part` characters.

For example, (3, "", (), "", True, 3) splits `don't` into `do` and `n't`, and (1, "e", (), "le", True, 0) splits `Du`
into `De` and `le`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gardenpath.core.stored import LONGEST_ADDED

Rule = tuple[int, str, tuple[str, ...], str, bool, int]
MultiwordToken = tuple[str, tuple[str, ...]]

WHOLE = -1
MOST_RULES = 1000
MOST_MIDDLE = 100        # words between the first and the last word


def learn_rules(tokens: Sequence[MultiwordToken]) -> tuple[list[Rule], list[int]]:
    """Learn rules from multi-word tokens.

    Where several rules produce the words of a token, the rule that fits the most forms of the treebank is chosen.

    Returns:
        The rules, the most frequent first, and for each token the number of its rule, counted from 1, or 0 if the rule
        is too rare to be kept.
    """
    kinds = sorted(set(tokens))
    support = Counter(rule for token in kinds for rule in _explanations(*token))
    chosen = {token: max(_explanations(*token), key=lambda rule: support[rule]) for token in kinds}
    uses = Counter(chosen[token] for token in tokens if _is_short(chosen[token]))
    rules = sorted(uses, key=lambda rule: (-uses[rule], rule))[:MOST_RULES]
    numbers = {rule: number for number, rule in enumerate(rules, 1)}
    return rules, [numbers.get(chosen[token], 0) for token in tokens]


def _is_short(rule: Rule) -> bool:
    """Return whether a model file may have the rule."""
    _, first, middle, last, _, _ = rule
    return len(middle) <= MOST_MIDDLE and all(len(text) <= LONGEST_ADDED for text in (first, *middle, last))


def _explanations(form: str, words: tuple[str, ...]) -> list[Rule]:
    """Return the rules that make these words of the form."""
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
    """Return the length of the longest common prefix."""
    different = (i for i, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(different, min(len(one), len(other)))
