"""CoNLL-2009, read only.

The columns are ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED, and one APRED for each
predicate of the sentence. POS becomes `xpos`, because its tags are language-specific. Columns that CoNLL-U does not
have are kept in `misc`, as for CoNLL-U Plus: `PPOS=NN|PRED=bark.01|APRED1=A0`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gardenpath.formats.conllu import OnError, Source, read_blocks
from gardenpath.formats.conllup import read_named
from gardenpath.formats.document import Sentence

COLUMNS = (
    "ID", "FORM", "LEMMA", "PLEMMA", "XPOS", "PPOS", "FEATS", "PFEAT", "HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED",
    "PRED",
)


def read_conll09(source: Source, *, on_error: OnError | None = None) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-2009 file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`. With `on_error`, the error is passed to that function instead,
    and reading continues with the next sentence.
    """
    return read_blocks(source, _read_line, on_error)


def _read_line(sentence: Sentence, line: str) -> None:
    arguments = line.count("\t") + 1 - len(COLUMNS)
    read_named(sentence, line, (*COLUMNS, *(f"APRED{number}" for number in range(1, arguments + 1))))
