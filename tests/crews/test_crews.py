from __future__ import annotations

import os
from pathlib import Path

from gardenpath.crews.crew import TRIES, Ended, Processes, share_out, told
from waiting import wait_until


class Counting:
    """Work that remembers how often it was done in its process, and which tasks were done, if it has a folder for them."""

    def __init__(self, folder: Path | None = None):
        self.times = 0
        self.folder = folder

    def __call__(self, task):
        self.times += 1
        if task == "die":
            os._exit(7)
        if task == "wait":
            wait_until(lambda: len(os.listdir(self.folder)) == 3)
        elif self.folder:
            (self.folder / task).touch()
        return os.getpid(), self.times, task


def test_a_process_remembers_and_takes_task_after_task():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 1))]
    assert [(times, task) for _, times, task in results] == [(1, "a"), (2, "b"), (3, "c")]
    assert len({pid for pid, _, _ in results}) == 1


def test_once_means_a_process_of_its_own():
    results = [ended.result for ended in share_out(["a", "b", "c"], Processes(Counting(), 2, once=True))]
    assert {times for _, times, _ in results} == {1}
    assert len({pid for pid, _, _ in results}) == 3


def test_who_is_idle_takes_the_next_task(tmp_path):
    """One worker is busy until the other has done the rest."""
    results = [ended.result for ended in share_out(["wait", "a", "b", "c"], Processes(Counting(tmp_path), 2))]
    assert sorted(task for _, _, task in results) == ["a", "b", "c", "wait"]
    assert len({pid for pid, _, task in results if task != "wait"}) == 1


def test_a_task_that_kills_its_workers_is_given_up_and_the_rest_goes_on():
    ended = {each.task: each for each in share_out(["a", "die", "b"], Processes(Counting(), 1))}
    assert ended["die"] == Ended("die", TRIES, death="exit code 7")
    assert told(ended["die"]) == f"the worker died {TRIES} times (exit code 7); is there enough memory?"
    assert [ended[task].result[2] for task in "ab"] == ["a", "b"]


def test_a_result_may_lead_to_another_task_which_comes_first():
    ended = share_out(["a", "b"], Processes(Counting(), 1), lambda result: result[2] + "!" if len(result[2]) < 3 else None)
    assert [each.task for each in ended] == ["a", "a!", "a!!", "b", "b!", "b!!"]
