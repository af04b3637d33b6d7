from __future__ import annotations

import json
import shutil
import signal

import pytest

from faults import Deaths, Gate
from gardenpath.crews.crew import MAX_ATTEMPTS
from gardenpath.crews.processes import Processes
from gardenpath.errors import UsageError
from gardenpath.experiments import engines, missing, run_experiment
from gardenpath.experiments.engines import RunTask, engine_of, local
from gardenpath.experiments.plan import Run, Treebank
from gardenpath.experiments.records import RunRecords
from gardenpath.machine import peak_memory
from gardenpath.models.settings import Settings
from small_experiment import FaultyAttempt, descendants, driver, is_alive, recorded, results, small_file, small_plan
from waiting import HANG, wait_until

pytestmark = pytest.mark.xdist_group("local")          # in one process, so that shared fixtures are made once


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The records of the experiment without any fault."""
    folder = tmp_path_factory.mktemp("undisturbed")
    progress = list(run_experiment(small_plan(folder), folder, workers=2))
    assert [step.failure for step in progress] == [None] * 4
    return results(folder)


@pytest.fixture
def kill_workers(tmp_path_factory, monkeypatch):
    """Return a function that makes the workers of a run die, one attempt after the other, at the given moments."""

    def kill(key, *moments):
        deaths = Deaths(tmp_path_factory.mktemp("attempts"), {key: moments})
        monkeypatch.setattr(engines, "attempt_run", FaultyAttempt(deaths))

    return kill


@pytest.mark.parametrize("moment", ["start", "end"])
def test_a_killed_worker_is_replaced_and_nothing_is_lost(tmp_path, kill_workers, undisturbed, moment):
    plan = small_plan(tmp_path)
    victim = plan.runs()[1].key
    kill_workers(victim, moment)
    outcomes = list(local([RunTask(run) for run in plan.runs()], 2))
    assert {outcome.task.run.key: outcome.attempts for outcome in outcomes} == {
        run.key: 1 + (run.key == victim) for run in plan.runs()
    }
    records = RunRecords(tmp_path)
    for outcome in outcomes:
        records.write(outcome.task.run.key, outcome.files)
    assert results(tmp_path) == undisturbed


def test_a_run_whose_workers_all_die_fails_and_the_others_continue(tmp_path, kill_workers):
    plan = small_plan(tmp_path, seeds=(1,))
    victim = plan.runs()[0].key
    kill_workers(victim, *["start"] * MAX_ATTEMPTS)
    outcomes = {outcome.task.run.key: outcome for outcome in local([RunTask(run) for run in plan.runs()], 1)}
    assert outcomes[victim].files is None
    assert outcomes[victim].attempts == MAX_ATTEMPTS
    assert f"died {MAX_ATTEMPTS} times (exit code -{signal.SIGKILL.value})" in outcomes[victim].failure
    assert outcomes[plan.runs()[1].key].files


def test_killed_drivers_lose_no_record_and_leave_no_processes(tmp_path, undisturbed):
    file, folder = small_file(tmp_path), tmp_path / "records"
    for wanted in range(3):               # killed before the first record, after one run, after two
        gate = Gate(tmp_path / f"gate-{wanted}", wanted - len(recorded(folder)))
        gate.folder.mkdir()
        process = driver(file, folder, gate)
        wait_until(lambda gate=gate, wanted=wanted: gate.is_blocking() and len(recorded(folder)) == wanted, process)
        workers = descendants(process.pid)
        assert workers
        process.kill()
        process.wait(HANG)
        wait_until(lambda workers=workers: not any(map(is_alive, workers)))
    plan = small_plan(tmp_path)
    before = recorded(folder)
    progress = list(run_experiment(plan, folder, workers=2))
    assert len(before) == 2
    assert {step.run.key for step in progress} == {run.key for run in plan.runs()} - before
    assert results(folder) == undisturbed


def test_partial_records_are_removed(tmp_path):
    plan = small_plan(tmp_path, seeds=(1,), systems=("arc-eager",))
    half = tmp_path / "runs" / f".{plan.runs()[0].key}.0123456789abcdef"
    half.mkdir(parents=True)
    (half / "run.json").write_text('{"key": ')
    list(run_experiment(plan, tmp_path, workers=1))
    assert not half.exists()
    assert recorded(tmp_path) == {plan.runs()[0].key}


def test_a_second_driver_is_an_error(tmp_path):
    plan = small_plan(tmp_path)
    with RunRecords(tmp_path).locked(), pytest.raises(UsageError, match="another experiment is writing to this folder"):
        next(run_experiment(plan, tmp_path))


def test_failures_are_recorded_and_retried(tmp_path):
    plan = small_plan(tmp_path, systems=("arc-eager",), seeds=(1,))
    good = plan.treebanks[0]
    broken = tmp_path / "broken-train.conllu"
    broken.write_text("1\tgarden\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tpath\t_\t_\t_\t_\t1\tdep\t_\t_\n\n")
    plan.treebanks.append(Treebank("broken", train=broken, test=good.test))
    failing = next(run.key for run in plan.runs() if run.treebank.name == "broken")
    for expected in ({None, failing}, {failing}):
        progress = list(run_experiment(plan, tmp_path, workers=2))
        assert {step.failure and step.run.key for step in progress} == expected
        reason = (tmp_path / "failures" / f"{failing}.txt").read_text()
        assert "broken-train.conllu" in reason
        assert "cycle" in reason
        assert "Traceback" not in reason
    assert [task.run.key for task in missing(plan, RunRecords(tmp_path))] == [failing]


def test_a_record_replaces_a_failure(tmp_path):
    plan = small_plan(tmp_path, systems=("arc-eager",), seeds=(1,))
    key = plan.runs()[0].key
    RunRecords(tmp_path).write_failure(key, "no memory")
    list(run_experiment(plan, tmp_path, workers=1))
    assert recorded(tmp_path) == {key}
    assert not (tmp_path / "failures" / f"{key}.txt").exists()


def test_stopping_early_ends_the_workers(tmp_path, monkeypatch):
    started = []
    submit = Processes.submit
    monkeypatch.setattr(Processes, "submit", lambda *task: started.append(submit(*task)) or started[-1])
    outcomes = local([RunTask(run) for run in small_plan(tmp_path).runs()], 2)
    next(outcomes)
    outcomes.close()
    assert started
    assert not any(worker.process.is_alive() for worker in started)


def test_the_key_of_a_run_does_not_depend_on_where_its_files_are(tmp_path):
    templates = tmp_path / "templates.txt"
    templates.write_text("S0w\nN0w\nS0w N0w\n")
    run = Run(small_plan(tmp_path).treebanks[0], Settings.of(features=str(templates), tags="gold"))
    assert run.files() == [run.treebank.train, run.treebank.dev, run.treebank.test, templates]
    places = {path: tmp_path / f"moved-{path.name}" for path in run.files()}
    for path, place in places.items():
        shutil.copy(path, place)
    assert run.moved(places).files() == list(places.values())
    assert run.moved(places).key == run.key


def test_memory_is_measured_for_the_run_alone(tmp_path):
    bulk = b"x" * 300_000_000
    [outcome] = local([RunTask(small_plan(tmp_path).runs()[0])], 1)
    assert peak_memory() > len(bulk) / 1e6
    assert 10 < json.loads(outcome.files["run.json"])["memory_mb"] < 200


def test_an_unknown_engine_is_an_error():
    with pytest.raises(UsageError, match="there is no engine 'steam'; choose one of: local, ray"):
        engine_of("steam")
