from __future__ import annotations

import os
import time

from gardenpath.crews.crew import MAX_ATTEMPTS, Ended, share_out
from gardenpath.crews.processes import Processes


class Counting:
    """Work that counts the tasks of its process."""

    def __init__(self):
        self.times = 0

    def __call__(self, task):
        self.times += 1
        if task == "die":
            os._exit(7)
        if task == "wait":
            time.sleep(0.3)
        return os.getpid(), self.times, task


def test_a_process_keeps_its_state_between_tasks():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 1))]
    assert [(times, task) for _, times, task in results] == [(1, "a"), (2, "b"), (3, "c")]
    assert len({pid for pid, _, _ in results}) == 1


def test_once_starts_a_new_process_for_each_task():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 2, once=True))]
    assert {times for _, times, _ in results} == {1}
    assert len({pid for pid, _, _ in results}) == 3


def test_an_idle_worker_takes_the_next_task():
    results = [ended.result for ended in share_out(["wait", "a", "b", "c"], Processes(Counting(), 2))]
    assert [task for _, _, task in results][-1] == "wait" or results[0][2] != "wait"
    assert len({pid for pid, _, task in results if task != "wait"}) <= 2


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
