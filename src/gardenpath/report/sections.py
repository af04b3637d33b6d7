"""The report as sections of text and tables, for all formats.

Sections name their figures; only some formats draw them.
"""

from __future__ import annotations

from dataclasses import replace

from gardenpath.report.analysis_sections import costs, learning, lengths, projectivity, repairs
from gardenpath.report.findings import Findings
from gardenpath.report.score_sections import claims, differences, scores
from gardenpath.report.tables import Section, Table


def sections(findings: Findings) -> list[Section]:
    """Return all sections that have content, without empty tables."""
    every = [
        make(findings) for make in (about, scores, differences, claims, lengths, projectivity, costs, learning, repairs)
    ]
    filled = [replace(part, tables=[table for table in part.tables if table.rows]) for part in every]
    return [part for part in filled if part.tables]


def about(findings: Findings) -> Section:
    """The conditions of the numbers."""
    facts = Table("about", "Conditions of the numbers", ["", ""])
    for name, value in findings.facts:
        facts.add(name, value)
    return Section(
        "About this experiment", "", [facts, _treebanks(findings), _conditions(findings), _progress(findings)]
    )


def _treebanks(findings: Findings) -> Table:
    results = findings.results
    header = [
        "Treebank",
        "Training sentences",
        "Training words",
        "Scored sentences",
        "Scored words",
        "Non-projective sentences",
    ]
    table = Table("treebanks", "The treebanks", header, numbers=5)
    for treebank in results.treebanks:
        result = next(
            (result for condition in results.conditions for result in results.cell(condition, treebank).results), None
        )
        if result is not None:
            scored = result.attachment
            crossing = result.parse["by_projectivity"].get("non-projective", {}).get("sentences", 0)
            counts = result.record["sentences"], result.record["words"], scored.sentences, scored.words
            table.add(
                treebank,
                *(f"{count:,}" for count in counts),
                f"{crossing:,} ({100 * crossing / scored.sentences:.1f} %)",
            )
    return table


def _conditions(findings: Findings) -> Table:
    """List the conditions by the settings in which they differ, unless their names are made of just these."""
    settings = {
        each["name"]: each["settings"] | {"decode": each["beam"]} for each in findings.results.plan["conditions"]
    }
    names = dict.fromkeys(name for each in settings.values() for name in each)
    varied = [name for name in names if len({str(each.get(name)) for each in settings.values()}) > 1]
    rows = {
        condition: ["" if each.get(name) is None else str(each[name]) for name in varied]
        for condition, each in settings.items()
    }
    table = Table("conditions", "The conditions, by the settings in which they differ", ["Condition", *varied])
    if any(condition != ", ".join(row) for condition, row in rows.items()):
        for condition, row in rows.items():
            table.add(condition, *row)
    return table


def _progress(findings: Findings) -> Table:
    results = findings.results
    table = Table(
        "progress",
        f"Finished runs, of {len(results.seeds)}",
        ["Condition", *results.treebanks],
        numbers=len(results.treebanks),
    )
    if results.missing:
        for condition in results.conditions:
            table.add(condition, *(str(len(cell.results)) for cell in results.of(condition)))
    return table
