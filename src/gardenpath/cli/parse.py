"""`gardenpath parse`: parse text or sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from gardenpath import models
from gardenpath.cli import convert
from gardenpath.cli.folders import find_texts, is_folder, parse_files, summary
from gardenpath.cli.inputs import CONLLU, TEXT_KINDS, check_not_text, kinds_of
from gardenpath.cli.options import (
    PLAIN,
    Columns,
    DropConflicts,
    Encoding,
    KeepHeads,
    ModelName,
    Reparse,
    TableRows,
    Threads,
    head_option,
    table_options,
)
from gardenpath.cli.parsing import ParseOptions
from gardenpath.errors import UsageError
from gardenpath.files import require_other_file
from gardenpath.formats import registry
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import checked_encoding
from gardenpath.formats.texts import ID_FIELD, TEXT_FIELD
from gardenpath.models.lookup import path_of
from gardenpath.parsing.parser import MAX_BEAM

AUTO = "auto"


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="Input files or folders; - or no file reads standard input."),
    ] = None,
    model: ModelName = "en",
    output_file: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE",
            help="Output file, or a folder for one file per input; - writes to standard output.",
        ),
    ] = "-",
    output_format: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="Output format; see `gardenpath convert`.",
            show_default="from the file extension, or conllu",
        ),
    ] = None,
    input_format: Annotated[
        str,
        typer.Option(
            "--input", "-i", metavar="KIND",
            help="Input format: `text`; `lines` (one sentence per line); `tokens` (one sentence per line, tokens "
            "separated by spaces); `html`; `docx`; `csv` (one text per row); `conllu` or another format that "
            "`gardenpath convert` reads. `auto` uses the file extension, detects `conllu`, and otherwise uses `text`.",
        ),
    ] = AUTO,
    encoding: Encoding = UTF8,
    text_field: Annotated[str, typer.Option(metavar="NAME", help="CSV: column with the text.")] = TEXT_FIELD,
    id_field: Annotated[
        str, typer.Option(metavar="NAME", help="CSV: column with the document id, if any.")
    ] = ID_FIELD,
    skip_existing: Annotated[
        bool, typer.Option("--skip-existing", help="Output folder: skip inputs whose output file exists.")
    ] = False,
    threads: Threads = 1,
    columns: Columns = None,
    rows: TableRows = None,
    ranges: Annotated[
        bool,
        typer.Option("--ranges", help="Text input: write the character offsets of tokens as TokenRange in MISC."),
    ] = False,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Write the confidence of the words to MISC, as ConfHead=0.9731.")
    ] = False,
    retag: Annotated[
        bool, typer.Option("--retag", help="CoNLL-U input: replace given tags and lemmas by predicted ones.")
    ] = False,
    keep_heads: KeepHeads = False,
    reparse: Reparse = False,
    drop_conflicts: DropConflicts = False,
    beam: Annotated[
        int | None,
        typer.Option(
            min=1, max=MAX_BEAM, help="Beam size; 1 is greedy search. For models trained with a beam.",
            show_default="as in training",
        ),
    ] = None,
    kbest: Annotated[
        int, typer.Option(min=1, metavar="K", help="Write the K best parses of each sentence; needs a beam.")
    ] = 1,
) -> None:
    """Parse text, or sentences in CoNLL-U.

    Text is split into sentences, tokenized, tagged and parsed. In CoNLL-U input, HEAD and DEPREL are filled in, and
    also tags and lemmas if a sentence has no tags. If some words of a sentence have a HEAD, these heads stay. All other
    columns, comments, multi-word tokens and empty nodes stay unchanged. Every sentence gets exactly one tree. With
    --kbest, each sentence is written several times, the best parse first. The comments `# parse` and `# score` give
    rank and score.

    A folder is parsed to another folder: one output file per text, with the same relative path. Files that are not text
    are skipped. A file that cannot be parsed does not stop the others; the exit code is then 1. If the output is named
    like a file, such as all.xlsx, all texts of the folder are written to it.

    Examples: echo "She gave him a book." | gardenpath parse; gardenpath parse -m my.gp -t 2 notes.txt -o notes.conllu;
    gardenpath parse tagged.conllu --to json; gardenpath parse notes.txt -o notes.xlsx; gardenpath parse texts/ -o
    trees/; gardenpath parse texts/ -o all.csv
    """
    readable = (AUTO, *dict.fromkeys([*TEXT_KINDS, *registry.readable()]))
    if input_format not in readable:
        raise UsageError(f"unknown input format {input_format!r}; choose one of {', '.join(readable)}")
    sources = files or ["-"]
    for source in sources:
        check_not_text(source, "parse")
    require_other_file(output_file, [path_of(model)], "the output")
    options = ParseOptions(
        models.load(model), model, threads, checked_encoding(encoding), text_field, id_field, ranges, confidence,
        retag, head_option(keep_heads, reparse), drop_conflicts, beam, kbest, table_options(columns, rows),
    )
    known = None if input_format == AUTO else input_format
    if is_folder(sources, output_file):
        written = output_format or CONLLU
        registry.check_options(written, options.table)
        parse_files(options, sources, output_file, written, known, skip_existing)
        options.tell_replaced()
        return
    if skip_existing:
        raise UsageError("--skip-existing is for an output folder; leave it out")
    written = output_format or _format_of(output_file)
    registry.check_options(written, options.table)
    _parse_to_one_file(options, sources, output_file, written, known)
    options.tell_replaced()


def _parse_to_one_file(
    options: ParseOptions, sources: list[str], output_file: str, written: str, kind: str | None,
) -> None:
    """Parse files, and the texts in folders, to one file. The ids of several documents are the names of the files."""
    names = [Path(source).name.removeprefix("-") for source in sources] if len(sources) > 1 else []
    others: list[Path] = []
    has_folder = any(Path(source).is_dir() for source in sources)
    if has_folder:
        texts, others = find_texts(sources, Path(output_file), kind)
        sources, names = [str(path) for path, _ in texts], [relative.as_posix() for _, relative in texts]
    kinds = kinds_of(sources, options.encoding) if kind is None else [kind] * len(sources)
    if any(kind != written or kind in TEXT_KINDS for kind in kinds):
        require_other_file(output_file, sources, "the output")
    options.parse(sources, kinds, output_file, written, ids=names)
    if has_folder:
        Console(stderr=True).print(summary(len(sources), 0, 0, others, Path(output_file)), **PLAIN)


def _format_of(path: str) -> str:
    """Return the format of this file extension, or CoNLL-U if the file has none.

    An extension without a format that can represent trees is an error.
    """
    if not Path(path).suffix:
        return CONLLU
    found = registry.named(convert.format_of(path, "--to"))
    if not registry.is_for_trees(found):
        problem = f"{path}: {found.title} cannot be written or cannot represent trees"
        raise UsageError(f"{problem}; choose another extension, or name the format with --to")
    return found.name
