"""`gardenpath treebank`: download treebanks and show their statistics."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from gardenpath.cli.options import PLAIN, output
from gardenpath.cli.tables import show
from gardenpath.files import require_other_file
from gardenpath.treebank import fetch
from gardenpath.treebank.collection import describe_all
from gardenpath.treebank.credits import COLLECTION
from gardenpath.treebank.statistics import files_of
from gardenpath.treebank.tables import tables

app = typer.Typer(no_args_is_help=True, help="Download treebanks of Universal Dependencies and show their statistics.")


@app.command()
def get(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Name of the treebank as on https://universaldependencies.org, such as UD_English-EWT."
        ),
    ],
    *,
    release: Annotated[
        str, typer.Option(metavar="RELEASE", help="Release of Universal Dependencies.")
    ] = fetch.RELEASE,
    folder: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="Folder in which the treebank folder is created.")
    ] = ".",
    url: Annotated[
        str, typer.Option(metavar="BASE", help="Base URL of the treebanks, for downloads from a mirror.")
    ] = fetch.BASE,
    sha256: Annotated[
        str | None, typer.Option(metavar="SUM", help="Expected SHA-256 of the archive.", show_default="any")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Download the treebank again if it exists.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not show a progress bar.")] = False,
) -> None:
    """Download a release of a treebank of Universal Dependencies.

    This is the only command that accesses the network. The treebank folder, for example UD_English-EWT-r2.16, appears
    when the download is complete. An interrupted download continues when you run the same command again. At the end,
    the command shows the licence and the citation.

    Examples: gardenpath treebank get UD_English-EWT; gardenpath treebank get UD_Czech-PDT --release 2.15 --output
    treebanks
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=no_progress or not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(name, total=None)
        treebank = fetch.get(
            name, release=release, output=folder, url=url, sha256=sha256, force=force,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
            tell=lambda text: console.print(text, **PLAIN),
        )
    for label, value in _rows(treebank):
        typer.echo(f"{label:10}" + value.replace("\n", f"\n{'':10}"))


def _rows(treebank: fetch.FetchedTreebank) -> Iterator[tuple[str, str]]:
    credits = treebank.credits
    yield "folder", f"{treebank.folder}{'' if treebank.is_new else ' (already downloaded; use --force to replace it)'}"
    for path in treebank.files:
        yield "file", f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)"
    yield "from", treebank.record.url
    yield "commit", treebank.record.commit or "not recorded"
    yield "SHA-256", treebank.record.sha256
    yield "licence", credits.licence or "not found; look in the folder"
    if credits.is_non_commercial:
        yield "warning", "no commercial use; this may also hold for models trained on the treebank: read the licence"
    yield "cite", credits.citation or f"{COLLECTION} Release {treebank.record.release}."


@app.command()
def stats(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="TREEBANK", help="CoNLL-U files or folders with CoNLL-U files; - reads standard input."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the statistics of all treebanks and files as JSON.")
    ] = False,
    plots: Annotated[
        str | None,
        typer.Option(metavar="FILE.html", help="Write an HTML page with figures and all tables.", show_default="none"),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, help="Maximum number of tags, features and labels in the printed tables.")
    ] = 15,
    try_systems: Annotated[
        bool, typer.Option("--systems/--no-systems", help="Count the trees that each system can derive.")
    ] = True,
) -> None:
    """Show statistics of treebanks: size, lengths, tags, labels, arcs and projectivity.

    A folder stands for all *.conllu files in it. One folder is shown with a column per file, several treebanks with a
    column per treebank. The last column has the totals.

    Examples: gardenpath treebank stats UD_English-EWT-r2.16; gardenpath treebank stats train.conllu dev.conllu --plots
    stats.html
    """
    if plots:
        files = [path for source in sources for path in (files_of(source) if Path(source).is_dir() else [source])]
        require_other_file(plots, files, "the page")
    found = describe_all(sources, systems=None if try_systems else ())
    if plots:
        from gardenpath.treebank.page import to_html

        with output(plots) as file:
            file.write(to_html(found.columns()))
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return
    for table in tables(found.columns(), most):
        show(*table)
