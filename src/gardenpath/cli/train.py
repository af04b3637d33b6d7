"""`gardenpath train`: from a treebank to a model."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from gardenpath.cli.options import PLAIN
from gardenpath.cli.setting_options import (
    GroupedCommand,
    old_options_of,
    option,
    option_of,
    options_of,
    options_of_scorers,
    with_options,
)
from gardenpath.files import require_other_file, require_writable
from gardenpath.formats.treebank_folder import training_files
from gardenpath.models import scorers
from gardenpath.models.setting_names import RunSettings
from gardenpath.models.settings import Settings
from gardenpath.models.training import Step, train_steps
from gardenpath.parsing.settings import ParserSettings
from gardenpath.segmentation.settings import TokenizerSettings
from gardenpath.tagging.settings import TaggerSettings

COMMAND_CLASS = GroupedCommand
RECORD = "Record in the model"


def _options() -> list[inspect.Parameter]:
    """The options of all settings: the most used first, then a group for each part."""
    kinds = {scorer.title: scorer.settings for scorer in map(scorers.get, scorers.names())}
    help = f"Scorer of the transitions. Known names: {', '.join(scorers.names())}."
    return [
        option_of(ParserSettings, "system", None),
        *(option_of(RunSettings, name, None) for name in ("epochs", "seed")),
        option("scorer", str, scorers.DEFAULT.name, help),
        *options_of(RunSettings, None, without=("epochs", "seed")),
        *options_of(ParserSettings, "Parser", without=("system",)),
        *options_of_scorers(kinds),
        *options_of(TaggerSettings, "Tagger"), *options_of(TokenizerSettings, "Tokenizer"),
        *old_options_of(RunSettings, ParserSettings, *kinds.values(), TaggerSettings, TokenizerSettings),
    ]


@with_options(*_options())
def command(
    treebank: Annotated[
        Path,
        typer.Argument(
            help="Treebank to learn from: a CoNLL-U file, a folder with UD's files, or - for standard input.",
            metavar="TREEBANK",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.", metavar="MODEL")],
    dev: Annotated[
        Path | None,
        typer.Option(
            help="Treebank to choose the best epoch by (LAS).", metavar="TREEBANK",
            show_default="the dev file of the folder",
        ),
    ] = None,
    *,
    config: Annotated[
        Path | None, typer.Option(help="TOML file of settings; options override it.", metavar="FILE"),
    ] = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print the effective settings as TOML, and do not train."),
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume an interrupted training of MODEL, if the scorer has checkpoints."),
    ] = False,
    name: Annotated[str | None, typer.Option(help="Name of the treebank.", rich_help_panel=RECORD)] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the treebank.", rich_help_panel=RECORD)] = None,
    citation: Annotated[str | None, typer.Option(help="How to cite the treebank.", rich_help_panel=RECORD)] = None,
    **settings: Any,
) -> None:
    """Train tokenizer, tagger and parser on a treebank: one model for raw text.

    With `--tags gold` the model has only a parser, and its input must be tagged like the treebank. The model is written
    after every epoch that is the best so far on the dev set; without --dev, after every epoch. So after Ctrl-C the file
    holds the best model so far. If the scorer has checkpoints, MODEL.checkpoint is also written after every epoch, for
    --resume. It is removed at the end of training.

    Examples: gardenpath train en-train.conllu --dev en-dev.conllu -o en.gp; gardenpath train UD_English-EWT/ -o en.gp
    """
    chosen = Settings.configured(config, **settings)
    if print_config:
        typer.echo(chosen.to_toml(), nl=False)
        return
    require_writable(output, "the model")
    checkpoint = output.with_name(output.name + ".checkpoint") if chosen.scorer_type.has_checkpoints else None
    train_file, dev_file = training_files(treebank, dev)
    require_other_file(output, (train_file, dev_file, config, *_files_of(chosen)), "the model")
    console = Console(stderr=True)
    if train_file != treebank:
        console.print(f"training set {train_file}, {f'dev set {dev_file}' if dev_file else 'no dev set'}", **PLAIN)
    if resume and checkpoint is not None and not checkpoint.exists():
        console.print(f"there is no {checkpoint}, so the training starts from the beginning", **PLAIN)
    steps = train_steps(
        train_file, dev=dev_file, name=name, licence=licence, citation=citation, config=chosen,
        checkpoint=checkpoint, resume=resume,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    saved = False
    try:
        with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
            task = progress.add_task("training", total=None, state="")
            for step in steps:
                progress.update(
                    task, description=f"epoch {step.number}/{step.epochs}", total=step.epochs * step.total,
                    completed=(step.number - 1) * step.total + step.sentences,
                    state=f"{step.accuracy:.2f} % right, {step.words_per_second:,.0f} words/s",
                )
                if step.ended:
                    progress.print(describe(step, chosen.tagger.tags), **PLAIN)
                if step.is_best and step.model:
                    step.model.save(output)
                    saved = True
    except KeyboardInterrupt:
        result = f"{output} holds the best model so far" if saved else "no epoch was complete, so no model was written"
        console.print(f"interrupted; {result}", **PLAIN)
        raise typer.Exit(0 if saved else 130) from None
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    if not sys.stderr.isatty():
        console.print(f"wrote {output}", **PLAIN)


def _files_of(settings: Settings) -> list[str]:
    """Return the values of settings that are existing files, such as vectors, clusters and templates."""
    return [value for value in settings.to_flat_dict().values() if isinstance(value, str) and Path(value).is_file()]


def describe(step: Step, tags: str) -> str:
    """One line about an epoch."""
    kind = "gold" if tags == "gold" else "predicted"
    conditions = f"gold tokens, {kind} tags, punctuation counted, subtypes not compared"
    dev = f", dev UAS {step.uas:.2f} LAS {step.las:.2f} ({conditions})" if step.las is not None else ""
    speed = f"{step.words_per_second:,.0f} words/s{', best so far' if step.is_best else ''}"
    return f"epoch {step.number}: {step.accuracy:.2f} % of {step.judged} right{dev}, {speed}"
