"""`gardenpath treebank`: download treebanks and show their statistics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from gardenpath import catalogue
from gardenpath.catalogue.search import hint
from gardenpath.cli.options import PLAIN, FullJson, output
from gardenpath.cli.progress import download_bar
from gardenpath.cli.tables import show
from gardenpath.errors import UsageError
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
            metavar="NAME",
            help="Name of a treebank (UD_English-EWT, en_ewt) or of a language; see `gardenpath treebank list`.",
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

    For a language, the treebank is the one that the catalogue recommends. The treebank folder, for example
    UD_English-EWT-r2.16, appears when the download is complete. An interrupted download continues when you run the same
    command again. At the end, the command shows the licence and the citation.

    Examples: gardenpath treebank get UD_English-EWT; gardenpath treebank get Latvian; gardenpath treebank get
    UD_Czech-PDT --release 2.15 --output treebanks
    """
    console = Console(stderr=True)
    with download_bar(console, name, hidden=no_progress) as progress:
        treebank = fetch.get(
            name, release=release, output=folder, url=url, sha256=sha256, force=force,
            progress=progress,
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


@app.command("list")
def list_treebanks(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="LANGUAGE", help="Language, by any of its names or ISO 639 codes.", show_default="all languages"
        ),
    ] = None,
    *,
    as_json: FullJson = False,
) -> None:
    """List the treebanks of Universal Dependencies with their licences, sizes and genres.

    The catalogue is part of the package. Words are those of the whole treebank. An asterisk marks the treebank that
    is recommended for a language. Values that are not known are left empty.

    Examples: gardenpath treebank list; gardenpath treebank list Deutsch; gardenpath treebank list lv --json
    """
    language = catalogue.find_language(name) if name else None
    if name and language is None:
        raise UsageError(f"the catalogue has no language {name!r}{hint(name)}")
    chosen = [language] if language else list(catalogue.languages())
    if as_json:
        plain = [_plain(each) for each in chosen]
        typer.echo(json.dumps({"release": catalogue.release(), "languages": plain}, indent=2, ensure_ascii=False))
        return
    header = ("Treebank", "Code", "Language", "Licence", "Words", "Parts", "Genres")
    title = f"Treebanks of Universal Dependencies {catalogue.release()}"
    rows = [_row(language, treebank) for language in chosen for treebank in language.treebanks]
    show(title, header, rows, prose=True, optional=("Genres", "Language", "Words", "Parts"))


def _row(language: catalogue.LanguageEntry, treebank: catalogue.TreebankEntry) -> tuple[str, ...]:
    return (
        f"{treebank.name}{' *' if treebank.is_recommended else ''}", treebank.code, language.title,
        treebank.licence or "", words(treebank), " ".join(treebank.files) if treebank.has_text else "without text",
        " ".join(treebank.genres),
    )


def words(treebank: catalogue.TreebankEntry) -> str:
    """Return the number of words of a treebank for tables."""
    return "" if treebank.words is None else f"{treebank.words:,}"


def _plain(language: catalogue.LanguageEntry) -> dict[str, Any]:
    plain = {name: getattr(language, name) for name in ("name", "own_name", "code", "iso1", "iso3", "aliases")}
    return plain | {"treebanks": [treebank.to_dict() | {"url": treebank.page} for treebank in language.treebanks]}


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
