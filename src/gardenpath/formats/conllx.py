"""CoNLL-X, the format of the 2006 and 2007 shared tasks.

The columns are ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL. CPOSTAG becomes `upos` and POSTAG `xpos`.
PHEAD and PDEPREL, a projective tree that some treebanks provide, are stored in `misc` as `PHEAD=3|PDEPREL=obj` if they
are not `_`, and are written from there. Labels are not changed (`ROOT` does not become `root`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gardenpath.formats.conllu import (
    OnError,
    Source,
    check_next,
    items_of,
    read_blocks,
    read_comment,
    read_head,
    split_columns,
)
from gardenpath.formats.document import EMPTY, Sentence, Word

KEPT = ("PHEAD", "PDEPREL")         # items of MISC that have their own column
_SPACES = re.compile(r"\s+")


def read_conllx(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-X file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`. With `on_error`, the error is passed to that function instead,
    and reading continues with the next sentence.
    """
    return read_blocks(source, _read_line, on_error)


def to_conllx(sentence: Sentence) -> str:
    """Return the words of a sentence as CoNLL-X, with a blank line after them. Spaces in columns become `_`."""
    return "".join(_line(word) for word in sentence) + "\n"


def _line(word: Word) -> str:
    projective = items_of(word.misc)
    columns = (*word.columns()[:8], *(projective.get(key) or EMPTY for key in KEPT))
    return "\t".join(_SPACES.sub("_", column) for column in columns) + "\n"


def _read_line(sentence: Sentence, line: str) -> None:
    if read_comment(sentence, line):
        return
    identity, form, lemma, upos, xpos, feats, head, deprel, phead, pdeprel = split_columns(line)
    if not identity.isdecimal():
        problem = f"id {identity!r} is not a number"
        raise ValueError(f"{problem}; CoNLL-X has no ranges and no empty nodes, so read CoNLL-U files as CoNLL-U")
    check_next(sentence, identity)
    misc = _misc(phead, pdeprel)
    sentence.words.append(Word(int(identity), form, lemma, upos, xpos, feats, read_head(head), deprel, misc=misc))


def _misc(phead: str, pdeprel: str) -> str:
    items = zip(KEPT, (phead, pdeprel), strict=True)
    return "|".join(f"{key}={value}" for key, value in items if value != EMPTY) or EMPTY
