"""CoNLL-X, the format of the 2006 and 2007 shared tasks: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL.

CPOSTAG becomes `upos` and POSTAG `xpos`. PHEAD and PDEPREL, the projective tree that some treebanks give besides, are kept in `misc` as
`PHEAD=3|PDEPREL=obj` where they are not `_`. Labels stay as they are (`ROOT` is not made `root`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.document import EMPTY, Sentence, Word
from gardenpath.formats.conllu import OnError, Source, check_next, read_blocks, read_comment, read_head, split_columns


def read_conllx(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-X file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`; with `on_error` it is reported there instead, and reading goes on with the next.
    """
    return read_blocks(source, _read_line, on_error)


def _read_line(sentence: Sentence, line: str) -> None:
    if read_comment(sentence, line):
        return
    identity, form, lemma, upos, xpos, feats, head, deprel, phead, pdeprel = split_columns(line)
    if not identity.isdecimal():
        raise ValueError(f"id {identity!r} is not a number; CoNLL-X has no ranges and no empty nodes, read CoNLL-U as such")
    check_next(sentence, identity)
    sentence.words.append(Word(int(identity), form, lemma, upos, xpos, feats, read_head(head), deprel, misc=_misc(phead, pdeprel)))


def _misc(phead: str, pdeprel: str) -> str:
    return "|".join(f"{key}={value}" for key, value in (("PHEAD", phead), ("PDEPREL", pdeprel)) if value != EMPTY) or EMPTY
