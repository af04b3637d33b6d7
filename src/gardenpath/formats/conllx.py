"""CoNLL-X, the format of the 2006 and 2007 shared tasks: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL.

CPOSTAG becomes `upos` and POSTAG `xpos`. PHEAD and PDEPREL, the projective tree that some treebanks give besides, are kept in `misc` as
`PHEAD=3|PDEPREL=obj` where they are not `_`, and written from there. Labels stay as they are (`ROOT` is not made `root`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.conllu import OnError, Source, check_next, items_of, read_blocks, read_comment, read_head, split_columns

KEPT = ("PHEAD", "PDEPREL")         # what of MISC has a column of its own
_SPACES = re.compile(r"\s+")


def read_conllx(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-X file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`; with `on_error` it is reported there instead, and reading goes on with the next.
    """
    return read_blocks(source, _read_line, on_error)


def to_conllx(sentence: Sentence) -> str:
    """The words of a sentence as CoNLL-X, with its blank line. A column has no spaces there: `_` stands for them."""
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
        raise ValueError(f"id {identity!r} is not a number; CoNLL-X has no ranges and no empty nodes, read CoNLL-U as such")
    check_next(sentence, identity)
    sentence.words.append(Word(int(identity), form, lemma, upos, xpos, feats, read_head(head), deprel, misc=_misc(phead, pdeprel)))


def _misc(phead: str, pdeprel: str) -> str:
    return "|".join(f"{key}={value}" for key, value in zip(KEPT, (phead, pdeprel), strict=True) if value != EMPTY) or EMPTY
