"""Trees as text, for the terminal: one line per word, the dependents of a word above and below it.

      1 ┌─ She PRON nsubj
      2 reads VERB root
      3 │  ┌─ old ADJ amod
      4 ├─ books NOUN obj
      5 └─ . PUNCT punct

The words of a projective tree are in the order of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import plain_text, showable, shown

MAX_LEVELS = 200        # a line has three characters per level, so deeper trees would need too much space
FIRST, MIDDLE, LAST, BAR, SPACE = "┌─ ", "├─ ", "└─ ", "│  ", "   "
_CONTROL = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")       # of terminals, and of the direction of text


class _Block(NamedTuple):
    """A word with everything below it: its position, the starts of its line and of those above and below, its level."""

    word: int
    own: str
    above: str
    below: str
    level: int


class _Line(NamedTuple):
    """The line of a word. If its head is not drawn as such, `head` names it."""

    word: int
    start: str
    head: int | None = None


def to_text_tree(sentences: Iterable[Sentence]) -> str:
    """Return the trees of sentences, with a blank line between them."""
    return "\n".join(_tree(sentence) for sentence in sentences)


def with_text(sentence: Sentence) -> str:
    """Return the text of a sentence, its tree and a blank line."""
    return f"{_in_one_line(plain_text(sentence))}\n{_tree(sentence)}\n"


def _tree(sentence: Sentence) -> str:
    words = list(sentence)
    width = len(str(len(words)))
    lines = (f"{line.word:{width}} {line.start}{_described(words[line.word - 1], line)}" for line in _lines(words))
    return "".join(f"{line}\n" for line in lines)


def _lines(words: list[Word]) -> Iterator[_Line]:
    """Yield the line of each word.

    Words below the last level, and one word of each cycle, begin at the left and name their heads.
    """
    places = range(1, len(words) + 1)
    heads = {
        place: word.head for place, word in enumerate(words, 1)
        if word.head is not None and word.head in places and word.head != place
    }
    children: dict[int, list[int]] = {}
    for word, head in heads.items():
        children.setdefault(head, []).append(word)
    seen: set[int] = set()
    at_left = [place for place in places if place not in heads]
    for word in (*at_left, *heads):              # a word of `heads` that has not been seen by then is in a cycle
        if word in seen:
            continue
        waiting: list[_Block | _Line] = [_Block(word, "", "", "", 1)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, _Line):
                yield item
            elif item.word not in seen:
                seen.add(item.word)
                waiting += reversed(_parts(item, children.get(item.word, []), heads.get(item.word)))


def _parts(block: _Block, children: list[int], head: int | None) -> list[_Block | _Line]:
    """Return the blocks and the line that a block consists of, in their order."""
    word, own, above, below, level = block
    if level > MAX_LEVELS:
        own = above = below = ""
        level = 1
    above_side, above_bar, below_side, below_bar = above + MIDDLE, above + BAR, below + MIDDLE, below + BAR
    left = [_Block(child, above_side, above_bar, above_bar, level + 1) for child in children if child < word]
    right = [_Block(child, below_side, below_bar, below_bar, level + 1) for child in children if child > word]
    if left:
        left[0] = left[0]._replace(own=above + FIRST, above=above + SPACE)
    if right:
        right[-1] = right[-1]._replace(own=below + LAST, below=below + SPACE)
    return [*left, _Line(word, own, None if own else head), *right]


def _described(word: Word, line: _Line) -> str:
    head = "" if line.head is None else f"(head {line.head})"
    columns = (showable(word.form), shown(word.upos), shown(word.deprel), head)
    return _in_one_line(" ".join(filter(None, columns)))


def _in_one_line(text: str) -> str:
    return _CONTROL.sub("\ufffd", " ".join(text.split()))
