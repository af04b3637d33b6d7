"""`gardenpath search`: search trees for a construction."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from gardenpath.cli import tables
from gardenpath.cli.options import PLAIN, Output, binary_output, output
from gardenpath.errors import UsageError
from gardenpath.files import require_other_file
from gardenpath.formats.document import Sentence
from gardenpath.formats.joining import conllu_parts
from gardenpath.formats.sheets import write_rows
from gardenpath.formats.treebank_folder import conllu_files
from gardenpath.queries import output as results
from gardenpath.queries.marking import marked_text, pieces
from gardenpath.queries.match import Match
from gardenpath.queries.searching import Matches, search

FORMATS = {
    "text": (".txt",), "conllu": (".conllu",), "csv": (".csv",), "tsv": (".tsv",), "xlsx": (".xlsx",),
    "svg": (".svg",), "html": (".html", ".htm"),
}
TABLES = ("csv", "tsv", "xlsx")
UNDEFINED = "_"


def command(
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="What to search, in the language of Grew-match.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="CoNLL-U files or folders of them; standard input if none is given."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="Count matches by V.lemma, e.label and the like; may be repeated."),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number of matches.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=0, help="Stop after this number of matches.", show_default="all")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help=f"Output format: {', '.join(FORMATS)}.", show_default="from the extension, or text"
        ),
    ] = None,
    output_file: Output = "-",
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="KEYS", help="Tables: the columns, such as 'sent_id V.lemma e.label'.",
            show_default="id, form, lemma and upos of each node, and the labels of named edges",
        ),
    ] = None,
    from_file: Annotated[
        bool, typer.Option("--from-file", "-f", help="PATTERN is the name of a file that contains the pattern.")
    ] = False,
) -> None:
    """Search trees for a construction, and show, count or save the matches.

    A pattern describes words and relations between them: `pattern { V [upos=VERB]; V -[nsubj]-> S }`. The matched words
    are marked with their names. docs/search.md has the whole language.

    Examples: gardenpath search 'pattern { V -[obj]-> O; O << V }' dev.conllu; gardenpath search 'e: V -> N' dev.conllu
    --by V.lemma --by e.label; gardenpath search 'X [lemma=/un.*/]' dev.conllu -o words.csv
    """
    if output_file != "-":
        searched = [path for file in files or () for path in conllu_files(file)]
        require_other_file(output_file, (*searched, pattern if from_file else None), "the output")
    text = Path(pattern).read_text(encoding="utf-8") if from_file else pattern
    matches = search(list(files or ["-"]), text, limit=limit)
    format = to or _by_ending(output_file)
    if format not in FORMATS:
        raise UsageError(f"no output format is called {format!r}; choose one of {', '.join(FORMATS)}")
    if columns is not None and (by or count or format not in TABLES):
        raise UsageError(f"--columns needs the format {' or '.join(TABLES)}, and neither --by nor --count")
    if count and by:
        raise UsageError("--by prints the number of matches for each value; leave out --count")
    if count:
        with output(output_file) as file:
            file.write(f"{matches.count()}\n")
    elif by:
        _write_counts(matches, [key.strip() for keys in by for key in _split(keys)], format, output_file)
    else:
        _write(matches, format, output_file, _split(columns or "", " "))


def _by_ending(path: str) -> str:
    if path == "-":
        return "text"
    ending = Path(path).suffix.lower()
    for name, endings in FORMATS.items():
        if ending in endings:
            return name
    raise UsageError(f"{path}: unknown file extension; name the format with --to: {', '.join(FORMATS)}")


def _split(keys: str, separators: str = "") -> list[str]:
    """Split keys at commas outside brackets, as in `V.lemma,delta(X, Y)`, and at other separators."""
    parts, depth = [""], 0
    for character in keys:
        depth += (character == "(") - (character == ")")
        if not depth and character in f",{separators}":
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip()]


def _write_counts(matches: Matches, keys: list[str], format: str, output_file: str) -> None:
    if format not in ("text", *TABLES):
        raise UsageError(f"counts cannot be written as {format}; use --to text, {' or '.join(TABLES)}")
    counts = matches.count_by(*keys)
    if format != "text" or output_file != "-":
        with binary_output(output_file) as file:
            write_rows(*results.count_table(counts, keys), file, format if format != "text" else "tsv")
        return
    total = sum(counts.values())
    rows = [
        (*(UNDEFINED if value is None else value for value in values), f"{number:,}", f"{100 * number / total:.1f}")
        for values, number in results.ranked(counts)
    ]
    tables.show(_summary(matches, total), (*keys, "Matches", "Per cent"), rows)


def _write(matches: Matches, format: str, output_file: str, columns: list[str]) -> None:
    counted = _Counted(matches)
    if format == "text" and output_file == "-" and sys.stdout.isatty():
        console = Console(highlight=False)
        for match in counted:
            console.print(_coloured(match), **PLAIN)
    elif format in TABLES:
        keys = [key.strip() for key in columns or results.default_columns(matches.pattern)]
        rows = counted.rows(keys)
        with binary_output(output_file) as table:
            write_rows(keys, rows, table, format)
    else:
        with output(output_file) as file:
            file.writelines(_parts(matches, counted, format))
    print(f"gardenpath: {_summary(matches, counted.number, counted.sentences)}", file=sys.stderr)


def _parts(matches: Matches, counted: _Counted, format: str) -> Iterator[str]:
    if format == "conllu":
        yield from conllu_parts(results.with_matches(sentence, found) for sentence, found in counted.by_sentence())
    elif format == "svg":
        yield results.pictures(counted)
    elif format == "html":
        yield from results.page(counted, matches.pattern)
    else:
        for match in counted:
            yield f"{_name(match)}: {marked_text(match)}\n"


class _Counted:
    """Iterates over matches, and counts them and their sentences."""

    def __init__(self, matches: Matches) -> None:
        self.matches, self.number, self.sentences = matches, 0, 0

    def by_sentence(self) -> Iterator[tuple[Sentence, list[Match]]]:
        for sentence, found in self.matches.by_sentence():
            self.number += len(found)
            self.sentences += 1
            yield sentence, found

    def __iter__(self) -> Iterator[Match]:
        for _, found in self.by_sentence():
            yield from found

    def rows(self, keys: list[str]) -> Iterator[tuple[str | None, ...]]:
        """Return the values of the keys for each match."""
        return self._values(self.matches.with_keys(*keys))         # which checks the keys at once

    def _values(self, found: Iterator[tuple[Match, tuple[str | None, ...]]]) -> Iterator[tuple[str | None, ...]]:
        last: Sentence | None = None
        for match, values in found:
            self.number += 1
            self.sentences += match.sentence is not last
            last = match.sentence
            yield values


def _summary(matches: Matches, number: int, sentences: int | None = None) -> str:
    counted = f"{number:,} {'match' if number == 1 else 'matches'}"
    inside = "" if sentences is None else f" in {sentences:,} sentence{'s' * (sentences != 1)}"
    stopped = " (stopped at --limit)" if matches.limit is not None and number >= matches.limit else ""
    return f"{counted}{inside}; {matches.sentences:,} sentences, {matches.words:,} words searched{stopped}"


def _name(match: Match) -> str:
    return match.sentence.sent_id or match.sentence.place or "sentence"


def _coloured(match: Match) -> Text:
    """Return a line for the terminal: marked words in bold colour, with the names of their nodes."""
    line = Text.assemble((f"{_name(match)}: ", "dim"))
    for text, name in pieces(match):
        line.append(text, "bold yellow" if name else "")
        line.append(f"/{name}" if name else "", "dim yellow")
    return line
