"""An index of sentences in a CoNLL-U file, which are read as words only if they match."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from gardenpath.errors import InputError
from gardenpath.formats.conllu import parse_block
from gardenpath.formats.document import Sentence
from gardenpath.queries.index import Index, Vocabulary
from gardenpath.queries.lines import Lines

LineBlock = tuple[str, int, list[bytes]]         # a file, the number of its first line here, the lines of a sentence


class FileIndex(Index):
    """An index of blocks of lines, each of which is one sentence.

    Sentences with multi-word tokens, empty nodes or anything unusual are read at once, which finds all errors. The
    index ends before the first sentence with an error, which is its `error`.
    """

    def __init__(self, blocks: Iterable[LineBlock], vocabulary: Vocabulary) -> None:
        self._blocks = list(blocks)
        self._lines = Lines()
        self._read: dict[int, Sentence] = {}
        failure = None
        try:
            for i, (_, _, lines) in enumerate(self._blocks):
                if not _is_unicode(lines) or not self._lines.add(lines):
                    self._lines.add(["\t".join(word.columns()).encode() for word in self.sentence(i)])
        except InputError as error:
            failure = error
        super().__init__((), vocabulary)
        self.error = failure

    def sentence(self, i: int) -> Sentence:
        """Return a sentence, numbered from 0."""
        if i not in self._read:
            name, first, lines = self._blocks[i]
            self._read[i] = parse_block(lines, name, first)
        return self._read[i]

    def comment(self, i: int, key: str) -> str | None:
        """Return the value of a comment of a sentence."""
        lines = [line.decode().rstrip("\r\n") for line in self._blocks[i][2] if line.startswith(b"#")]
        return Sentence(comments=lines).comment(key)

    def _read_trees(
        self, ids: dict[str, int], values: list[str | None]
    ) -> tuple[array[int], array[int], array[int]]:
        return self._lines.trees(ids, values)

    def _numbers(self, name: str, ids: dict[str, int], values: list[str | None], anchor: int) -> array[int]:
        return self._lines.numbers(name, ids, values, anchor)


def _is_unicode(lines: list[bytes]) -> bool:
    text = b"".join(lines)
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
