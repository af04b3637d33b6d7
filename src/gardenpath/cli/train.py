"""`gardenpath train`: from a treebank to a model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from gardenpath import systems
from gardenpath.cli.options import PLAIN
from gardenpath.errors import UsageError
from gardenpath.features.templates import AUTO
from gardenpath.features.templates import names as template_sets
from gardenpath.models.settings import SCORERS, Settings
from gardenpath.models.training import Step, train_steps
from gardenpath.oracles import PREFERENCES

DEFAULT = Settings()


def command(
    treebank: Annotated[Path, typer.Argument(help="The treebank to learn from, in CoNLL-U; - is standard input.", metavar="TREEBANK")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the model.", metavar="MODEL")],
    dev: Annotated[Path | None, typer.Option(help="A treebank to choose the best pass by (LAS).", metavar="TREEBANK")] = None,
    system: Annotated[str, typer.Option(help=f"The transition system: {', '.join(systems.names())}.")] = DEFAULT.system,
    scorer: Annotated[str, typer.Option(help=f"What scores the moves: {' or '.join(f'`{name}`' for name in SCORERS)}, a neural network.")] = DEFAULT.scorer,
    oracle: Annotated[
        str, typer.Option(help="The oracle: `static`, `nondet`, `dynamic` or another that the system has; `auto` is what did best on dev sets.")
    ] = AUTO,
    features: Annotated[
        str, typer.Option(help=f"A template set ({', '.join(template_sets())}) or a file of your own; `auto` is the system's own set.")
    ] = DEFAULT.features,
    passes: Annotated[int, typer.Option(help="How often to go through the treebank.")] = DEFAULT.passes,
    seed: Annotated[int, typer.Option(help="Decides the order of sentences and the draws of exploration; same seed and data, same model.")] = DEFAULT.seed,
    margin: Annotated[int, typer.Option(help="Also learn from right decisions that lead by less than this; 0 is the plain perceptron.")] = DEFAULT.margin,
    min_updates: Annotated[
        int | None,
        typer.Option(help="Ignore a feature until it has had this many updates; 1 is the plain perceptron.", show_default="3; with a beam 1"),
    ] = None,
    prune: Annotated[
        float, typer.Option(help="Leave this share of the weights out of the model, the smallest first; 0.75 makes it less than half as large.")
    ] = DEFAULT.prune,
    explore_from: Annotated[int, typer.Option(help="The first pass in which the dynamic oracle's parser follows its own mistakes (k).")] = DEFAULT.explore_from,
    explore: Annotated[float, typer.Option(help="How likely a mistake is then followed, from 0 to 1 (p).")] = DEFAULT.explore,
    prefer: Annotated[
        str, typer.Option(help=f"Which optimal moves to learn from: {', '.join(f'`{name}`' for name in PREFERENCES)}; `auto` is what did best on dev sets.")
    ] = DEFAULT.prefer,
    lookahead: Annotated[int, typer.Option(help="covington-nm with `pc-upper`: how many moves to look ahead for a lower bound.")] = DEFAULT.lookahead,
    tag: Annotated[
        str, typer.Option(help="The column templates call `p`: `xpos`, `upos`, or `auto`: XPOS where it is a usable tagset, else UPOS.")
    ] = DEFAULT.tag,
    tags: Annotated[
        str,
        typer.Option(
            help="Which tags the parser learns from: `predicted` by a tagger that learns beside it, `jackknife`, or `gold`: those of the file, and no tagger; "
            "`auto` is what did best on dev sets."
        ),
    ] = AUTO,
    folds: Annotated[int, typer.Option(help="With `jackknife`: into how many parts to divide the treebank.")] = DEFAULT.folds,
    tokenizer: Annotated[
        str, typer.Option(help="What finds tokens and sentences in raw text: `gardenpath`, `udpipe` or `none`; `auto` is `gardenpath` with a tagger.")
    ] = AUTO,
    clusters: Annotated[Path | None, typer.Option(help="Word clusters for tagger and parser, as `gardenpath clusters` writes them.", metavar="FILE")] = None,
    nonprojective: Annotated[
        str,
        typer.Option(help="Trees the system cannot build: `lift` crossing arcs, `skip` them, or lift and lower by labels: `head`, `path`, `head+path`."),
    ] = DEFAULT.nonprojective,
    single_root: Annotated[bool, typer.Option(help="Every parse gets exactly one root word.")] = DEFAULT.single_root,
    labelled_reduce: Annotated[bool, typer.Option(help="arc-eager-nmd and -nmld: a repairing Reduce chooses its label.")] = DEFAULT.labelled_reduce,
    separate_unshift: Annotated[bool, typer.Option(help="Systems with Unshift: score it and Reduce as two classes.")] = DEFAULT.separate_unshift,
    postpone: Annotated[float, typer.Option(help="stay-eager, oracle `non-static`: how likely it puts a move off, from 0 to 1.")] = DEFAULT.postpone,
    beam: Annotated[int, typer.Option(help="How many derivations to follow side by side; 1 is greedy.")] = DEFAULT.beam,
    beam_from: Annotated[int, typer.Option(help="With a beam: the first pass that uses it; those before are greedy.")] = DEFAULT.beam_from,
    update: Annotated[
        str, typer.Option(help="With a beam: learn where the right derivation is furthest behind, `max-violation`, or falls out, `early`.")
    ] = DEFAULT.update,
    encoder: Annotated[
        str, typer.Option(help="Stack-LSTM: `incremental` (sees three words ahead) or `bilstm` (sees the whole sentence).")
    ] = DEFAULT.encoder,
    batch: Annotated[int, typer.Option(help="Stack-LSTM: how many sentences to learn from at a time.")] = DEFAULT.batch,
    learning_rate: Annotated[float, typer.Option(help="Stack-LSTM: the size of the first steps.")] = DEFAULT.learning_rate,
    decay: Annotated[float, typer.Option(help="Stack-LSTM: how fast they get smaller from pass to pass.")] = DEFAULT.decay,
    dropout: Annotated[float, typer.Option(help="Stack-LSTM: how likely a number is dropped in training.")] = DEFAULT.dropout,
    averaging: Annotated[
        float, typer.Option(help="Stack-LSTM: how slowly the averages that the model is made of follow the parameters; 0 is no averages, 0.999 is slow.")
    ] = DEFAULT.averaging,
    resume: Annotated[bool, typer.Option("--resume", help="Stack-LSTM: go on where an interrupted training of this MODEL stopped.")] = False,
    name: Annotated[str | None, typer.Option(help="The treebank's name, for the model's record.")] = None,
    licence: Annotated[str | None, typer.Option(help="The treebank's licence, for the model's record.")] = None,
    citation: Annotated[str | None, typer.Option(help="How to cite the treebank, for the model's record.")] = None,
) -> None:
    """Train tokenizer, tagger and parser on a treebank: one model for raw text.

    With `--tags gold` there is a parser alone; what you parse later must then be tagged as the treebank is. The model is written whenever a pass is the best
    so far on the dev set, so after Ctrl-C the best model is there; without --dev, that of the last complete pass. The stack-LSTM also writes
    MODEL.checkpoint after every pass, to go on from with --resume; it is removed when all passes are done.

    Example: gardenpath train en-train.conllu --dev en-dev.conllu -o en.gp
    """
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise UsageError(f"the model cannot be written to {output}: {'that is a directory' if output.is_dir() else 'its directory does not exist'}")
    checkpoint = output.with_name(output.name + ".checkpoint")
    steps = train_steps(
        treebank, dev=dev, name=name, licence=licence, citation=citation, system=system, oracle=oracle, features=features, passes=passes, seed=seed,
        margin=margin, min_updates=min_updates, prune=prune, explore_from=explore_from, explore=explore, prefer=prefer, tag=tag, nonprojective=nonprojective,
        lookahead=lookahead, single_root=single_root, labelled_reduce=labelled_reduce, separate_unshift=separate_unshift, postpone=postpone, beam=beam,
        beam_from=beam_from, update=update, scorer=scorer, encoder=encoder, batch=batch, learning_rate=learning_rate, decay=decay, dropout=dropout,
        averaging=averaging, tags=tags, folds=folds, tokenizer=tokenizer, clusters=clusters, resume=resume,
        checkpoint=checkpoint if scorer == "stack-lstm" else None,
    )
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    saved = False
    try:
        with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as progress:
            task = progress.add_task("training", total=None, state="")
            for step in steps:
                progress.update(
                    task, description=f"pass {step.number}/{passes}", total=passes * step.total, completed=(step.number - 1) * step.total + step.sentences,
                    state=f"{step.accuracy:.2f} % right, {step.words_per_second:,.0f} words/s",
                )
                if step.ended:
                    progress.print(describe(step, tags), **PLAIN)
                if step.is_best and step.model:
                    step.model.save(output)
                    saved = True
    except KeyboardInterrupt:
        console.print(f"interrupted; {f'{output} holds the best model so far' if saved else 'no pass was complete, nothing was written'}", **PLAIN)
        raise typer.Exit(0 if saved else 130) from None
    if scorer == "stack-lstm":
        checkpoint.unlink(missing_ok=True)
    if not sys.stderr.isatty():
        console.print(f"wrote {output}", **PLAIN)


def describe(step: Step, tags: str) -> str:
    """A pass in one line, each number with its name."""
    conditions = f"gold tokens, {'gold' if tags == 'gold' else 'predicted'} tags, punctuation counted, subtypes not compared"
    dev = f", dev UAS {step.uas:.2f} LAS {step.las:.2f} ({conditions})" if step.las is not None else ""
    best = ", best so far" if step.is_best else ""
    return f"pass {step.number}: {step.accuracy:.2f} % of {step.judged} right{dev}, {step.words_per_second:,.0f} words/s{best}"
