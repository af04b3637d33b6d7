"""Counts of annotations that a format cannot represent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from operator import attrgetter

from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Sentence

COMMENTS, RANGES, EMPTY_NODES, SPACES = "comments", "multiword tokens", "empty nodes", "spaces in FORM and LEMMA"
HEAD, MISC = "HEAD", "MISC"
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", HEAD, "DEPREL", "DEPS", MISC)


class Losses:
    """A counter of the sentences that lose something in a conversion.

    `lacks` names what the format cannot represent, and `kept` the items of MISC that it can.
    """

    def __init__(self, lacks: Collection[str], kept: Collection[str] = ()) -> None:
        self.counts = dict.fromkeys(lacks, 0)
        self._kept = set(kept)

    def watch(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield the sentences unchanged and count what each of them loses."""
        for sentence in sentences:
            for thing in self.counts:
                self.counts[thing] += self._has(sentence, thing)
            yield sentence

    def __str__(self) -> str:
        """List what was lost and in how many sentences; the string is empty if nothing was lost."""
        return ", ".join(f"{thing} ({count:,})" for thing, count in self.counts.items() if count)

    def _has(self, sentence: Sentence, thing: str) -> bool:
        if thing == MISC:
            return any(word.misc != EMPTY and set(items_of(word.misc)) - self._kept for word in sentence)
        return _TESTS[thing](sentence)


def _column(name: str) -> Callable[[Sentence], bool]:
    column = attrgetter("raw_feats" if name == "FEATS" else name.lower())
    return lambda sentence: any(column(word) not in (EMPTY, None) for word in sentence)


_TESTS: dict[str, Callable[[Sentence], bool]] = {
    COMMENTS: lambda sentence: bool(sentence.comments),
    RANGES: lambda sentence: bool(sentence.ranges),
    EMPTY_NODES: lambda sentence: bool(sentence.empty_nodes),
    SPACES: lambda sentence: any(" " in word.form or " " in word.lemma for word in sentence),
    **{name: _column(name) for name in COLUMNS if name != MISC},
}
