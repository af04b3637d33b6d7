"""CoNLL-U Plus: CoNLL-U with other columns.

The first line of the file names the columns: `# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE`. Columns that
CoNLL-U does not have are stored in `misc` under their names (`PARSEME:MWE=1:LVC.full`) and written from there; `\\p`
stands for `|` and `\\\\` for a backslash. CoNLL-U columns that the file does not have are `_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import (
    BOM,
    OnError,
    Source,
    blocks,
    items_of,
    parse_block,
    read_line,
    split_columns,
)
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.formats.joining import separated

TEN = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
HEADER = "# global.columns ="
_HEADER = re.compile(r"#\s*global\.columns\s*=(.*)")


class ConlluPlus(Iterator[Sentence]):
    """An iterator over the sentences of a CoNLL-U Plus file. `columns` are the names of its columns."""

    def __init__(self, source: Source, on_error: OnError | None = None) -> None:
        self._on_error = on_error
        self._blocks = blocks(source)
        self.columns: tuple[str, ...] = TEN
        for name, first, (header, *rest) in self._blocks:
            self.columns = _read_header(header, f"{name}:{first}")
            if any(line.strip() for line in rest):
                self._blocks = chain([(name, first + 1, rest)], self._blocks)
            break

    def __next__(self) -> Sentence:
        for name, first, block in self._blocks:
            try:
                return parse_block(block, name, first, self._read_line)
            except InputError as error:
                if self._on_error is None:
                    raise
                self._on_error(error)
        raise StopIteration

    def _read_line(self, sentence: Sentence, line: str) -> None:
        read_named(sentence, line, self.columns)


def read_conllup(source: Source, *, on_error: OnError | None = None) -> ConlluPlus:
    """Read the sentences of a CoNLL-U Plus file (`-` is standard input) one by one.

    A sentence that cannot be read raises `InputError`. With `on_error`, the error is passed to that function instead,
    and reading continues with the next sentence.
    """
    return ConlluPlus(source, on_error)


def read_named(sentence: Sentence, line: str, columns: Sequence[str]) -> None:
    """Add a line with the named columns to its sentence."""
    if line.startswith("#"):
        read_line(sentence, line)
        return
    values = dict(zip(columns, split_columns(line, len(columns)), strict=True))
    misc = values.get("MISC", EMPTY)
    others = [name for name in columns if name not in TEN and values[name] != EMPTY]
    taken = next((name for name in others if name in items_of(misc)), None)
    if taken:
        raise ValueError(f"MISC has an item {taken}, and there is also a column {taken}; rename one of them")
    items = [*([misc] if misc != EMPTY else []), *(f"{name}={_escaped(values[name])}" for name in others)]
    read_line(sentence, "\t".join([*(values.get(name, EMPTY) for name in TEN[:-1]), "|".join(items) or EMPTY]))


def conllup_parts(sentences: Iterable[Sentence], columns: Sequence[str] | None = None) -> Iterator[str]:
    """Yield the header and then each sentence as CoNLL-U Plus. The default columns are the ten of CoNLL-U."""
    chosen = check_columns(columns or TEN)
    waiting = iter(sentences)
    found = list(islice(waiting, 1))
    yield f"{HEADER} {' '.join(chosen)}{found[0].newline if found else chr(10)}"
    yield from separated((sentence, _in_columns(sentence, chosen)) for sentence in chain(found, waiting))


def _in_columns(sentence: Sentence, columns: Sequence[str]) -> str:
    lines = [*sentence.comments, *("\t".join(_values(node.columns(), columns)) for node in sentence.nodes())]
    return sentence.newline.join(lines) + sentence.ending


def check_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Check that a file can have these columns."""
    bad = any(not name or name.split() != [name] or set("=|") & set(name) for name in columns)
    if bad or "ID" not in columns or len(set(columns)) < len(columns):
        raise UsageError(
            f"the column names {' '.join(columns)!r} are not valid; ID must be among them, and each name must be "
            "unique and must not contain spaces, `=` or `|`"
        )
    return tuple(columns)


def _read_header(line: bytes, place: str) -> tuple[str, ...]:
    found = _HEADER.match(line.decode("utf-8", "replace").removeprefix(BOM))
    if not found:
        problem = f"CoNLL-U Plus starts with the line `{HEADER} ID FORM ...`"
        raise InputError(f"{place}: {problem}; add it, or read the file as CoNLL-U")
    try:
        return check_columns(found[1].split())
    except UsageError as error:
        raise InputError(f"{place}: {error}") from None


def _values(ten: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the values of these columns. Items of MISC that have their own column are removed from MISC."""
    values = dict(zip(TEN, ten, strict=True))
    own = [name for name in columns if name not in TEN]
    if own:
        taken = {name: value for name, value in items_of(values["MISC"]).items() if value and name in own}
        left = [item for item in values["MISC"].split("|") if item.partition("=")[0] not in taken]
        values["MISC"] = "|".join(left) or EMPTY
        values |= {name: _plain(value) for name, value in taken.items()}
    return [values.get(name, EMPTY) for name in columns]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("|", "\\p")


def _plain(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: "|" if found[1] == "p" else found[1], value)
