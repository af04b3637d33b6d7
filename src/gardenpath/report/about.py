"""The conditions of the numbers of an experiment: settings, files, version, machine, time; and the missing runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gardenpath.experiments.records import FAILURES
from gardenpath.experiments.results import Result, Results

MISSING = """\
This report is not final: {lacking} of {every} runs {are} missing{failures}. Scores are means over the available seeds.
Comparisons use the seeds that both conditions have. Means over treebanks use the treebanks on which every started
condition has runs: {treebanks}."""

Facts = list[tuple[str, str]]

TAGS = {
    "gold": "gold",
    "predicted": "predicted by a tagger trained in the same epochs",
    "jackknife": "predicted, jackknifed for training",
}


def facts(results: Results) -> Facts:
    """Return the known facts about an experiment, as names and values."""
    records = results.records()
    settings = [record["settings"] for record in records]
    pattern = results.plan.get("input", "")
    found = [
        ("Conditions of the scores", "; ".join(_distinct(_conditions(result) for result in _results(results)))),
        ("Scored on", f"the {results.plan['score']} files"),
        ("Parsed", _parsed(pattern, settings) if pattern else ""),
        ("Tags in training" if pattern else "Tags", "; ".join(_distinct(TAGS[each["tags"]] for each in settings))),
        ("Scorer", ", ".join(_distinct(each["scorer"] for each in settings))),
        ("Epochs", ", ".join(_distinct(each["passes"] for each in settings))),
        ("Seeds", ", ".join(map(str, results.seeds))),
        ("Baseline", results.baseline),
        (
            "Version",
            ", ".join(f"gardenpath {version}" for version in _distinct(record["gardenpath"] for record in records)),
        ),
        ("Machine", "; ".join(_distinct(_machine(record["machine"]) for record in records))),
        ("Dates", _dates([record["began"] for record in records])),
        ("Time of all runs", duration(sum(record["seconds"]["all"] for record in records)) if records else ""),
        ("Command", results.plan.get("command", "")),
    ]
    return [(name, value) for name, value in found if value]


def missing(results: Results) -> str:
    """Describe how many runs are missing. Return an empty string if there are none."""
    lacking, failed, every = (
        len({run["key"] for run in runs}) for runs in (results.missing, results.failed, results.plan["runs"])
    )
    if not lacking:
        return ""
    failures = f" ({failed} failed; see `{FAILURES}` for the reasons)" if failed else ""
    are = "is" if lacking == 1 else "are"
    return MISSING.format(
        lacking=lacking,
        every=every,
        are=are,
        failures=failures,
        treebanks=", ".join(results.in_all_conditions()) or "none yet",
    )


def duration(seconds: float) -> str:
    """Format a time in hours, minutes and seconds, with the two largest units."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _parsed(pattern: str, settings: list[dict[str, Any]]) -> str:
    """Describe what is parsed instead of the scored files."""
    tags = ", and their tags" if any(each["tags"] == "gold" for each in settings) else ""
    return (
        f"the tokens and sentences of {pattern}{tags}. LAS and UAS are the official F1; differences, tests and "
        "breakdowns count gold words. Learning curves are those of the dev sets with their own tokens"
    )


def _results(results: Results) -> Iterable[Result]:
    return (result for cell in results.cells.values() for result in cell.results)


def _conditions(result: Result) -> str:
    """Return the conditions of the evaluation without the last one, the size of the treebank."""
    return "; ".join(result.parse["conditions"].split("; ")[:-1]).lower()


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"


def _dates(began: list[str]) -> str:
    days = sorted(moment[:10] for moment in began)
    return "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def _distinct(values: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(map(str, values)))
