"""CoNLL-2009: ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED and, for each predicate of the sentence, an APRED.

POS becomes `xpos`, for its tags are the language's own. What CoNLL-U has no column for is kept in `misc` as in CoNLL-U Plus: `PPOS=NN|PRED=bark.01|APRED1=A0`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.formats.document import Sentence
from gardenpath.formats.conllu import OnError, Source, read_blocks
from gardenpath.formats.conllup import read_named

COLUMNS = ("ID", "FORM", "LEMMA", "PLEMMA", "XPOS", "PPOS", "FEATS", "PFEAT", "HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED")


def read_conll09(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-2009 file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`; with `on_error` it is reported there instead, and reading goes on with the next.
    """
    return read_blocks(source, _read_line, on_error)


def _read_line(sentence: Sentence, line: str) -> None:
    arguments = line.count("\t") + 1 - len(COLUMNS)
    read_named(sentence, line, (*COLUMNS, *(f"APRED{number}" for number in range(1, arguments + 1))))
