import json
from dataclasses import replace
from math import exp, log
from statistics import mean, stdev

import pytest

from experiment_records import make_experiment, scores
from gardenpath import InputError, UsageError
from gardenpath.evaluation.significance import compare_runs
from gardenpath.evaluation.wilcoxon import wilcoxon
from gardenpath.experiments.results import read_results
from gardenpath.report.findings import Findings

QUALITIES = {"plain": 0.80, "better": 0.86, "same": 0.801}
TREEBANKS = ["one", "two", "three"]
SEEDS = [1, 2, 3]
CLAIMS = [
    {"first": "plain", "second": "better", "claim": "It helps."},
    {"first": "better", "second": "plain", "claim": "It does not."},
    {"first": "plain", "second": "same", "claim": ""},
]


def findings(folder, metric="las", **options):
    settings = {"qualities": QUALITIES, "treebanks": TREEBANKS, "seeds": SEEDS, "claims": CLAIMS} | options
    target = make_experiment(folder, **settings)
    return Findings(read_results(target), target, metric)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return findings(tmp_path_factory.mktemp("records"))


def expected(condition, treebank, metric="las", seeds=SEEDS):
    return [getattr(scores(TREEBANKS.index(treebank), seed, QUALITIES[condition]), metric) for seed in seeds]


@pytest.mark.parametrize("metric", ["las", "uas", "exact_labelled"])
def test_scores_are_means_over_seeds_with_their_spread(found, metric):
    for condition in QUALITIES:
        for treebank in TREEBANKS:
            values, score = expected(condition, treebank, metric), found.scores[metric].of(condition, treebank)
            assert score.mean == pytest.approx(mean(values))
            assert score.spread == pytest.approx(stdev(values))
        by_seed = [mean(expected(condition, treebank, metric)[i] for treebank in TREEBANKS) for i in range(3)]
        assert found.scores[metric].of(condition).mean == pytest.approx(mean(by_seed))
        assert found.scores[metric].of(condition).spread == pytest.approx(stdev(by_seed))


def test_differences_are_tested_by_sentences_and_corrected_for_the_table(found):
    every = [each for pairing in found.differences for each in pairing.treebanks]
    assert [(each.second, each.treebank) for each in every] == [
        (condition, treebank) for condition in ("better", "same") for treebank in TREEBANKS
    ]
    for each in every:
        number = TREEBANKS.index(each.treebank)
        runs = [[scores(number, seed, QUALITIES[condition]) for seed in SEEDS] for condition in ("plain", each.second)]
        tested = compare_runs(*runs)
        assert each.difference == pytest.approx(
            mean(expected(each.second, each.treebank)) - mean(expected("plain", each.treebank))
        )
        assert each.p == tested.p
        assert each.low < each.difference < each.high
    # Holm by hand: the smallest p times 6, the next times 5, ..., never smaller than the one before.
    order = sorted(every, key=lambda each: each.p)
    highest = 0.0
    for i, each in enumerate(order):
        highest = max(highest, min(1.0, each.p * (6 - i)))
        assert each.holm == pytest.approx(highest)


def test_with_six_seeds_wilcoxon_compares_them_on_each_treebank(tmp_path, found):
    assert {each.p_over_seeds for pairing in found.differences for each in pairing.treebanks} == {None}
    seeds = [1, 2, 3, 4, 5, 6]
    many = findings(tmp_path, seeds=seeds)
    for pairing, row in zip(many.differences, many.to_dict()["differences"], strict=True):
        for each, plain in zip(pairing.treebanks, row["treebanks"], strict=True):
            scored = (expected(condition, each.treebank, seeds=seeds) for condition in ("plain", each.second))
            p = wilcoxon([two - one for one, two in zip(*scored, strict=True)])
            assert each.p_over_seeds == plain["p_over_seeds"] == p
    assert min(each.p_over_seeds for each in many.differences[0].treebanks) == pytest.approx(2 / 2**6)


def test_over_treebanks_wilcoxon_compares_pairs_with_the_same_seed(found):
    better, same = found.differences
    pairs = [
        two - one
        for treebank in TREEBANKS
        for one, two in zip(expected("plain", treebank), expected("better", treebank), strict=True)
    ]
    assert better.pairs == pytest.approx(pairs)
    assert better.p == wilcoxon(pairs)
    assert sorted([better.holm, same.holm]) == pytest.approx(
        sorted([min(1, 2 * better.p), max(same.p, min(1, 2 * better.p))])
    )


def test_verdicts_on_claims(found):
    assert [pairing.verdict for pairing in found.claims] == [
        "holds",
        "reversed",
        "no difference that these runs could show",
    ]
    assert found.claims[0].count(1) == 3
    assert (
        found.claims[1].count(-1, significant=True)
        == sum(each.is_significant for each in found.claims[1].treebanks)
        > 0
    )


def test_a_single_treebank_is_judged_by_its_sentences(found):
    holds = found.claims[0]
    best = max(holds.treebanks, key=lambda each: each.difference)
    alone = replace(holds, treebanks=[replace(best, holm=0.01)], p=0.25, holm=1.0)
    assert alone.verdict == "holds"
    assert replace(alone, treebanks=[replace(best, holm=0.2)]).verdict == "no difference that these runs could show"


def test_a_small_p_is_undecided_if_the_mean_and_most_pairs_disagree(found):
    pairing = found.claims[0]
    odd = replace(
        pairing, treebanks=[replace(each, by_seed=[-value for value in each.by_seed]) for each in pairing.treebanks]
    )
    assert odd.is_significant
    assert odd.verdict == "no difference that these runs could show"


def test_one_seed_has_no_spread_and_no_test_over_treebanks(tmp_path):
    single = findings(tmp_path, seeds=[1])
    assert single.scores["las"].of("plain", "one").spread is None
    assert single.scores["las"].of("plain").spread is None
    assert all(pairing.p is None and pairing.verdict == "not tested" for pairing in single.claims)
    assert all(0 < each.p <= 1 for pairing in single.claims for each in pairing.treebanks)


def test_missing_runs_are_reported_and_left_out_of_comparisons(tmp_path):
    missing = {("better", "one", 3), *(("same", "two", seed) for seed in SEEDS)}
    part = findings(tmp_path, missing=missing)
    assert "4 of 27 runs are missing" in part.missing
    assert part.results.in_all_conditions() == ["one", "three"]
    assert "(one, three)" in part.common_treebanks
    assert part.scores["las"].of("better", "one").mean == pytest.approx(mean(expected("better", "one", seeds=[1, 2])))
    assert part.scores["las"].of("same", "two").mean is None
    assert part.scores["las"].of("plain").mean == pytest.approx(
        mean(mean(expected("plain", treebank)) for treebank in ("one", "three"))
    )
    better, same = part.differences
    assert [len(each.by_seed) for each in better.treebanks] == [2, 3, 3]
    assert better.treebanks[0].difference == pytest.approx(
        mean(expected("better", "one", seeds=[1, 2])) - mean(expected("plain", "one", seeds=[1, 2]))
    )
    assert [each.treebank for each in same.treebanks] == ["one", "three"]


def test_failed_runs_are_reported(tmp_path):
    target = make_experiment(tmp_path, QUALITIES, TREEBANKS, SEEDS, missing={("better", "one", 3)})
    (tmp_path / "failures").mkdir()
    (tmp_path / "failures" / "0-1-3.txt").write_text("no memory\n")
    assert (
        "1 of 27 runs is missing (1 failed; see `failures` for the reasons)"
        in Findings(read_results(target), target).missing
    )


def test_breakdowns_are_pooled_over_words(found):
    projective, crossing = found.breakdowns["projectivity"].row("plain")
    parts = [scores(number, seed, 0.80) for number in range(3) for seed in SEEDS]
    for kind, share in ((0, projective), (1, crossing)):
        right = sum(int(part.right_both[kind::2].sum()) for part in parts)
        assert share == pytest.approx(100 * right / sum(int(part.counted[kind::2].sum()) for part in parts))
    by_length = found.breakdowns["sentence_length"]
    short = [part.of(part.lengths <= 10) for part in parts]
    assert by_length.row("plain")[0] == pytest.approx(
        100 * sum(int(part.right_both.sum()) for part in short) / sum(part.words for part in short)
    )
    assert by_length.row("plain", "one")[0] == pytest.approx(mean(part.las for part in short[:3]))


@pytest.mark.parametrize(
    "name, right, whole",
    [("arc_length", 1, 100), ("arc_length_precision", 0.5, 50), ("arc_recall", 1, 100), ("arc_precision", 0.5, 50)],
)
def test_recall_and_precision_of_arcs(found, name, right, whole):
    counts = [round(right * scores(number, seed, 0.80).las) for number in range(3) for seed in SEEDS]
    assert set(found.breakdowns[name].row("plain")) == {100 * sum(counts) / (whole * len(counts))}


def test_speeds_of_runs_have_geometric_means_and_ratios(found):
    speed = found.speeds.of("better")
    assert not found.speeds.in_turns
    assert speed.words_per_second == pytest.approx(exp(mean(map(log, (2000, 4000, 6000)))))
    assert speed.ratio == pytest.approx(2)
    assert found.speeds.of("same", "two").words_per_second == 6000


def test_speeds_measured_in_turns_are_used_if_they_are_of_these_runs(tmp_path):
    target = make_experiment(tmp_path, QUALITIES, ["one"], SEEDS)
    rows = [
        {"condition": name, "treebank": "one", "words_per_second": 10.0 * (i + 1), "ratio": i + 1}
        for i, name in enumerate(QUALITIES)
    ]
    path = target / "speed.json"
    path.write_text(json.dumps({"keys": ["0-0-1", "0-1-1", "0-2-1"], "rows": rows}))
    speeds = Findings(read_results(target), target).speeds
    assert speeds.in_turns
    assert (speeds.of("better").words_per_second, speeds.of("better").ratio) == (pytest.approx(20), pytest.approx(2))
    path.write_text(json.dumps({"keys": ["another run"], "rows": rows}))
    assert not Findings(read_results(target), target).speeds.in_turns
    path.write_text("[]")
    with pytest.raises(InputError, match=r"speed\.json: the file does not contain speeds"):
        Findings(read_results(target), target)


def test_curves_are_means_over_seeds(found):
    assert [curve.las for curve in found.curves if (curve.condition, curve.treebank) == ("plain", "one")] == [
        pytest.approx([77, 82, 87])
    ]
    assert len(found.curves) == 3 * 4


def test_repairs_are_summed(found):
    better, same = found.repairs
    assert (better.condition, same.condition, better.runs, better.gain) == ("better", "same", 9, 45)
    assert better.total.true_positive == 9 * 2 * 3
    assert better.total.recall == pytest.approx(60)
    assert [(change.old, change.new, change.count, change.right) for change in better.changes] == [
        ("obj", "nsubj", 36, 18),
        (None, "obl", 9, 0),
    ]


def test_conditions_that_share_runs_have_their_own_parses(tmp_path):
    shared = findings(tmp_path, beams=True)
    assert len(shared.results.records()) == 9
    assert shared.scores["las"].of("better", "one").mean == pytest.approx(mean(expected("better", "one")))
    assert [each.condition for each in shared.repairs] == ["plain"]


def test_an_unknown_metric_is_an_error(found):
    with pytest.raises(UsageError, match="cannot be compared by 'f1'; choose one of: las, uas, exact_labelled"):
        Findings(found.results, None, "f1")


def test_attachment_scores_are_the_official_ones_if_the_words_differ(tmp_path):
    target = make_experiment(tmp_path, {"plain": 0.8}, ["one"], [1])
    path = next((tmp_path / "runs").glob("*/run.json"))
    record = json.loads(path.read_text())
    record["parses"][0]["scores"] = {"LAS": {"f1": 12.0}, "UAS": {"f1": 34.0}}
    path.write_text(json.dumps(record))
    plan = json.loads((target / "plan.json").read_text())
    (target / "plan.json").write_text(json.dumps(plan | {"input": "udpipe/{treebank}.conllu"}))
    found = Findings(read_results(target), target)
    assert "the tokens and sentences of udpipe/{treebank}.conllu, and their tags. " in dict(found.facts)["Parsed"]
    assert ("Tags in training", "gold") in found.facts
    assert [found.scores[name].of("plain", "one").mean for name in ("las", "uas")] == [12.0, 34.0]
    assert found.results.cell("plain", "one").scores("label_accuracy") == [
        pytest.approx(scores(0, 1, 0.8).label_accuracy)
    ]
    record["settings"]["tags"] = "predicted"
    path.write_text(json.dumps(record))
    parsed = dict(Findings(read_results(target), target).facts)["Parsed"]
    assert parsed.startswith("the tokens and sentences of udpipe/{treebank}.conllu. LAS")
