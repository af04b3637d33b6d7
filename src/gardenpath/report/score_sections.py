"""Sections of the report: scores, differences from the baseline, claims."""

from __future__ import annotations

from gardenpath.report.comparisons import HOLDS, LEVEL, REVERSED, UNDECIDED, UNTESTED, Difference, Pairing
from gardenpath.report.findings import Findings
from gardenpath.report.scores import METRICS
from gardenpath.report.tables import Section, Table, TableEntry, best, probability, signed, with_spread

MEAN = "Mean"

SCORES = """\
In per cent, with mean and standard deviation over seeds. The best score of a column is bold. A dagger marks a
significant difference from the baseline, `{baseline}`: paired approximate randomisation over sentences with all seeds,
p < {level} after Holm's correction over the table. Means are over {treebanks}."""

DIFFERENCES = """\
Difference in {metric}, in points, between each condition and the baseline, `{baseline}`, over their common seeds. On a
treebank, p is that of paired approximate randomisation over sentences, with Holm's correction for the whole table (a
dagger: below {level}). Low and high are the ends of the 95 % bootstrap interval over sentences. Over treebanks, p is
that of Wilcoxon's signed-rank test over the n pairs of runs with the same treebank and seed, with Holm's correction for
all conditions. Pairs on the same treebank are not fully independent, so this p is somewhat too low."""

OVER_SEEDS = """
The last column of the table of all comparisons is p of Wilcoxon's signed-rank test over seeds, not corrected. It says
how other seeds would differ on the same sentences, and nothing about other sentences."""

CLAIMS = """\
A claim says that one condition has a higher {metric} than another. It *{holds}* if the condition is ahead in the mean
over treebanks and in most pairs of runs, and p of Wilcoxon's test, with Holm's correction for all claims, is below
{level} (with a single treebank: p of the test over its sentences). It is *{reversed}* if the same holds in the other
direction. Otherwise there is *{undecided}*. Without two seeds it is *{untested}*. Ahead and behind count treebanks; in
brackets are those with a significant difference: randomisation over sentences, with Holm's correction for all claims on
all treebanks."""


def scores(findings: Findings) -> Section:
    """A table for each metric, with conditions and treebanks."""
    text = SCORES.format(baseline=findings.results.baseline, level=LEVEL, treebanks=findings.common_treebanks)
    return Section("Scores", text, [_score_table(findings, metric) for metric in METRICS])


def _score_table(findings: Findings, metric: str) -> Table:
    conditions, known = findings.results.conditions, findings.scores[metric]
    treebanks = [
        treebank
        for treebank in findings.results.treebanks
        if any(known.of(condition, treebank).mean is not None for condition in conditions)
    ]
    columns = [*treebanks, None] if len(treebanks) > 1 else treebanks
    significant = {
        (each.second, each.treebank)
        for pairing in findings.pairings.get(metric, [])
        for each in pairing.treebanks
        if each.is_significant
    }
    is_best = {treebank: best([known.of(condition, treebank).mean for condition in conditions]) for treebank in columns}
    table = Table(
        metric.replace("_", "-"),
        METRICS[metric],
        ["Condition", *(treebank or MEAN for treebank in columns)],
        numbers=len(columns),
    )
    for i, condition in enumerate(conditions):
        cells = [(treebank, known.of(condition, treebank)) for treebank in columns]
        if columns:
            table.add(
                condition,
                *(
                    TableEntry(
                        with_spread(score.mean, score.spread), is_best[name][i], (condition, name) in significant
                    )
                    for name, score in cells
                ),
            )
    return table


def differences(findings: Findings) -> Section:
    """Every condition compared with the baseline."""
    named = [(pairing.second, pairing) for pairing in findings.differences if pairing.treebanks]
    metric = METRICS[findings.metric]
    text = DIFFERENCES.format(metric=metric, baseline=findings.results.baseline, level=LEVEL) + _over_seeds(named)
    return Section("Differences from the baseline", text, [
        _by_treebank("differences", f"{metric}: points ahead of the baseline", named, findings),
        _tests("difference-tests", f"{metric}: every comparison with the baseline", named),
    ], "differences")


def claims(findings: Findings) -> Section:
    """The claims of the plan and their verdicts."""
    words = {"holds": HOLDS, "reversed": REVERSED, "undecided": UNDECIDED, "untested": UNTESTED}
    named = [(f"{i}: {pairing.second} − {pairing.first}", pairing) for i, pairing in enumerate(findings.claims, 1)]
    text = CLAIMS.format(metric=METRICS[findings.metric], level=LEVEL, **words) + _over_seeds(named)
    return Section(
        "Claims",
        text,
        [
            _verdicts(findings),
            _by_treebank(
                "claim-differences",
                "Difference between the second and the first condition, in points, by treebank",
                named,
                findings,
            ),
            _tests("claim-tests", "Every comparison of the claims", named),
        ],
    )


def _verdicts(findings: Findings) -> Table:
    header = [
        "",
        "Claim",
        "Verdict",
        "Difference",
        "Ahead (significantly)",
        "Behind (significantly)",
        "Wilcoxon p",
        "Holm p",
        "n",
    ]
    table = Table("claims", "The claims", header, numbers=6)
    for i, (claim, pairing) in enumerate(zip(findings.results.claims, findings.claims, strict=True), 1):
        text = claim.claim or f"{claim.second} is better than {claim.first}."
        verdict = TableEntry(pairing.verdict, bold=pairing.verdict in (HOLDS, REVERSED))
        table.add(
            str(i),
            text,
            verdict,
            signed(pairing.difference),
            _count(pairing, 1),
            _count(pairing, -1),
            *_wilcoxon(pairing),
        )
    return table


def _count(pairing: Pairing, direction: int) -> str:
    """Return on how many treebanks the second condition is ahead or behind."""
    return f"{pairing.count(direction)} of {len(pairing.treebanks)} ({pairing.count(direction, significant=True)})"


def _wilcoxon(pairing: Pairing) -> tuple[str, str, str]:
    return probability(pairing.p), probability(pairing.holm), str(len(pairing.pairs))


def _by_treebank(name: str, caption: str, pairings: list[tuple[str, Pairing]], findings: Findings) -> Table:
    treebanks = findings.results.treebanks
    table = Table(
        name, caption, ["Condition", *treebanks, MEAN, "Wilcoxon p", "Holm p", "n"], numbers=len(treebanks) + 4
    )
    for title, pairing in pairings:
        known = {each.treebank: each for each in pairing.treebanks}
        table.add(
            title,
            *(_difference(known.get(treebank)) for treebank in treebanks),
            signed(pairing.difference),
            *_wilcoxon(pairing),
        )
    return table


def _difference(difference: Difference | None) -> TableEntry:
    return (
        TableEntry(signed(None))
        if difference is None
        else TableEntry(signed(difference.difference), marked=difference.is_significant)
    )


def _has_many_seeds(pairings: list[tuple[str, Pairing]]) -> bool:
    return any(each.p_over_seeds is not None for _, pairing in pairings for each in pairing.treebanks)


def _over_seeds(pairings: list[tuple[str, Pairing]]) -> str:
    return OVER_SEEDS if _has_many_seeds(pairings) else ""


def _tests(name: str, caption: str, pairings: list[tuple[str, Pairing]]) -> Table:
    header = ["Comparison", "Treebank", "Difference", "Low", "High", "p", "Holm p", "Seeds"]
    many_seeds = _has_many_seeds(pairings)
    if many_seeds:
        header.append("Wilcoxon p over seeds")
    table = Table(name, caption, header, numbers=len(header) - 2, detail=True)
    for title, pairing in pairings:
        for each in pairing.treebanks:
            numbers = [
                signed(each.low),
                signed(each.high),
                probability(each.p),
                probability(each.holm),
                str(len(each.by_seed)),
            ]
            if many_seeds:
                numbers.append(probability(each.p_over_seeds))
            table.add(title, each.treebank, _difference(each), *numbers)
    return table
