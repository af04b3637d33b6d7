"""`gardenpath models`: list, make, install, remove, describe and package models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from gardenpath import catalogue
from gardenpath.catalogue.search import hint
from gardenpath.cli.info import print_model, raw_text_scores
from gardenpath.cli.options import MODEL_HELP, PLAIN, FullJson
from gardenpath.cli.progress import StageBars, download_bar
from gardenpath.cli.tables import Rows, show
from gardenpath.cli.treebank import words
from gardenpath.errors import InputError, UsageError
from gardenpath.models import installed, load, lookup
from gardenpath.network.settings import MAX_NETWORKS

app = typer.Typer(no_args_is_help=True, help="List, make, install and remove models.")

Folder = Annotated[
    Path | None,
    typer.Option(
        "--folder", metavar="FOLDER", help="Folder of the installed models.",
        show_default="GARDENPATH_MODELS, or the user's data directory",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an installed model of the same name.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="Do not show a progress bar.")]
Sha256 = Annotated[str | None, typer.Option(metavar="SUM", help="Expected SHA-256 of the file.", show_default="any")]
ModelArgument = Annotated[str, typer.Argument(metavar="MODEL", help=MODEL_HELP)]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of the model.", show_default="from the treebank or the file")
]


@app.command("list")
def list_models(
    *,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Show one language only, with all its treebanks.")
    ] = None,
    all_treebanks: Annotated[bool, typer.Option("--all", help="Show all treebanks of every language.")] = False,
    folder: Folder = None,
    as_json: FullJson = False,
) -> None:
    """List the models: shipped, installed, in Python packages, and those that can be made from a treebank.

    By default, the recommended treebank of each language is shown. `gardenpath models make NAME` makes a model; NAME is
    a language or the code of a treebank. Words are those of the whole treebank. Values that are not known are left
    empty, and some treebanks are not known to have a training set.

    Examples: gardenpath models list; gardenpath models list --language German
    """
    chosen = _language(language) if language else None
    models = [
        _described(model) for model in lookup.available(folder) if chosen is None or _is_for(model.name, chosen)
    ]
    entries = [
        (each, treebank)
        for each in ([chosen] if chosen else catalogue.languages()) for treebank in each.treebanks
        if treebank.can_train is not False and (chosen or all_treebanks or treebank.is_recommended)
    ]
    if as_json:
        plain = [treebank.to_dict() for _, treebank in entries]
        typer.echo(json.dumps({"models": models, "can_be_made": plain}, indent=2, ensure_ascii=False))
        return
    columns = ("Name", "Origin", "Treebank", "Licence", "Size")
    if models:
        show("Models", columns, [tuple(model[key.lower()] for key in columns) for model in models], prose=True)
    rows: Rows = [
        (
            treebank.code, each.title, treebank.licence or "", words(treebank), _training_set(treebank),
            " ".join(treebank.genres),
        )
        for each, treebank in entries
    ]
    title = f"Can be made with `gardenpath models make`, from Universal Dependencies {catalogue.release()}"
    header = ("Name", "Language", "Licence", "Words", "Training set", "Genres")
    show(title, header, rows, prose=True, optional=("Genres", "Words"))


@app.command()
def make(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Language or treebank: Latvian, lv, lv_lvtb or UD_Latvian-LVTB.")
    ],
    *,
    network: Annotated[
        bool, typer.Option("--network", help="Train a network: more accurate, takes much longer, and needs PyTorch.")
    ] = False,
    networks: Annotated[
        int | None,
        typer.Option(
            min=1, max=MAX_NETWORKS, metavar="NUMBER", show_default="1 with --network",
            help="Train an ensemble of this number of networks: still more accurate, and slower.",
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="PATH", help="Folder of the treebank or of a release, or a .zip or .tar.gz archive.",
            show_default="download it",
        ),
    ] = None,
    model_name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Name of the model.", show_default="from the treebank"),
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(metavar="RELEASE", help="Release of Universal Dependencies.", show_default=catalogue.release()),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file of training settings.", show_default="none")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Number of epochs.", show_default="as in `gardenpath train`")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed.", show_default="as in `gardenpath train`")
    ] = None,
    url: Annotated[
        str, typer.Option(metavar="BASE", help="Base URL of the treebanks, for downloads from a mirror.")
    ] = catalogue.BASE,
    sha256: Sha256 = None,
    folder: Folder = None,
    force: Force = False,
    no_progress: NoProgress = False,
) -> None:
    """Make a model from a treebank of Universal Dependencies and install it.

    The treebank is downloaded, or read from a folder or archive with --from. It is checked, a model for raw text is
    trained on it, evaluated on the test set and installed. The default is a perceptron, which trains in minutes; the
    name of its model ends with -fast. After an interruption, the same command continues where it stopped. The licence
    of the treebank may also hold for the model.

    Examples: gardenpath models make Latvian; gardenpath models make French --from UD_French-Sequoia; gardenpath models
    make de --network
    """
    from gardenpath import making  # imports the training code

    console = Console(stderr=True)
    bars = StageBars(console, hidden=no_progress)

    def tell(text: str) -> None:
        bars.close()
        console.print(text, **PLAIN)

    chosen = {"epochs": epochs, "seed": seed, "networks": networks}
    settings = {key: value for key, value in chosen.items() if value is not None}
    options = making.MakeOptions(
        source, release, url, sha256, network or networks is not None, config, settings, model_name, folder, force,
    )
    try:
        made = making.make(name, options, progress=bars.download, watch=bars.train, tell=tell)
    except KeyboardInterrupt:
        bars.close()
        console.print("interrupted; run the same command again to continue", **PLAIN)
        raise typer.Exit(130) from None
    finally:
        bars.close()
    about = made.model.about
    rows = [
        ("model", f"{made.name} ({_shown_size(made.path.stat().st_size)})"), ("file", str(made.path)),
        ("treebank", made.treebank.title), ("trained on", f"{about.sentences:,} sentences, {about.words:,} words"),
        ("licence", made.treebank.licence or "not found in README or LICENSE of the folder; see the treebank"),
    ]
    if made.treebank.is_non_commercial:
        rows.append(("warning", "no commercial use; this may also hold for the model: read the licence"))
    if about.test_scores:
        rows.append(("scores", raw_text_scores(about.test_scores)))
    rows.append(("try", f"gardenpath parse -m {made.name} TEXT.txt"))
    for label, value in rows:
        typer.echo(f"{label:12}{value}")


@app.command()
def install(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="Model file, folder of model files, or https:// address of one.")
    ],
    *,
    name: Name = None,
    sha256: Sha256 = None,
    folder: Folder = None,
    force: Force = False,
    no_progress: NoProgress = False,
) -> None:
    """Install a model from a file, a folder or an address.

    Each model is loaded before it is installed, and a file that is not a usable model is refused. It appears under its
    name only when it is complete. An interrupted download continues when you run the same command again.

    Examples: gardenpath models install my.gp; gardenpath models install https://example.org/de_gsd.gp --sha256 SUM
    """
    from gardenpath import making

    console = Console(stderr=True)
    with download_bar(console, source, hidden=no_progress) as progress:
        paths = making.install(
            source, name=name, folder=folder, sha256=sha256, force=force, progress=progress,
            tell=lambda text: console.print(text, **PLAIN),
        )
    for path in paths:
        typer.echo(f"installed {path.stem}: {path}")


@app.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of an installed model.")], *, folder: Folder = None,
) -> None:
    """Remove an installed model.

    Example: gardenpath models remove lv_lvtb-fast
    """
    found = lookup.find(name, folder)
    if found is not None and found.origin != lookup.INSTALLED:
        is_shipped = found.origin == lookup.SHIPPED
        reason = "is shipped" if is_shipped else "is part of a Python package; uninstall the package"
        raise UsageError(f"the model {name} cannot be removed, because it {reason} ({found.path})")
    typer.echo(f"removed {installed.remove(name, folder)}")


@app.command()
def info(model: ModelArgument, *, folder: Folder = None, as_json: FullJson = False) -> None:
    """Show what is known of a model, or of the treebank that it can be made from.

    Examples: gardenpath models info en; gardenpath models info Latvian
    """
    found = None if _is_path(model) else lookup.find_any(model, folder)
    if found is not None or _is_path(model):
        print_model(found.path if found else Path(model), as_json=as_json)
        return
    treebank = catalogue.choose(model)
    language = catalogue.find_language(treebank.language)
    assert language is not None
    if as_json:
        typer.echo(json.dumps(treebank.to_dict(), indent=2, ensure_ascii=False))
        return
    rows = [
        ("model", f"none yet; make it with `gardenpath models make {treebank.code}`"), ("language", language.title),
        ("ISO 639", ", ".join(filter(None, (language.iso1, language.iso3)))), ("treebank", treebank.name),
        ("release", catalogue.release()), ("licence", treebank.licence or ""),
        ("words", f"{words(treebank)} (release {treebank.words_release})" if treebank.words else ""),
        ("parts", " ".join(treebank.files)), ("genres", " ".join(treebank.genres)), ("address", treebank.page),
    ]
    for label, value in rows:
        typer.echo(f"{label:12}{value or 'not known'}")


@app.command()
def path(
    model: Annotated[
        str | None, typer.Argument(metavar="MODEL", help=MODEL_HELP, show_default="the folder of the installed models")
    ] = None,
    *,
    folder: Folder = None,
) -> None:
    """Print the path of a model, or of the folder of the installed models.

    Example: gardenpath models path en
    """
    found = lookup.find_any(model, folder) if model else None
    typer.echo(found.path if found else lookup.path_of(model) if model else installed.directory(folder))


@app.command()
def package(
    model: ModelArgument,
    *,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="Folder to write it to.")] = ".",
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the model in the package.", show_default="that of the file"),
    ] = None,
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Version of the package.", show_default="of gardenpath")
    ] = None,
) -> None:
    """Write a model as a Python package, ready to be built and uploaded.

    Once the package is installed, the model is found by its name, through an entry point of the group
    `gardenpath.models`.

    Example: gardenpath models package lv_lvtb-fast; pip wheel --no-deps gardenpath-model-lv-lvtb-fast
    """
    from gardenpath.making.package import write_package

    file = lookup.path_of(model)
    chosen = installed.place(name or file.stem).stem
    typer.echo(f"wrote {write_package(load(file), file, chosen, output, version=version)}")


def _training_set(treebank: catalogue.TreebankEntry) -> str:
    """Return the size of a training set, or what is known of it."""
    if treebank.can_train is None:
        return "not known"
    size = treebank.files.get("train")
    return _shown_size(size) if size else "yes"


def _shown_size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"


def _is_path(model: str) -> bool:
    return Path(model).name != model or bool(Path(model).suffix)


def _language(name: str) -> catalogue.LanguageEntry:
    found = catalogue.find_language(name)
    if found is None:
        raise UsageError(f"the catalogue has no language {name!r}{hint(name)}")
    return found


def _is_for(model: str, language: catalogue.LanguageEntry) -> bool:
    """Return whether the name of a model is that of a language or of one of its treebanks."""
    base = model.removesuffix(lookup.FAST)
    return base == language.code or base.startswith(f"{language.code}_")


def _described(model: lookup.ModelFile) -> dict[str, Any]:
    """Return the facts about a model for the list. A file that is not a usable model is listed as one."""
    facts = {"name": model.name, "origin": model.origin, "path": str(model.path)}
    try:
        about = load(model.path).about
    except InputError:
        return facts | {"treebank": "not a usable model", "licence": "", "size": ""}
    size = _shown_size(model.path.stat().st_size)
    return facts | {"treebank": about.treebank or "", "licence": about.licence or "", "size": size}
