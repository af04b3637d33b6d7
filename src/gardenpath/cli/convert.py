"""`gardenpath convert`: from one format to another."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from gardenpath.cli.options import Output, binary_output
from gardenpath.errors import UsageError
from gardenpath.formats import registry
from gardenpath.formats.document import Sentence
from gardenpath.formats.losses import Losses

DEFAULT = "conllu"


def command(
    file: Annotated[str, typer.Argument(help="What to convert; - is standard input.", metavar="FILE")] = "-",
    output_file: Output = "-",
    source_format: Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="The format of FILE.", show_default="by its ending")] = None,
    target_format: Annotated[str | None, typer.Option("--to", metavar="FORMAT", help="The format to write.", show_default="by the output's ending")] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="CoNLL-U Plus: the columns to write, as in 'ID FORM UPOS HEAD DEPREL'.", show_default="those of FILE, or all ten"),
    ] = None,
    nested: Annotated[bool, typer.Option("--nested", help="Parquet and Arrow: a row a sentence, not a word.")] = False,
) -> None:
    """Convert sentences from one format to another.

    Formats are known by the endings of the files, or named. Standard input and output are CoNLL-U unless a name says otherwise. What the target has no place
    for is left out, and told in the end.

    Examples: gardenpath convert dev.conllu -o dev.parquet; gardenpath convert dev.parquet --to conllx; gardenpath convert dev.conllu -o dev.ann
    """
    source, target = source_format or _by_ending(file, "--from"), target_format or _by_ending(output_file, "--to")
    options: dict[str, Any] = {"columns": columns.replace(",", " ").split()} if columns is not None else {}
    if nested:
        options["nested"] = True
    losses = write(registry.read(file, source), output_file, target, **options)
    if str(losses) and registry.is_for_trees(registry.named(target)):
        print(f"gardenpath: what {registry.named(target).title} has no place for, and in how many sentences: {losses}", file=sys.stderr)


def write(sentences: Iterable[Sentence], output_file: str, format: str, **options: Any) -> Losses:
    """Write sentences in a format to a file or standard output, and say what had no place there."""
    if output_file != "-":
        return registry.write(sentences, output_file, format, **options)
    with binary_output(output_file) as stream:
        return registry.write(sentences, stream, format, **options)


def _by_ending(path: str, option: str) -> str:
    if path == "-":
        return DEFAULT
    found = registry.by_ending(path)
    if found is None:
        raise UsageError(f"{path}: no format is known by this ending; name one with {option}: {', '.join(registry.FORMATS)}")
    return found.name
