"""Trees as text, for the terminal: one line per word, the dependents of a word above and below it.

      1   ┌─ She PRON nsubj
      2 reads VERB root
      3   │  ┌─ old ADJ amod
      4   ├─ books NOUN obj
      5   └─ . PUNCT punct

The words of a projective tree are in the order of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence, Word
from gardenpath.formats.drawing import arcs, plain_text, showable, shown

MAX_LEVELS = 200        # a line has three characters per level, so deeper trees would need too much space
FIRST, MIDDLE, LAST, BAR, SPACE = "┌─ ", "├─ ", "└─ ", "│  ", "   "

Task = tuple[Word, str, str, str, int]      # a word, the start of its line and of those above and below, its level


def to_text_tree(sentences: Iterable[Sentence]) -> str:
    """Return the trees of sentences, with a blank line between them."""
    return "\n".join(_tree(sentence) for sentence in sentences)


def with_text(sentence: Sentence) -> str:
    """Return the text of a sentence, its tree and a blank line."""
    return f"{_in_one_line(plain_text(sentence))}\n{_tree(sentence)}\n"


def _tree(sentence: Sentence) -> str:
    width = len(str(len(sentence)))
    lines = [f"{word.id:{width}} {start}{_described(word)}\n" for word, start in _lines(sentence)]
    if len(lines) < len(sentence):
        raise InputError(
            f"{sentence.where}: some heads form a cycle, so there is no tree to draw; `gardenpath check` finds such "
            "sentences"
        )
    return "".join(lines)


def _lines(sentence: Sentence) -> Iterator[tuple[Word, str]]:
    """Yield each word with the start of its line. Words that are in a cycle or below one are left out."""
    words = list(sentence)
    children: dict[int, list[Word]] = {}
    for arc in arcs(sentence):
        children.setdefault(arc.head, []).append(words[arc.dependent - 1])
    below_others = {word.id for dependents in children.values() for word in dependents}
    waiting: list[Task | tuple[Word, str]] = [
        (word, "", "", "", 1) for word in reversed(words) if word.id not in below_others
    ]
    while waiting:
        task = waiting.pop()
        if len(task) == 2:
            yield task
            continue
        word, own, above, below, level = task
        if level > MAX_LEVELS:
            raise InputError(
                f"{sentence.where}: the tree has more than {MAX_LEVELS} levels, too many to draw it as text; write "
                "another format"
            )
        left = [child for child in children.get(word.id, ()) if child.id < word.id]
        right = [child for child in children.get(word.id, ()) if child.id > word.id]
        waiting += [
            (child, below + (LAST if child is right[-1] else MIDDLE), below + BAR,
             below + (SPACE if child is right[-1] else BAR), level + 1)
            for child in reversed(right)
        ]
        waiting.append((word, own))
        waiting += [
            (child, above + (FIRST if child is left[0] else MIDDLE), above + (SPACE if child is left[0] else BAR),
             above + BAR, level + 1)
            for child in reversed(left)
        ]


def _described(word: Word) -> str:
    return " ".join(filter(None, (_in_one_line(showable(word.form)), shown(word.upos), shown(word.deprel))))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
