"""`gardenpath check`: check treebanks before training."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from gardenpath.cli.options import MultiRoot
from gardenpath.cli.tables import Rows, show
from gardenpath.treebank import Report, check
from gardenpath.treebank.checking import Violation
from gardenpath.treebank.rules import ERROR, RULES, WARNING


def _list_rules(asked: bool) -> None:
    if asked:
        rows: Rows = [tuple(rule) for rule in RULES.values()]
        show("Rules of `gardenpath check`", ("Rule", "Group", "Level", "Meaning"), rows, prose=True)
        raise typer.Exit


def command(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="CoNLL-U files; - reads standard input.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a list of reports as JSON, with all messages.")
    ] = False,
    max_messages: Annotated[
        int, typer.Option(min=0, help="Maximum number of errors, and of warnings, to show per file.")
    ] = 20,
    disable: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Leave out a rule or a group of rules. Can be repeated.")
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", callback=_list_rules, is_eager=True, help="List all rules.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 1 if there are warnings.")] = False,
    multi_root: MultiRoot = False,
    try_systems: Annotated[
        bool, typer.Option("--systems/--no-systems", help="Count the trees that each system can derive.")
    ] = True,
) -> None:
    """Check treebanks before training.

    Shows errors, warnings, counts and the number of trees that each transition system can derive. Errors make a
    treebank unusable for training. Warnings are violations of the guidelines of Universal Dependencies, as in the
    official validator. Each message ends with the name of its rule. The exit code is 1 if there are errors.

    Example: gardenpath check train.conllu dev.conllu --disable fixed-without-extpos
    """
    reports = []
    for file in files:
        report = check(
            file, allow_multiple_roots=multi_root, systems=None if try_systems else (), disable=disable or ()
        )
        reports.append(report)
        if not as_json:
            _show(report, max_messages)
    if as_json:
        typer.echo(json.dumps([report.to_dict() for report in reports], indent=2, ensure_ascii=False))
    if not all(report.ok and not (strict and report.violations) for report in reports):
        raise typer.Exit(1)


def _show(report: Report, most: int) -> None:
    console = Console(highlight=False)
    counts = []
    for kind, style in ((ERROR, "bold red"), (WARNING, "yellow")):
        found = [violation for violation in report.violations if violation.level == kind]
        for violation in _selected(found, most):
            text = Text.assemble((kind, style), f": {violation.message} ", (f"[{violation.rule}]", "dim"))
            console.print(text, soft_wrap=True)
        if len(found) > most:
            hidden = f"... and {_number(len(found) - most, kind, more=True)}; use --max-messages to show them"
            console.print(Text(hidden), soft_wrap=True)
        counts.append(_number(len(found), kind))
    colour = "green" if report.ok else "bold red"
    console.print(Text.assemble((report.name, "bold"), ": ", (", ".join(counts), colour)), soft_wrap=True)
    for name, value in _rows(report):
        console.print(Text(f"  {name:<28}{value}"), soft_wrap=True)


def _selected(violations: list[Violation], most: int) -> list[Violation]:
    """Return at most `most` violations: the first of each rule, then the second of each, in the order of the file."""
    seen = Counter[str]()
    ranked = []
    for place, violation in enumerate(violations):
        seen[violation.rule] += 1
        ranked.append((seen[violation.rule], place))
    return [violations[place] for place in sorted(place for _, place in sorted(ranked)[:most])]


def _rows(report: Report) -> Iterator[tuple[str, str]]:
    for rule, count in report.by_rule.items():
        yield f"[{rule}]", f"{count:,}"
    yield "sentences", f"{report.sentences:,}"
    yield "words", f"{report.words:,}"
    yield "multi-word tokens", f"{report.ranges:,}"
    yield "empty nodes", f"{report.empty_nodes:,}"
    yield "comments", f"{report.comments:,}"
    yield "longest sentence", f"{report.longest:,} words ({report.longest_at})" if report.longest else "none"
    for column, values in report.values.items():
        yield f"different {column.upper()}", f"{len(values):,}"
    yield "trees", _share(report.trees, report.sentences, "sentences")
    yield "with several roots", _share(report.several_roots, report.trees, "trees")
    yield "non-projective", _share(report.nonprojective_trees, report.trees, "trees")
    yield "non-projective arcs", _share(report.nonprojective_arcs, report.arcs, "arcs")
    yield "changed by projectivising", _share(report.lifted_arcs, report.arcs, "arcs")
    for system, derived in report.derived.items():
        yield f"{system} derives", _share(derived, report.trees, "trees")


def _share(part: int, whole: int, of: str) -> str:
    return f"{part:,} of {whole:,} {of}" + (f" ({100 * part / whole:.2f} %)" if whole else "")


def _number(count: int, thing: str, *, more: bool = False) -> str:
    return f"{count:,}{' more' if more else ''} {thing}{'' if count == 1 else 's'}"
