"""Make docs/cli.md from the commands themselves and the notes below.

    python docs/make_cli.py [FILE]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import typer

from gardenpath.cli.main import COMMANDS, app_with

NOTE = "<!-- Made by docs/make_cli.py from the commands and the notes in it; change those and run it again. -->"

INTRO = """\
# The command line

`gardenpath COMMAND --help` (or `-h`) shows what this page shows. `gardenpath --version` prints the version. `python -m gardenpath` is the same program.

Results go to standard output, or to the file of `--output`; a file appears under its name only when it is complete. Progress and messages go to standard error.
Input and output are UTF-8, whatever the locale says. `treebank get` alone opens the network; `serve` alone listens, and only to this machine unless told
otherwise.

| exit code | meaning |
|---|---|
| 0 | done; also when the reader of `gardenpath parse` went away, as in `gardenpath parse ... \\| head`, and when `serve` was told to stop |
| 1 | the input is at fault: a file cannot be read or written, is no CoNLL-U, no tree, no model; the message names the place and the remedy |
| 2 | the call is at fault: an unknown command, option, system or setting, or settings that do not go together |
| 130 | `train` was interrupted before its first pass was complete, `experiment` before its last run, or `corpus` before its last shard |

An error is one line on standard error that begins with `gardenpath:`. Errors of the call that concern options are shown with the usage of the command."""

NOTES = {
    "train": """\
The treebank is looked at first: the first sentence that is not a tree stops training, with its file, line and sent_id. `gardenpath check` shows all of them.
Every setting is explained in [training](training.md), the template notation in [features](features.md). `-` as TREEBANK is standard input.

After each pass a line goes to standard error: how many decisions were right, the dev scores with their conditions, the speed. The model is written after every
pass that is the best so far; without `--dev`, after every pass. Interrupted with Ctrl-C, the command ends with exit code 0 if a model was written.

With `--beam` what is right are derivations, not decisions: [beam search](beam.md). `--scorer stack-lstm` needs PyTorch and has checkpoints: [the
stack-LSTM](neural.md). `--resume` is for it alone; the perceptron begins again.""",
    "parse": """\
Text is read in pieces that end with paragraphs, that is, with blank lines; in a paragraph a line break is a space. (A paragraph of more than a million
characters is cut at the end of a line.) Each file is a document, sentences are numbered through all of them. `SpaceAfter=No` tells where no space follows. How
text is divided: [segmentation](segmentation.md). How words are tagged: [tagging](tagging.md).

`--to`, or the ending of the output, chooses another format than CoNLL-U, if trees have a place in it: see [converting](convert.md). With `-o notes.txt`, say,
it is CoNLL-U all the same.

Of sentences in CoNLL-U that lack the tag which the parser goes by (`gardenpath info` says which), those of LEMMA, UPOS, XPOS and FEATS are filled in that are
empty throughout. A model trained with `--tags gold` refuses such a sentence. If most tags are such as the model has never seen, since they are of another tag
set, it warns; `--retag` is the remedy. Everything is read, parsed and written in batches, so memory does not grow with
the input. With several threads the output is the same and in the same order. What the parser does not own leaves byte for byte as it came (see
[formats](formats.md)).

`--beam` and `--kbest` are explained in [beam search](beam.md). K cannot be more than the beam is wide, and there may be fewer parses than that. With `--kbest`
above 1 sentences are parsed one at a time, on one thread.""",
    "evaluate": """\
What the scores mean and when they are comparable: [evaluation](evaluation.md). Both files must hold trees; `-` may stand for one of them.
On a terminal tables are drawn; elsewhere columns are set apart by spaces. `--json` holds everything, whatever else is asked for.""",
    "compare": """\
What the tests assume and what p is adjusted for: [evaluation](evaluation.md#comparing-two-parsers). Differences are B minus A. `-` may stand for one of the
files. Labels that gold has fewer than 20 times have no p. `--json` holds everything, whatever else is asked for, but only as many sentences as `--sentences`
says. The same files, rounds and seed give the same output.""",
    "check": """\
Errors make a treebank unfit for training, warnings may be meant. What is looked for: [formats](formats.md#looking-at-a-treebank). A file that cannot be opened
stops the command; otherwise all files are looked at, whatever is wrong with them, and the exit code is 1 if any of them has an error.""",
    "treebank get": """\
What is fetched, how it is checked and what is kept of an interrupted download: [treebanks](treebanks.md). Environment variables such as `HTTPS_PROXY` are
heeded. Results go to standard output: folder, files, checksum, licence, what to cite. An interrupted download, a wrong checksum, an archive that is broken or
hostile give exit code 1, and leave no half of a treebank behind.""",
    "treebank stats": """\
What is counted, and by which definitions: [treebanks](treebanks.md#what-is-in-a-treebank). A sentence that cannot be read stops the command; sentences that are
no trees count as sentences, but not among the trees. `gardenpath check` tells what is wrong with them.""",
    "convert": """\
The formats, their endings, and which of them are read and written sentence by sentence: [converting](convert.md). What they hold: [formats](formats.md),
[tables](tables.md), [pictures and exports](exports.md). Parquet and Arrow need the extra `tables`: `pip install 'gardenpath[tables]'`. What is left out is told
on standard error; the exit code is 0 all the same.""",
    "info": "What is recorded in a model: [model file](model-file.md).",
    "systems": "The same definitions, with costs, examples and figures, are the pages of [systems](index.md#systems).",
    "trace": """\
What begins like CoNLL-U is read as such; anything else is text, which the model divides and tags. `--gold` and oracles need CoNLL-U, for the tree in HEAD.

With a model, its moves on the sentence, each with its score; nothing is scored where only one move is possible. Scores are sums of integer weights, not
probabilities; those of a stack-LSTM are log-probabilities. A model with a beam shows the best derivation that it finds. Without a model, the moves of an oracle
of `--system` on the way to the tree in HEAD, in single-root mode where the system has one. If the system cannot build that tree, its crossing arcs are lifted
first.

What is changed after the last move is shown as steps of its own: SINGLE-ROOT, where the parser's policy makes one root of several, and LOWER, where an arc that
the model's labels mark as lifted is lowered (see [training](training.md#non-projective-trees)). Moves show the labels with their marks.

`--gold` adds the loss before each move and the cost of every permitted move, by the dynamic oracle; for covington-nm, swap and stay-eager both are those of a
bound. A move that takes back an earlier decision is marked with `!`. `--json` gives stack, buffer, heads, move, label, arc (head, child), repair, score,
scores, loss and costs. In Covington's parser the stack is the list λ₁; what lies between it and the buffer is λ₂.

`--what-if 9=reduce` makes another move at the ninth step, and the parser goes on from there; its step is marked with `?`. A label may be given, in brackets;
without one the arc gets the label that scores best. A beam is searched anew from there; the stack-LSTM goes on greedily. Repeated, it changes one step after
the other, each as it is after the changes before it. With `--then-oracle`, or without a model, the dynamic oracle goes on, so that the loss in the end is
what the move cost. `--latex` prints a table as papers have it (`booktabs`), repairs marked with `*`. In Python it is `model.trace(sentence, guide=...)`, with
a guide of `gardenpath.search.guides`. The [page](page.md) of `gardenpath serve` does the same with a click.""",
    "repairs": """\
The moves are those of the parser, before the single-root policy. What is counted, and by which definitions: [repairs](repairs.md). In a system that cannot
repair, only moves and arcs are counted. `--json` holds all labels, however many are shown.""",
    "clusters": """\
What they are and how a parser uses them: [word clusters](clusters.md). The same text and options give the same bytes.""",
    "bounds": """\
What the bounds are: [covington-nm](systems/covington-nm.md#bounds-of-the-loss). The settings that are not options are those of `gardenpath train`; nothing is
written. Training stops when enough configurations have come up, or after the usual number of passes. The relative difference is the mean of the distance from
the loss, as a share of the loss, or of 1 where the loss is 0.""",
    "experiment": """\
The settings file, the records, engines and the ready-made experiments: [experiments](experiments.md). Runs that fail are told as they do; the others are
done all the same, and the exit code is then 1. Interrupted with Ctrl-C, the exit code is 130. The table at the end goes to standard output.""",
    "serve": """\
What it answers, the limits, running it for others, metrics and the access log: [the server](serve.md). UDPipe's REST API: [REST](rest.md). The page:
[the page](page.md). It needs the extra `web`: `pip install 'gardenpath[web]'`. The first line on standard error says what is served, and where.""",
    "corpus": """\
Inputs, output, what fails, engines and speed: [a corpus](corpus.md). Progress goes to standard error, the summary to standard output. Interrupted with Ctrl-C
or SIGTERM, the exit code is 130. If a shard could not be done at all, the others are done all the same, and the exit code is then 1; documents that fail do
not change it. `--engine ray` needs the extra `cluster`, `--compress zst` and files in .zst the extra `corpus`, Parquet the extra `tables`.""",
    "report": """\
What is in it, and by which tests: [reports](report.md). `--output -` prints one format. The same records give the same bytes.""",
}


def main(target: Path) -> None:
    """Write the page."""
    target.write_text(page(), encoding="utf-8", newline="\n")


def page() -> str:
    """The page: what holds for all commands, then each of them."""
    commands = typer.main.get_command(app_with(COMMANDS)).commands  # type: ignore[attr-defined]
    every = [each for name, command in commands.items() for each in _with_parts(name, command)]
    return "\n\n".join([NOTE, INTRO, *(section(name, command) for name, command in every)]) + "\n"


def _with_parts(name: str, command: Any) -> list[tuple[str, Any]]:
    """A command, or those that it is made of."""
    parts = getattr(command, "commands", None)
    return [(name, command)] if parts is None else [(f"{name} {part}", below) for part, below in parts.items()]


def section(name: str, command: Any) -> str:
    """One command: its help, arguments, options and notes."""
    text, *examples = re.split("Examples?: ", command.help)
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name != "argument" and not parameter.hidden]
    parts = [f"## {name}", " ".join(text.split("\n\n")[0].split()), *(" ".join(part.split()) for part in text.split("\n\n")[1:] if part.strip())]
    if examples:
        parts.append("```text\n{}\n```".format("\n".join(examples[0].strip().split("; "))))
    if arguments:
        parts.append(_table(("argument", "", "meaning"), [(f"`{_metavar(each)}`", _need(each), each.help) for each in arguments]))
    if options:
        parts.append(_table(("option", "default", "meaning"), [(_names(each), _default(each), each.help) for each in options]))
    return "\n\n".join([*parts, NOTES[name]])


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _metavar(parameter: Any) -> str:
    return (parameter.metavar or parameter.name.upper()).strip("[].")


def _need(parameter: Any) -> str:
    return "required" if parameter.required else "optional"


def _names(parameter: Any) -> str:
    value = "" if parameter.is_flag else f" {_metavar(parameter)}"
    on = ", ".join(f"`{option}{value}`" for option in parameter.opts)
    return on + "".join(f" / `{option}`" for option in parameter.secondary_opts)


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    if parameter.is_flag:
        return f"`{(parameter.opts if parameter.default else parameter.secondary_opts)[0]}`" if parameter.secondary_opts else "off"
    if parameter.default is None:
        return parameter.show_default if isinstance(parameter.show_default, str) else ""
    return f"`{parameter.default}`"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "cli.md")
