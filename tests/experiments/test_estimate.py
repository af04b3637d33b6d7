"""The estimated time depends on size, epochs and system, and on the times of recorded runs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from experiment_records import run_record
from gardenpath.experiments.engines import RunTask
from gardenpath.experiments.estimate import estimate, seconds_of
from gardenpath.experiments.records import RunRecords
from gardenpath.models.settings import Settings
from small_experiment import small_plan


@pytest.fixture
def tasks(tmp_path):
    return [
        RunTask(run)
        for run in small_plan(tmp_path, epochs=20, systems=("arc-eager", "covington-nm"), seeds=(1, 2)).runs()
    ]


def record(folder, task, factor):
    """Write the record of a run that took `factor` times as long as estimated."""
    words = sum(
        line.split("\t")[0].isdigit() for line in task.run.treebank.train.read_text(encoding="utf-8").splitlines()
    )
    content = run_record(task.run.key, "sample", 1, parses=[]) | {
        "settings": task.run.settings.to_flat_dict(), "words": words,
        "seconds": {"training_cpu": 1.0, "all": factor * seconds_of(task.run)},
    }
    RunRecords(folder).write(task.run.key, {"run.json": json.dumps(content).encode()})


def test_slow_systems_and_more_epochs_take_longer(tasks, tmp_path):
    quick, slow = (seconds_of(task.run) for task in tasks[:2])
    assert slow > 2 * quick
    more = small_plan(tmp_path, epochs=40, systems=("arc-eager",), seeds=(1,)).runs()[0]
    assert quick < seconds_of(more) < 2 * quick


def test_training_the_stack_lstm_with_a_beam_takes_longer(tasks):
    times = []
    for beam in (1, 8):
        settings = Settings.of(scorer="stack-lstm", system="swap", tags="gold", beam=beam)
        times.append(seconds_of(replace(tasks[0].run, settings=settings)))
    assert 2 * times[0] < times[1] < 4 * times[0]


def test_workers_share_the_tasks(tasks, tmp_path):
    alone = estimate(tasks, RunRecords(tmp_path), 1)
    assert alone == pytest.approx(sum(seconds_of(task.run) for task in tasks))
    assert estimate(tasks, RunRecords(tmp_path), 2) == pytest.approx(alone / 2)
    assert estimate(tasks, RunRecords(tmp_path), 100) == pytest.approx(alone / 4)
    assert estimate([], RunRecords(tmp_path), 2) == 0


def test_recorded_runs_correct_the_estimate_their_own_system_first(tasks, tmp_path):
    first, other, *_ = tasks
    record(tmp_path, first, 3)
    assert estimate([first], RunRecords(tmp_path), 1) == pytest.approx(3 * seconds_of(first.run))
    assert estimate([other], RunRecords(tmp_path), 1) == pytest.approx(3 * seconds_of(other.run))
    record(tmp_path, other, 0.5)
    assert estimate([first], RunRecords(tmp_path), 1) == pytest.approx(3 * seconds_of(first.run))
    assert estimate([other], RunRecords(tmp_path), 1) == pytest.approx(0.5 * seconds_of(other.run))
