from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from gardenpath.crews.crew import MAX_ATTEMPTS, Ended, share_out
from gardenpath.crews.processes import Processes, _serve
from gardenpath.errors import GardenpathWarning
from gardenpath.signals import holding_signals
from waiting import wait_until


class Counting:
    """Work that counts the tasks of its process and records finished tasks in a folder, if it has one."""

    def __init__(self, folder: Path | None = None):
        self.times = 0
        self.folder = folder

    def __call__(self, task):
        self.times += 1
        if task == "die":
            os._exit(7)
        if task == "warn":
            warnings.warn("a note", GardenpathWarning, stacklevel=1)
        if task == "wait":
            wait_until(lambda: len(os.listdir(self.folder)) == 3)
        elif self.folder:
            (self.folder / task).touch()
        return os.getpid(), self.times, task


def test_a_process_keeps_its_state_between_tasks():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 1))]
    assert [(times, task) for _, times, task in results] == [(1, "a"), (2, "b"), (3, "c")]
    assert len({pid for pid, _, _ in results}) == 1


def test_once_starts_a_new_process_for_each_task():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 2, once=True))]
    assert {times for _, times, _ in results} == {1}
    assert len({pid for pid, _, _ in results}) == 3


def test_warnings_of_a_worker_are_printed_plainly(capfd):
    list(share_out(["warn"], Processes(Counting(), 1)))
    assert "gardenpath: a note" in capfd.readouterr().err.splitlines()


def test_an_idle_worker_takes_the_next_task(tmp_path):
    """One worker is busy until the other has done the other tasks."""
    results = [ended.result for ended in share_out(["wait", "a", "b", "c"], Processes(Counting(tmp_path), 2))]
    assert sorted(task for _, _, task in results) == ["a", "b", "c", "wait"]
    assert len({pid for pid, _, task in results if task != "wait"}) == 1


def test_a_task_whose_workers_all_die_fails_and_the_others_continue():
    ended = {each.task: each for each in share_out(["a", "die", "b"], Processes(Counting(), 1))}
    assert ended["die"] == Ended("die", MAX_ATTEMPTS, death="exit code 7")
    assert (
        ended["die"].failure()
        == f"the worker died {MAX_ATTEMPTS} times (exit code 7); check that there is enough memory"
    )
    assert [ended[task].result[2] for task in "ab"] == ["a", "b"]


def test_the_task_that_follows_from_a_result_runs_next():
    ended = share_out(
        ["a", "b"], Processes(Counting(), 1), lambda result: result[2] + "!" if len(result[2]) < 3 else None
    )
    assert [each.task for each in ended] == ["a", "a!", "a!!", "b", "b!", "b!!"]


def test_a_worker_without_a_parent_ends_quietly(tmp_path):
    """The parent is gone when the worker has a result."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(Counting(tmp_path), theirs, os.getpid()))
    process.start()
    theirs.close()
    ours.send("wait")
    ours.close()
    for name in "abc":
        (tmp_path / name).touch()
    process.join()
    assert process.exitcode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_a_signal_while_a_process_starts_leaves_no_process(monkeypatch):
    """The signal arrives after the start, and before anybody knows the process."""
    start = SpawnProcess.start
    monkeypatch.setattr(SpawnProcess, "start", lambda process: (start(process), signal.raise_signal(signal.SIGINT)))
    crew = Processes(Counting(), 1)
    with pytest.raises(KeyboardInterrupt):
        next(share_out(["a"], crew))
    assert not multiprocessing.active_children()


def test_a_signal_while_a_result_is_received_leaves_no_process(monkeypatch):
    """Otherwise the process would wait for a task, and Python for the process."""
    def interrupted(connection):
        raise KeyboardInterrupt

    monkeypatch.setattr(Connection, "recv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(share_out(["a"], Processes(Counting(), 1, once=True)))
    left = multiprocessing.active_children()
    for process in left:
        process.kill()
    assert not left


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_a_signal_just_before_a_wait_does_not_wait_for_a_worker(tmp_path, monkeypatch):
    """Its handler runs when the wait is over, and the worker never ends."""
    from gardenpath.crews import processes

    def signalled(connections, timeout=None):
        assert timeout is not None
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)

    crew = Processes(Counting(tmp_path), 1)
    monkeypatch.setattr(processes, "wait", signalled)
    with pytest.raises(KeyboardInterrupt):
        next(share_out(["wait"], crew))
    assert not multiprocessing.active_children()


def test_signals_are_held_back_and_delivered_later():
    seen = []

    def block():
        with holding_signals():
            signal.raise_signal(signal.SIGINT)
            seen.append("in the block")
        seen.append("after it")

    with pytest.raises(KeyboardInterrupt):
        block()
    assert seen == ["in the block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_hold_no_signals_back():
    """Only the main thread may change handlers; another one would raise an error."""
    entered = []

    def enter():
        with holding_signals():
            entered.append(True)

    other = threading.Thread(target=enter)
    other.start()
    other.join()
    assert entered
