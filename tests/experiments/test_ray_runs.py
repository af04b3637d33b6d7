from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import gardenpath.crews
from gardenpath.crews.crew import MAX_ATTEMPTS
from gardenpath.errors import UsageError
from gardenpath.experiments import run_experiment
from gardenpath.experiments.engines import RunTask, engine_of, local
from gardenpath.experiments.plan import Run, Treebank
from gardenpath.models.settings import Settings
from sample import SAMPLE
from small_experiment import (
    PATIENCE,
    contents,
    descendants,
    driver,
    is_alive,
    recorded,
    results,
    small_file,
    small_plan,
    wait_until,
)

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'gardenpath[cluster]'")
runs = pytest.importorskip("gardenpath.experiments.on_ray")
connected = pytest.importorskip("gardenpath.crews.ray").connected

pytestmark = pytest.mark.xdist_group("ray")          # in one process, so that shared fixtures are made once
SLOW = 8          # epochs that take longer than a kill
PARTS = ("train", "dev", "test")


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory):
    """Start a local Ray with two cores. Its workers run in a folder with other files of the same names."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(SAMPLE / "sample-dev.conllu", elsewhere / "train.conllu")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(elsewhere)
        patch.delenv("RAY_ADDRESS", raising=False)
        with connected(2):
            yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The records that the local engine writes for the experiment."""
    folder = tmp_path_factory.mktemp("undisturbed")
    list(run_experiment(small_plan(folder, passes=SLOW), folder, workers=2))
    return results(folder)


def at_work(driver: int) -> set[int]:
    """Return the workers of a driver's local Ray that are doing a run."""
    return {pid for pid, command in descendants(driver).items() if command.startswith("ray::_work")}


def kill_workers(times: int) -> threading.Thread:
    """Kill `times` workers that are doing a run, one after the other, each shortly after it was found."""
    killed = at_work(os.getpid())         # a worker of the test before may still exist

    def kill() -> None:
        for _ in range(times):
            victim = min(wait_until(lambda: at_work(os.getpid()) - killed))
            time.sleep(0.2)
            os.kill(victim, signal.SIGKILL)
            killed.add(victim)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_the_records_equal_those_of_the_local_engine(tmp_path, undisturbed):
    progress = list(run_experiment(small_plan(tmp_path, passes=SLOW), tmp_path, engine=engine_of("ray")))
    assert [step.failure for step in progress] == [None] * 4
    assert results(tmp_path) == undisturbed


def test_files_that_a_worker_does_not_have_are_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for part in PARTS:
        shutil.copy(SAMPLE / f"sample-{part}.conllu", f"{part}.conllu")
    (tmp_path / "templates.txt").write_text("S0w\nN0w\nS0w N0w\n")
    treebank = Treebank("sample", *(Path(f"{part}.conllu") for part in PARTS))
    run = Run(treebank, Settings.of(features="templates.txt", tags="gold", passes=1))
    [there] = runs.on_ray([RunTask(run)])
    [here] = local([RunTask(run)])
    assert contents(there.files) == contents(here.files)


def test_a_killed_worker_is_replaced_and_nothing_is_lost(tmp_path, undisturbed):
    tasks = [RunTask(run) for run in small_plan(tmp_path, passes=SLOW, seeds=(1,)).runs()]
    killing = kill_workers(1)
    outcomes = list(runs.on_ray(tasks))
    killing.join()
    assert sorted(outcome.attempts for outcome in outcomes) == [1, 2]
    for outcome in outcomes:
        assert contents(outcome.files) == undisturbed[outcome.task.run.key]


def test_a_run_whose_workers_all_die_fails_and_the_others_continue(tmp_path):
    tasks = [RunTask(run) for run in small_plan(tmp_path, passes=SLOW, seeds=(1,)).runs()]
    killing = kill_workers(MAX_ATTEMPTS)
    dead, alive = runs.on_ray(tasks, 1)
    killing.join()
    assert dead.files is None
    assert dead.attempts == MAX_ATTEMPTS
    assert f"died {MAX_ATTEMPTS} times" in dead.failure
    assert alive.files


def test_a_run_that_raises_is_not_retried_and_the_others_continue(tmp_path):
    good = small_plan(tmp_path, systems=("arc-eager",), seeds=(1,)).runs()[0]
    broken = tmp_path / "broken-train.conllu"
    broken.write_text("1\tgarden\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tpath\t_\t_\t_\t_\t1\tdep\t_\t_\n\n")
    bad = replace(good, treebank=replace(good.treebank, name="broken", train=broken))
    outcomes = {outcome.task.run.treebank.name: outcome for outcome in runs.on_ray([RunTask(bad), RunTask(good)])}
    assert outcomes["broken"].attempts == 1
    assert outcomes["broken"].files is None
    assert "broken-train.conllu" in outcomes["broken"].failure
    assert "cycle" in outcomes["broken"].failure
    assert outcomes["sample"].files


def test_workers_with_another_version_are_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(gardenpath, "__version__", "0.0.0")
    [outcome] = runs.on_ray([RunTask(small_plan(tmp_path).runs()[0])])
    assert "the experiment 0.0.0; install the same version on all machines" in outcome.failure


def test_a_killed_driver_loses_no_record_and_leaves_no_worker(tmp_path, undisturbed):
    folder = tmp_path / "records"
    file = small_file(tmp_path, passes=SLOW)
    process = driver(file, folder, "ray")
    workers = wait_until(lambda: recorded(folder) and at_work(process.pid))
    process.kill()
    process.wait(PATIENCE)
    wait_until(lambda: not any(map(is_alive, workers)), 20)
    before = recorded(folder)
    assert 1 <= len(before) < 4
    plan = small_plan(tmp_path, passes=SLOW)
    progress = list(run_experiment(plan, folder, engine=runs.on_ray))
    assert {step.run.key for step in progress} == {run.key for run in plan.runs()} - before
    assert results(folder) == undisturbed


def test_without_ray_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(gardenpath.crews, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'gardenpath\[cluster\]'"):
        engine_of("ray")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:none"])
def test_an_unreachable_cluster_is_an_error_at_once(address, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(UsageError, match=f"there is no Ray cluster at RAY_ADDRESS={address}; start it"):
        next(runs.on_ray([]))
