"""What the numbers of an experiment hold for: settings, files, version, machine, time; and which runs are missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gardenpath.experiments.records import FAILURES
from gardenpath.experiments.results import Result, Results

MISSING = """\
Not final: of {every} runs, {lacking} are missing{failures}. Scores are means over the seeds that are there, comparisons are over the seeds that both conditions
have, and means over treebanks are over those that all conditions have that have begun: {treebanks}."""

Facts = list[tuple[str, str]]

TAGS = {"gold": "gold", "predicted": "predicted by a tagger that learnt in the same passes", "jackknife": "predicted, jackknifed for training"}


def facts(results: Results) -> Facts:
    """Names and values, as far as they are known."""
    records = results.records()
    settings = [record["settings"] for record in records]
    found = [
        ("Conditions of the scores", "; ".join(_distinct(_conditions(result) for result in _results(results)))),
        ("Scored on", f"the {results.plan['score']} files"),
        ("Tags", "; ".join(_distinct(TAGS[each["tags"]] for each in settings))),
        ("Scorer", ", ".join(_distinct(each["scorer"] for each in settings))),
        ("Passes", ", ".join(_distinct(each["passes"] for each in settings))),
        ("Seeds", ", ".join(map(str, results.seeds))),
        ("Baseline", results.baseline),
        ("Version", ", ".join(f"gardenpath {version}" for version in _distinct(record["gardenpath"] for record in records))),
        ("Machine", "; ".join(_distinct(_machine(record["machine"]) for record in records))),
        ("Dates", _dates([record["began"] for record in records])),
        ("Time of all runs", duration(sum(record["seconds"]["all"] for record in records)) if records else ""),
        ("Command", results.plan.get("command", "")),
    ]
    return [(name, value) for name, value in found if value]


def missing(results: Results) -> str:
    """How many runs are missing, in words; nothing if none is."""
    lacking, failed, every = (len({run["key"] for run in runs}) for runs in (results.missing, results.failed, results.plan["runs"]))
    if not lacking:
        return ""
    failures = f" ({failed} failed; the reasons are in `{FAILURES}`)" if failed else ""
    return MISSING.format(lacking=lacking, every=every, failures=failures, treebanks=", ".join(results.in_all_conditions()) or "none yet")


def duration(seconds: float) -> str:
    """A time in hours, minutes and seconds, as far as they matter."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _results(results: Results) -> Iterable[Result]:
    return (result for cell in results.cells.values() for result in cell.results)


def _conditions(result: Result) -> str:
    """What the evaluation said of itself, without the size of the treebank, which is last."""
    return "; ".join(result.parse["conditions"].split("; ")[:-1]).lower()


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"


def _dates(began: list[str]) -> str:
    days = sorted(moment[:10] for moment in began)
    return "" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def _distinct(values: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(map(str, values)))
