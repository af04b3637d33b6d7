"""Bounds compared with the loss, against a recount with the configurations of training and the definitions."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from statistics import fmean

import pytest

import gardenpath as gp
from gardenpath.analysis.bounds import measure_bounds
from gardenpath.errors import UsageError
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from oracles.bounds import Place, bounds
from sample import TRAIN

KINDS = ["lower", "pc-upper", "upper", "lower-strict"]


class EnoughError(Exception):
    pass


@pytest.fixture(scope="module")
def sentences():
    return list(gp.read_conllu(TRAIN))


def settings(**chosen):
    return Settings.of(system="covington-nm", tags="gold", **chosen)


def shown(sentences, chosen, most=None):
    """Return the configurations of a training run with their gold trees, at most `most`."""
    seen = []

    def watch(c, gold):
        if len(seen) == most:
            raise EnoughError
        seen.append((c, gold))

    with suppress(EnoughError):
        list(training(sentences, None, chosen, watch=watch))
    return seen


def following(seen):
    """Return the configurations after each valid transition."""
    system, every = gp.systems.get("covington-nm"), []
    for c, gold in seen:
        for move in system.valid(c):
            after = c.copy()
            system.apply(after, move)
            every.append((after, gold))
    return every


def recount(seen, budget):
    """Return the unsettled configurations, the mean loss, that per word, and the scores of each kind of bound."""
    exact = type(gp.oracles.get("covington-nm", "exact"))(gp.systems.get("covington-nm"), "exact", "any", budget)
    settled = [(c, gold, loss) for c, gold in seen for loss, most in [exact.between(c, gold)] if loss == most]
    table = {kind: [(bounds(Place.of(c), gold)[kind], loss) for c, gold, loss in settled] for kind in KINDS}
    losses = [loss for *_, loss in settled], [loss / len(gold) for _, gold, loss in settled]
    return len(seen) - len(settled), *map(fmean, losses), {kind: {
        "average": pytest.approx(fmean(bound for bound, _ in rows)),
        "relative": pytest.approx(100 * fmean(abs(bound - loss) / (loss or 1) for bound, loss in rows)),
        "below": sum(bound < loss for bound, loss in rows),
        "above": sum(bound > loss for bound, loss in rows),
    } for kind, rows in table.items()}


@pytest.mark.parametrize(
    "chosen, budget, after",
    [
        ({}, 200_000, False),
        ({"seed": 2, "epochs": 2}, 300, False),
        ({"oracle": "lower", "explore": 0.9}, 300, True),
        ({"oracle": "upper", "features": "fernandez-gomez"}, 0, False),
        ({"oracle": "static"}, 300, False),
        ({"oracle": "static"}, 300, True),
    ],
    ids=str,
)
def test_the_report_equals_a_recount(chosen, budget, after, sentences):
    report = measure_bounds(sentences, settings(**chosen), 400, budget, after=after)
    assert report.configurations == 400
    seen = shown(sentences, settings(**chosen), 400)
    unsettled, loss, per_word, table = recount(following(seen)[:400] if after else seen, budget)
    assert (report.unsettled, report.average_loss) == (unsettled, pytest.approx(loss))
    assert json.loads(json.dumps(report.to_dict())) == {
        "configurations": 400,
        "unsettled": unsettled,
        "average_loss": report.average_loss,
        "loss_per_word": pytest.approx(per_word),
        "bounds": table,
    }
    assert report == measure_bounds(sentences, settings(**chosen), 400, budget, after=after)


def test_on_the_gold_path_only_the_transitions_that_leave_it_lose_arcs(sentences):
    on_path, after = (measure_bounds(sentences, settings(oracle="static"), 400, after=after) for after in (False, True))
    assert on_path.average_loss == 0 < after.average_loss < 1


def test_measuring_can_start_at_a_later_epoch(sentences):
    few, twice = sentences[:3], settings(epochs=2)
    first, second = (recount(seen, 300)[1] for seen in _by_epoch(few, twice))
    assert measure_bounds(few, settings(epochs=1), 10**6, 300).average_loss == pytest.approx(first)
    assert measure_bounds(few, twice, 10**6, 300, epoch=2).average_loss == pytest.approx(second)


def _by_epoch(sentences, chosen):
    """Return the configurations of each epoch."""
    every = []
    steps = training(sentences, None, chosen, watch=lambda c, gold: every[-1].append((c, gold)))
    for _ in range(chosen.epochs):
        every.append([])
        next(step for step in steps if step.model is not None)
    return every


def test_some_bounds_are_bounds(sentences):
    """`lower` is no bound: a word of the root with a wrong head may be set free."""
    report = measure_bounds(sentences, settings(), 3000, 300)
    assert list(report.bounds) == KINDS
    assert report.bounds["lower-strict"].above == report.bounds["pc-upper"].below == report.bounds["upper"].below == 0
    assert report.bounds["lower"].above > 0 < report.unsettled
    averages = [
        report.bounds["lower-strict"].average,
        report.average_loss,
        report.bounds["pc-upper"].average,
        report.bounds["upper"].average,
    ]
    assert averages == sorted(averages)
    assert report.bounds["lower"].average <= report.bounds["pc-upper"].average


def test_without_a_budget_the_bounds_must_meet(sentences):
    none, little = (measure_bounds(sentences, settings(), 400, budget) for budget in (0, 200_000))
    assert none.unsettled > 20 > little.unsettled


def test_measuring_stops_at_the_limit_or_the_end_of_training(sentences):
    """The last configuration of a sentence does not count, because there is nothing left to decide."""
    few, once = sentences[:2], settings(epochs=1)
    everything = len(shown(few, once))
    assert everything > sum(len(sentence) for sentence in few)
    assert [
        measure_bounds(few, once, wanted).configurations for wanted in (1, 7, everything, everything + 1, 10**6)
    ] == [1, 7, *[everything] * 3]
    assert all(c.buffer for c, _ in shown(few, once))
    assert measure_bounds(few, settings(epochs=2), 10**6).configurations > everything


def test_training_shows_every_configuration_on_its_path(sentences):
    """Each configuration follows from the one before, with the gold tree of its sentence."""
    seen = shown(sentences[:5], settings(epochs=1))
    golds = [sentence.heads for sentence in sentences[:5]]
    starts = [(c, gold) for c, gold in seen if c.buffer[0] == 1]
    assert sorted(gold for _, gold in starts) == sorted(golds)
    for (c, gold), (following, same) in pairwise(seen):
        if following.buffer[0] == 1:
            assert c.buffer == [len(c)]
            continue
        assert same == gold
        system, reached = gp.systems.get("covington-nm"), []
        for move in system.valid(c):
            after = c.copy()
            system.apply(after, move)
            reached.append(after.key())
        assert following.key() in reached


@pytest.mark.parametrize(
    "chosen, configurations, budget, message",
    [
        ({"system": "covington"}, 10, 10, "bounds can be measured for covington-nm only, not for covington"),
        (
            {"system": "covington-nm"},
            0,
            10,
            "at least one configuration is needed, and a budget of 0 or more, not 0 and 10",
        ),
        (
            {"system": "covington-nm"},
            10,
            -1,
            "at least one configuration is needed, and a budget of 0 or more, not 10 and -1",
        ),
    ],
)
def test_usage_errors(chosen, configurations, budget, message, sentences):
    with pytest.raises(UsageError, match=message):
        measure_bounds(sentences, Settings.of(**chosen), configurations, budget)


@pytest.mark.parametrize("epoch", [0, 3])
def test_the_epoch_must_exist(epoch, sentences):
    with pytest.raises(UsageError, match=f"the training has epochs 1 to 2, and no epoch {epoch}"):
        measure_bounds(sentences, settings(epochs=2), epoch=epoch)
