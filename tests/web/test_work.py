"""The threads that parse: order, batches, errors, cancelled jobs, the end."""

import asyncio
import random
import threading
from dataclasses import dataclass, field

import pytest

from gardenpath.interruption import StoppedError, check
from gardenpath.web.work import BATCH, LARGE, SMALL, Workers
from waiting import HANG, wait_until


@dataclass(frozen=True)
class Recorder:
    """A task that doubles numbers, remembers its calls, fails for negative ones, and waits for a gate if it has one."""

    name: str = ""
    calls: list = field(default_factory=list, compare=False)
    gate: threading.Event | None = field(default=None, compare=False)

    def __call__(self, items):
        self.calls.append(list(items))
        if self.gate:
            assert self.gate.wait(HANG)
        return [ValueError(f"{item} is negative") if item < 0 else 2 * item for item in items]


@pytest.fixture
def workers():
    made = Workers(1)
    yield made
    made.close()


def busy(workers):
    """Something that keeps a thread until the gate is opened."""
    gate = threading.Event()
    return gate, asyncio.ensure_future(workers.run(Recorder("busy", gate=gate), 0))


async def begun(workers):
    """Wait until every job has begun."""
    await asyncio.sleep(0)
    while workers.waiting:
        await asyncio.sleep(0.001)


def test_results_come_back_to_whoever_asked():
    async def ask():
        workers = Workers(3)
        try:
            return await asyncio.gather(*(workers.run(Recorder(str(number % 3)), number) for number in range(200)))
        finally:
            workers.close()

    assert asyncio.run(ask()) == [2 * number for number in range(200)]


def test_jobs_that_wait_are_done_together_by_their_task(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        one, other = Recorder("one"), Recorder("other")
        jobs = [asyncio.ensure_future(workers.run(task, number)) for number in range(4) for task in (one, other)]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *jobs)
        return one.calls, other.calls

    assert asyncio.run(ask()) == ([[0, 1, 2, 3]], [[0, 1, 2, 3]])
    assert (workers.jobs, workers.batches) == (9, 3)


def test_batches_are_bounded_by_size(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        task = Recorder("sized")
        jobs = [
            asyncio.ensure_future(workers.run(task, number, size))
            for number, size in enumerate([BATCH // 2, BATCH // 2, 1, BATCH + 1, 2, 3])
        ]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *jobs)
        return task.calls

    assert asyncio.run(ask()) == [[0, 1], [2], [3], [4, 5]]


def test_tasks_take_turns(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        calls = []
        long, short = Recorder("long", calls), Recorder("short", calls)
        jobs = [asyncio.ensure_future(workers.run(long, number, BATCH)) for number in range(3)]
        jobs.append(asyncio.ensure_future(workers.run(short, 100)))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *jobs)
        return calls

    assert asyncio.run(ask()) == [[0], [100], [1], [2]]


def test_an_error_is_that_of_its_job_alone(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        task = Recorder("errors")
        jobs = [asyncio.ensure_future(workers.run(task, number)) for number in (1, -2, 3)]
        await asyncio.sleep(0)
        gate.set()
        await first
        return await asyncio.gather(*jobs, return_exceptions=True), task.calls

    (before, error, after), calls = asyncio.run(ask())
    assert calls == [[1, -2, 3]]
    assert (before, after, str(error)) == (2, 6, "-2 is negative")


def test_a_task_that_fails_altogether_fails_for_all_and_the_thread_goes_on(workers):
    def fail(items):
        raise OSError("all of it")

    async def ask():
        with pytest.raises(OSError, match="all of it"):
            await workers.run(fail, 1)
        return await workers.run(Recorder(), 4)

    assert asyncio.run(ask()) == 8


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), asyncio.CancelledError(), StopIteration()])
def test_an_exit_in_a_task_is_an_error_of_its_job_and_the_thread_goes_on(workers, error):
    def fail(items):
        raise error

    async def ask():
        first = await workers.run_alone(threading.current_thread)
        with pytest.raises(RuntimeError, match=type(error).__name__) as caught:
            await workers.run(fail, 1)
        assert caught.value.__cause__ is error
        return first, await workers.run_alone(threading.current_thread)

    first, second = asyncio.run(ask())
    assert first is second


def test_cancelled_jobs_do_not_count_as_waiting(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        jobs = [asyncio.ensure_future(workers.run(Recorder(), number)) for number in range(3)]
        await asyncio.sleep(0)
        counts = [workers.waiting]
        for job in jobs:
            job.cancel()
            counts.append(workers.waiting)
        gate.set()
        await asyncio.gather(first, *jobs, return_exceptions=True)
        return counts

    assert asyncio.run(ask()) == [3, 2, 1, 0]


def test_cancelled_jobs_are_never_done(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        task = Recorder("cancelled")
        jobs = [asyncio.ensure_future(workers.run(task, number)) for number in range(3)]
        alone = asyncio.ensure_future(workers.run_alone(task.calls.append, "never"))
        await asyncio.sleep(0)
        jobs[1].cancel()
        alone.cancel()
        gate.set()
        await asyncio.gather(first, *jobs, alone, return_exceptions=True)
        await workers.run(Recorder(), 1)
        return task.calls

    assert asyncio.run(ask()) == [[0, 2]]


def test_the_result_of_a_job_cancelled_while_it_is_done_goes_nowhere(workers):
    async def ask():
        gate, first = busy(workers)
        await begun(workers)
        first.cancel()
        gate.set()
        return await workers.run(Recorder(), 21)

    assert asyncio.run(ask()) == 42


def test_functions_run_alone_in_a_thread(workers):
    async def ask():
        return await workers.run_alone(lambda number, text: (number, text, threading.current_thread().name), 1, "a")

    assert asyncio.run(ask()) == (1, "a", "gardenpath-1")


def test_large_jobs_leave_a_thread_to_the_others():
    async def ask():
        workers = Workers(2)
        gate = threading.Event()
        large = [asyncio.ensure_future(workers.run(Recorder("large", gate=gate), number, LARGE)) for number in range(3)]
        try:
            assert await asyncio.wait_for(workers.run(Recorder(), 1), HANG) == 2
            assert workers.waiting == 2
            gate.set()
            return await asyncio.gather(*large)
        finally:
            gate.set()
            workers.close()

    assert asyncio.run(ask()) == [0, 2, 4]


def test_closing_finishes_what_has_begun_and_begins_nothing():
    async def ask():
        workers = Workers(1)
        first = asyncio.ensure_future(workers.run_alone(wait_until, lambda: workers._closed))
        await begun(workers)
        task = Recorder("late")
        waiting = asyncio.ensure_future(workers.run(task, 1))
        await asyncio.sleep(0)
        [thread] = workers._running
        workers.close()
        assert await first is True
        assert not thread.is_alive()
        assert await workers.run(Recorder("again"), 2) == 4
        workers.close()
        waiting.cancel()
        return task.calls

    assert asyncio.run(ask()) == []


def test_what_is_small_waits_for_a_thread_that_is_soon_done_and_nothing_else_does():
    async def ask():
        workers = Workers(3)
        gate, first = busy(workers)
        await begun(workers)
        try:
            small = asyncio.ensure_future(workers.run(Recorder("small"), 1, SMALL))
            await asyncio.sleep(0)
            assert (workers.waiting, len(workers._running)) == (1, 1)
            assert await asyncio.wait_for(workers.run(Recorder("more"), 2), HANG) == 4
            assert await small == 2
        finally:
            gate.set()
        await first
        gate = threading.Event()
        first = asyncio.ensure_future(workers.run(Recorder("long", gate=gate), 0, SMALL + 1))
        await begun(workers)
        try:
            assert await asyncio.wait_for(workers.run(Recorder("small"), 1), HANG) == 2
        finally:
            gate.set()
        await first
        workers.close()

    asyncio.run(ask())


class Mixed:
    """A task that fails for every seventh number."""

    def __init__(self, kind):
        self.kind = kind

    def __hash__(self):
        return hash(self.kind)

    def __eq__(self, other):
        return isinstance(other, Mixed) and self.kind == other.kind

    def __call__(self, items):
        return [item if item % 7 else ValueError(item) for item in items]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_in_a_crowd_nobody_is_forgotten(threads):
    """Jobs of all sizes, shared and alone, some of them cancelled: every coroutine that waits gets its own result."""

    async def client(workers, rng):
        for _ in range(20):
            number = rng.randrange(1000)
            alone = rng.random() < 0.2
            asked = (
                workers.run_alone(abs, number)
                if alone
                else workers.run(Mixed(rng.randrange(3)), number, rng.choice([0, 1, 50, 6_000, 20_000, 120_000]))
            )
            task = asyncio.create_task(asked)
            if rng.random() < 0.2:
                for _ in range(rng.randrange(6)):
                    await asyncio.sleep(0)
                task.cancel()
            await asyncio.wait([task], timeout=HANG)
            failure = None if task.cancelled() else task.exception()
            assert task.cancelled() or (failure.args == (number,) if failure else task.result() == number)

    async def crowd():
        workers = Workers(threads)
        await asyncio.gather(*(client(workers, random.Random(i)) for i in range(64)))
        assert workers.waiting == 0
        workers.close()

    asyncio.run(crowd())


def test_a_computation_stops_when_nobody_waits_for_it(workers):
    began, stopped = threading.Event(), threading.Event()

    def count():
        began.set()
        try:
            while True:
                check()
        except StoppedError:
            stopped.set()
            raise

    async def ask():
        job = asyncio.ensure_future(workers.run_alone(count))
        while not began.is_set():
            await asyncio.sleep(0.001)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        return await workers.run_alone(lambda number: (check(), number), 7)

    assert asyncio.run(ask()) == (None, 7)
    assert stopped.wait(HANG)
