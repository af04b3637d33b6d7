from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gardenpath.crews
from faults import Deaths, Gate
from gardenpath.crews.crew import MAX_ATTEMPTS
from gardenpath.errors import UsageError
from gardenpath.experiments import run_experiment
from gardenpath.experiments.engines import RunTask, engine_of, local
from gardenpath.experiments.plan import Run, Treebank
from gardenpath.models.settings import Settings
from sample import SAMPLE
from small_experiment import TESTS, contents, descendants, is_alive, recorded, results, small_file, small_plan
from waiting import HANG, wait_until

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'gardenpath[cluster]'")
runs = pytest.importorskip("gardenpath.experiments.on_ray")
connected = pytest.importorskip("gardenpath.crews.ray").connected

pytestmark = pytest.mark.xdist_group("ray")          # in one process, so that shared fixtures are made once
PARTS = ("train", "dev", "test")


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory):
    """Start a local Ray with two cores. Its workers run in a folder with other files of the same names.

    They can import the modules of the tests.
    """
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(SAMPLE / "sample-dev.conllu", elsewhere / "train.conllu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        patch.chdir(elsewhere)
        patch.delenv("RAY_ADDRESS", raising=False)
        with connected(2):
            yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The records that the local engine writes for the experiment."""
    folder = tmp_path_factory.mktemp("undisturbed")
    list(run_experiment(small_plan(folder), folder, workers=2))
    return results(folder)


def faulty(fault):
    """Return the remote function of the engine, with a fault."""

    def faulty_work(task, parcels, version):
        with fault.during(task.run.key):
            return runs._work(task, parcels, version)

    return ray.remote(num_cpus=1, max_calls=1, max_retries=0)(faulty_work)


DRIVER = f"""
import sys; sys.path.insert(0, {str(TESTS)!r}); sys.path.insert(0, {str(TESTS / "experiments")!r})
from pathlib import Path
from faults import Gate
from gardenpath.experiments import on_ray, read_plan, run_experiment
from test_ray_runs import faulty
on_ray._remote_work = faulty(Gate(Path(sys.argv[1]), 1))
for _ in run_experiment(read_plan(sys.argv[2], sys.argv[3]), sys.argv[4], engine=on_ray.on_ray, workers=2): pass
"""


def test_the_records_equal_those_of_the_local_engine(tmp_path, undisturbed):
    progress = list(run_experiment(small_plan(tmp_path), tmp_path, engine=engine_of("ray")))
    assert [step.failure for step in progress] == [None] * 4
    assert results(tmp_path) == undisturbed


def test_files_that_a_worker_does_not_have_are_sent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for part in PARTS:
        shutil.copy(SAMPLE / f"sample-{part}.conllu", f"{part}.conllu")
    (tmp_path / "templates.txt").write_text("S0w\nN0w\nS0w N0w\n")
    treebank = Treebank("sample", *(Path(f"{part}.conllu") for part in PARTS))
    run = Run(treebank, Settings.of(features="templates.txt", tags="gold", epochs=1))
    [there] = runs.on_ray([RunTask(run)])
    [here] = local([RunTask(run)])
    assert contents(there.files) == contents(here.files)


def test_a_killed_worker_is_replaced_and_nothing_is_lost(tmp_path, undisturbed, monkeypatch):
    tasks = [RunTask(run) for run in small_plan(tmp_path, seeds=(1,)).runs()]
    monkeypatch.setattr(runs, "_remote_work", faulty(Deaths(tmp_path, {tasks[0].run.key: ("end",)})))
    outcomes = list(runs.on_ray(tasks))
    assert {outcome.task: outcome.attempts for outcome in outcomes} == {tasks[0]: 2, tasks[1]: 1}
    for outcome in outcomes:
        assert contents(outcome.files) == undisturbed[outcome.task.run.key]


@pytest.mark.long
def test_a_run_whose_workers_all_die_fails_and_the_others_continue(tmp_path, monkeypatch):
    tasks = [RunTask(run) for run in small_plan(tmp_path, seeds=(1,)).runs()]
    deaths = Deaths(tmp_path, {tasks[0].run.key: ("start",) * MAX_ATTEMPTS})
    monkeypatch.setattr(runs, "_remote_work", faulty(deaths))
    dead, alive = runs.on_ray(tasks, 1)
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
    monkeypatch.setattr("gardenpath.version.__version__", "0.0.0")
    [outcome] = runs.on_ray([RunTask(small_plan(tmp_path).runs()[0])])
    assert "the experiment 0.0.0; install the same version on all machines" in outcome.failure


@pytest.mark.long
def test_a_killed_driver_loses_no_record_and_leaves_no_worker(tmp_path, undisturbed):
    folder = tmp_path / "records"
    gate = Gate(tmp_path / "gate", 1)
    gate.folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, *map(str, (gate.folder, small_file(tmp_path), SAMPLE.parent, folder))]
    )
    wait_until(lambda: gate.is_blocking() and recorded(folder), process)
    workers = [pid for pid, command in descendants(process.pid).items() if command.startswith("ray::faulty_work")]
    assert workers
    process.kill()
    process.wait(HANG)
    wait_until(lambda: not any(map(is_alive, workers)))
    before = recorded(folder)
    assert len(before) == 1
    plan = small_plan(tmp_path)
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
