"""`gardenpath convert`: convert between formats."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Annotated, Any

import typer

from gardenpath.cli.options import Columns, Encoding, Output, TableRows, binary_output, table_options
from gardenpath.errors import UsageError
from gardenpath.files import require_other_file
from gardenpath.formats import registry
from gardenpath.formats.document import Sentence
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import checked_encoding
from gardenpath.formats.losses import Losses
from gardenpath.formats.treebank_folder import conllu_files

DEFAULT = "conllu"


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="Input files, or folders of CoNLL-U files; - or no file reads standard input.",
        ),
    ] = None,
    output_file: Output = "-",
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Input format.", show_default="from the file extension"),
    ] = None,
    target_format: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Output format.", show_default="from the file extension"),
    ] = None,
    encoding: Encoding = UTF8,
    columns: Columns = None,
    rows: TableRows = None,
    nested: Annotated[
        bool, typer.Option("--nested", help="Parquet and Arrow: write one row per sentence instead of one per word.")
    ] = False,
) -> None:
    """Convert sentences from one format to another.

    Several files, and all CoNLL-U files in a folder and its subfolders, are written to one file. The file extension
    determines the format, unless --from or --to names it. The default format of standard input and output is CoNLL-U.
    If the output format cannot represent some of the input, a warning lists what is left out.

    Examples: gardenpath convert dev.conllu -o dev.parquet; gardenpath convert dev.parquet --to conllx; gardenpath
    convert dev.conllu -o dev.xlsx --columns 'sent_id form lemma head_form deprel'; gardenpath convert trees/ -o all.csv
    """
    sources = [str(path) for file in files or ["-"] for path in conllu_files(file)]
    formats = [source_format or format_of(source, "--from") for source in sources]
    target = target_format or format_of(output_file, "--to")
    options = table_options(columns, rows)
    if nested:
        options["nested"] = True
    if formats != [target] or columns or rows:
        require_other_file(output_file, sources, "the output")
    losses = write(_read(sources, formats, checked_encoding(encoding)), output_file, target, **options)
    if str(losses) and registry.is_for_trees(registry.named(target)):
        title = registry.named(target).title
        message = f"gardenpath: left out because {title} cannot represent it (number of sentences): {losses}"
        print(message, file=sys.stderr)


def _read(sources: Sequence[str], formats: Sequence[str], encoding: str) -> Iterable[Sentence]:
    """Read the sentences of all files. The reader of a single file may know its columns."""
    files = (registry.read(source, format, encoding) for source, format in zip(sources, formats, strict=True))
    return next(files) if len(sources) == 1 else chain.from_iterable(files)


def write(sentences: Iterable[Sentence], output_file: str, format: str, **options: Any) -> Losses:
    """Write sentences to a file or to standard output, and return what the format cannot represent."""
    if output_file != "-":
        return registry.write(sentences, output_file, format, **options)
    with binary_output(output_file) as stream:
        return registry.write(sentences, stream, format, **options)


def format_of(path: str, option: str) -> str:
    """Return the format of a file extension; raise `UsageError` if there is none. `option` can name the format."""
    if path == "-":
        return DEFAULT
    found = registry.by_ending(path)
    if found is None:
        known = ", ".join(registry.FORMATS)
        raise UsageError(f"{path}: unknown file extension; name the format with {option}: {known}")
    return found.name
