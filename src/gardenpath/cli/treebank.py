"""`gardenpath treebank`: get treebanks, and see what is in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from gardenpath.cli.options import PLAIN, output
from gardenpath.cli.tables import show
from gardenpath.treebank import fetch
from gardenpath.treebank.collection import describe_all
from gardenpath.treebank.credits import COLLECTION
from gardenpath.treebank.tables import tables

app = typer.Typer(no_args_is_help=True, help="Get treebanks of Universal Dependencies, and see what is in a treebank.")


@app.command()
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The treebank, exactly as https://universaldependencies.org has it: UD_English-EWT.")],
    *,
    release: Annotated[str, typer.Option(metavar="RELEASE", help="The release of Universal Dependencies.")] = fetch.RELEASE,
    folder: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="Where to put the folder of the treebank.")] = ".",
    url: Annotated[str, typer.Option(metavar="BASE", help="Where the treebanks are, if not at GitHub: a mirror.")] = fetch.BASE,
    sha256: Annotated[str | None, typer.Option(metavar="SUM", help="The SHA-256 that the archive must have.", show_default="any")] = None,
    force: Annotated[bool, typer.Option("--force", help="Download it even if it is there.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar; there is none either where standard error is no terminal.")] = False,
) -> None:
    """Download a treebank of Universal Dependencies at a release.

    This is the only command that opens the network. The folder, UD_English-EWT-r2.16, appears when it is complete; an interrupted download goes on when the
    command is run again. Licence and citation are shown at the end.

    Examples: gardenpath treebank get UD_English-EWT; gardenpath treebank get UD_Czech-PDT --release 2.15 --output treebanks
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=no_progress or not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(name, total=None)
        treebank = fetch.get(
            name, release=release, output=folder, url=url, sha256=sha256, force=force,
            progress=lambda done, total: bar.update(task, completed=done, total=total), tell=lambda text: console.print(text, **PLAIN),
        )
    for label, value in _rows(treebank):
        typer.echo(f"{label:10}" + value.replace("\n", f"\n{'':10}"))


def _rows(treebank: fetch.FetchedTreebank) -> Iterator[tuple[str, str]]:
    credits = treebank.credits
    yield "folder", f"{treebank.folder}{'' if treebank.is_new else ' (there already; --force downloads it again)'}"
    for path in treebank.files:
        yield "file", f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)"
    yield "from", treebank.record.url
    yield "commit", treebank.record.commit or "not recorded"
    yield "SHA-256", treebank.record.sha256
    yield "licence", credits.licence or "not told; look into the folder"
    if credits.is_non_commercial:
        yield "warning", "not for commercial use, nor perhaps are models trained on it: read the licence"
    yield "cite", credits.citation or f"{COLLECTION} Release {treebank.record.release}."


@app.command()
def stats(
    sources: Annotated[list[str], typer.Argument(metavar="TREEBANK", help="CoNLL-U files, or folders of such; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON: every treebank, its files, and all together.")] = False,
    plots: Annotated[str | None, typer.Option(metavar="FILE.html", help="Write a page with figures and all tables.", show_default="none")] = None,
    most: Annotated[int, typer.Option(min=1, help="Show at most so many tags, features and labels; page and JSON have all.")] = 15,
    try_systems: Annotated[bool, typer.Option("--systems/--no-systems", help="Count the trees that each system can derive.")] = True,
) -> None:
    """Show what is in treebanks: sizes, lengths, tags, labels, arcs, and how far their trees are from projective.

    A folder stands for all *.conllu in it. Of one folder the files are shown beside each other, of several treebanks the treebanks; and all of them together.

    Examples: gardenpath treebank stats UD_English-EWT-r2.16; gardenpath treebank stats train.conllu dev.conllu --plots stats.html
    """
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
