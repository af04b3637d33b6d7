"""Sections of the report: breakdowns of the scores, costs, learning curves, repairs."""

from __future__ import annotations

from dataclasses import astuple

from gardenpath.report.findings import Findings
from gardenpath.report.repairs import RepairSummary
from gardenpath.report.tables import Numbers, Section, Table, TableEntry, best, bin_name, number, signed_count

LENGTHS = """\
Labelled recall and precision of arcs by the distance between word and head, and LAS by the number of words in the
sentence. In per cent, over the words of all runs on {treebanks}."""

PROJECTIVITY = """\
LAS in sentences with a projective and with a non-projective gold tree; recall and precision of non-projective arcs.
The head of a non-projective arc does not dominate every word between its ends. In per cent, over the words of all runs
on {treebanks}."""

COSTS = """\
Words parsed per second of processor time on one thread, without reading and writing. {how} Means of speeds are
geometric. Training time is the processor time of a run, and memory is its peak, including data and training. Means are
over {treebanks}."""
IN_TURNS = "Conditions were measured in turns in one process."
IN_RUNS = "Speed was measured at the end of each run on a shared machine, so small differences are not meaningful."

REPAIRS = """\
Repairs of the conditions that can undo decisions, summed over treebanks and seeds, counted as by Honnibal, Goldberg and
Johnson (CoNLL 2013). An opportunity is a repair that is valid together with at least one other transition. It is a true
positive if the repair was made and right; a false positive if it was made and lost something; even if it was made, lost
nothing and was not right; a false negative if it was right and not made; a true negative if it was not made and nothing
was lost; other if it was not made and the transition made instead was wrong. Gain is the number of words whose head was
wrong before a repair and right after it, minus the reverse. The oracle that judges: {judges}."""
OUTCOMES = ["True positive", "False positive", "Even", "False negative", "True negative", "Other"]
NONPROJECTIVE = "non-projective"
LABELS = 10          # number of label changes shown per condition


def lengths(findings: Findings) -> Section:
    """Scores by length of arcs and sentences."""
    tables = [
        _breakdown(findings, "arc_length", "Recall by length of arcs, in words"),
        _breakdown(findings, "arc_length_precision", "Precision by length of arcs, in words"),
        _breakdown(findings, "sentence_length", "LAS by length of sentences, in words"),
        _by_treebank(findings, "arc_length", "Recall by length of arcs, on each treebank"),
        _by_treebank(findings, "arc_length_precision", "Precision by length of arcs, on each treebank"),
        _by_treebank(findings, "sentence_length", "LAS by length of sentences, on each treebank"),
    ]
    return Section(
        "Length of arcs and sentences", LENGTHS.format(treebanks=findings.common_treebanks), tables, "arc-lengths"
    )


def projectivity(findings: Findings) -> Section:
    """Projective and non-projective sentences, and non-projective arcs."""
    sentences, recall, precision = (
        findings.breakdowns[name] for name in ("projectivity", "arc_recall", "arc_precision")
    )
    if NONPROJECTIVE not in sentences.kinds:
        return Section("Projectivity", "", [])
    rows = {
        each: [*sentences.row(each), *recall.row(each)[1:], *precision.row(each)[1:]]
        for each in findings.results.conditions
    }
    header = [
        *(f"{kind.capitalize()} sentences, LAS" for kind in sentences.kinds),
        "Non-projective arcs, recall",
        "Non-projective arcs, precision",
    ]
    table = _with_best(
        "projectivity",
        "Projective and non-projective sentences and arcs",
        header[: len(rows[findings.results.baseline])],
        rows,
    )
    tables = [
        table,
        _by_treebank(findings, "projectivity", "LAS in projective and non-projective sentences, on each treebank"),
    ]
    return Section("Projectivity", PROJECTIVITY.format(treebanks=findings.common_treebanks), tables, "projectivity")


def costs(findings: Findings) -> Section:
    """Speed, time and memory."""
    conditions, treebanks, speeds = findings.results.conditions, findings.results.treebanks, findings.speeds
    header = ["Condition", "Words per second", "Ratio to the baseline", "Training, seconds", "Memory, MB"]
    table = Table("costs", "Speed, training time and memory", header, numbers=4)
    detail = Table(
        "speed", "Words per second, on each treebank", ["Condition", *treebanks], numbers=len(treebanks), detail=True
    )
    for condition in conditions:
        speed = speeds.of(condition)
        if speed is not None:
            training, memory = findings.training_seconds.of(condition).mean, findings.memory.of(condition).mean
            table.add(
                condition,
                number(speed.words_per_second, 0),
                number(speed.ratio),
                number(training, 1),
                number(memory, 0),
            )
        known = [speeds.of(condition, treebank) for treebank in treebanks]
        if any(known):
            detail.add(condition, *(number(each.words_per_second if each else None, 0) for each in known))
    text = COSTS.format(how=IN_TURNS if speeds.in_turns else IN_RUNS, treebanks=findings.common_treebanks)
    return Section("Speed, time and memory", text, [table, detail], "speed")


def learning(findings: Findings) -> Section:
    """LAS on the dev set after each epoch."""
    pooled = {curve.condition: curve.las for curve in findings.curves if curve.treebank is None}
    epochs = range(max(map(len, pooled.values()), default=0))
    table = Table(
        "learning",
        "LAS on the dev set after each epoch",
        ["Condition", *(str(i + 1) for i in epochs)],
        numbers=len(epochs),
    )
    for condition, las in pooled.items():
        table.add(condition, *(number(las[i] if i < len(las) else None) for i in epochs))
    return Section(
        "Learning curves", f"In per cent, mean over seeds and {findings.common_treebanks}.", [table], "learning"
    )


def repairs(findings: Findings) -> Section:
    """The repairs of non-monotonic conditions."""
    table = Table(
        "repairs",
        "Repairs",
        ["Condition", "Repair", *OUTCOMES, "Precision", "Recall", "Gain"],
        numbers=len(OUTCOMES) + 3,
    )
    header = ["Condition", "Removed label", "New label", "Arcs", "Right"]
    labels = Table(
        "repaired-labels",
        f"Labels of arcs built by repairs, the {LABELS} most frequent of each condition",
        header,
        numbers=2,
        detail=True,
    )
    for each in findings.repairs:
        _add_repairs(table, each)
        for change in each.changes[:LABELS]:
            labels.add(each.condition, change.old or "(no arc)", change.new, f"{change.count:,}", f"{change.right:,}")
    judges = {
        each.oracle: [other.condition for other in findings.repairs if other.oracle == each.oracle]
        for each in findings.repairs
    }
    listed = "; ".join(f"`{oracle}` of {', '.join(conditions)}" for oracle, conditions in judges.items())
    return Section("Repairs", REPAIRS.format(judges=listed), [table, labels])


def _add_repairs(table: Table, repairs: RepairSummary) -> None:
    """Add a row for each kind of repair and, if there are several, one for their sum.

    The gain is that of all repairs.
    """
    kinds = repairs.kinds | ({"all": repairs.total} if len(repairs.kinds) > 1 else {})
    for i, (kind, outcomes) in enumerate(kinds.items(), 1):
        made = outcomes.true_positive + outcomes.false_positive + outcomes.even
        wanted = outcomes.true_positive + outcomes.false_negative
        rates = number(outcomes.precision if made else None, 1), number(outcomes.recall if wanted else None, 1)
        gain = signed_count(repairs.gain) if i == len(kinds) else ""
        table.add(repairs.condition, kind, *(f"{count:,}" for count in astuple(outcomes)), *rates, gain)


def _breakdown(findings: Findings, name: str, caption: str) -> Table:
    breakdown = findings.breakdowns[name]
    rows = {condition: breakdown.row(condition) for condition in findings.results.conditions}
    return _with_best(name.replace("_", "-"), caption, [bin_name(kind) for kind in breakdown.kinds], rows)


def _with_best(name: str, caption: str, header: list[str], rows: dict[str, Numbers]) -> Table:
    """Make a table with a row for each condition that has numbers, and the best number of each column in bold."""
    known = {condition: row for condition, row in rows.items() if any(value is not None for value in row)}
    table = Table(name, caption, ["Condition", *header], numbers=len(header))
    columns = [best(column) for column in zip(*known.values(), strict=True)]
    for i, (condition, row) in enumerate(known.items()):
        table.add(
            condition, *(TableEntry(number(value), column[i]) for value, column in zip(row, columns, strict=True))
        )
    return table


def _by_treebank(findings: Findings, name: str, caption: str) -> Table:
    breakdown = findings.breakdowns[name]
    header = ["Treebank", "Condition", *map(bin_name, breakdown.kinds)]
    table = Table(f"{name}-by-treebank".replace("_", "-"), caption, header, numbers=len(breakdown.kinds), detail=True)
    for treebank in findings.results.treebanks:
        for condition in findings.results.conditions:
            row = breakdown.row(condition, treebank)
            if any(value is not None for value in row):
                table.add(treebank, condition, *map(number, row))
    return table
