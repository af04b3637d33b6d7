from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from corpus_tools import GATED, driver, faulty, model_file, parsed, parts
from faults import Deaths, Gate
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import local
from gardenpath.corpus.folder import Folder
from gardenpath.crews.crew import MAX_ATTEMPTS
from gardenpath.crews.processes import Processes
from gardenpath.errors import UsageError
from small_experiment import descendants, is_alive
from waiting import HANG, wait_until

pytestmark = pytest.mark.xdist_group("corpus")          # in one process, so that shared fixtures are made once
SIZE = 1500          # bytes per shard: many shards


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return {"model": model_file(tmp_path_factory.getbasetemp()), "shard_size": SIZE, "compress": "gz"}


def written(folder):
    return len(list(folder.glob("part-*"))) if folder.is_dir() else 0


def gate_at(folder, limit):
    folder.mkdir()
    return Gate(folder, limit)


def test_killed_drivers_lose_nothing_and_leave_no_processes(tmp_path, source, settings, undisturbed):
    folder = tmp_path / "out"
    chosen = random.Random(9)
    for wanted in (0, 1, 5, 9):
        process = driver(source, folder, gate_at(tmp_path / f"gate-{wanted}", wanted + 2), **settings)
        wait_until(
            lambda process=process, wanted=wanted: len(descendants(process.pid)) >= 2 and written(folder) >= wanted
        )
        time.sleep(chosen.uniform(0, 0.1))          # so that the workers are at different points
        workers = descendants(process.pid)
        process.kill()
        process.wait(HANG)
        wait_until(lambda workers=workers: not any(map(is_alive, workers)))
    corpus = Corpus([source], folder, CorpusSettings(**settings))
    before = corpus.state().parts
    assert before >= 7          # two may have been written and not yet recorded
    done = list(corpus.run(local, 2))
    assert done
    assert before + len(done) == sum(name.startswith("part-") for name in undisturbed)
    assert parts(folder) == undisturbed
    assert not [path for path in folder.glob(".*") if path.name != ".lock"]


def test_killed_workers_are_replaced_and_nothing_is_lost(tmp_path, source, settings, undisturbed):
    part_of_endless_shard = next(name for name in undisturbed if "-00001." in name)
    following = part_of_endless_shard.removeprefix("part-").split(".")[0]
    moments = {following: ("start",), "00001": ("writing", "end"), "00003": ("end", "writing"), "00004": ("end",)}
    deaths = Deaths(tmp_path, moments)
    assert parts(parsed([source], tmp_path / "out", faulty(local, deaths), 2, **settings)) == undisturbed
    attempts = {label: deaths.attempts(label) for label in moments}
    assert attempts == {label: 1 + len(each) for label, each in moments.items()}


def test_a_shard_whose_workers_all_die_fails_and_the_others_continue(tmp_path, source, settings, undisturbed):
    folder = tmp_path / "out"
    engine = faulty(local, Deaths(tmp_path, {"00003": ("start",) * MAX_ATTEMPTS}))
    [failed] = [done for done in Corpus([source], folder, CorpusSettings(**settings)).run(engine, 2) if done.failure]
    assert failed.shard.label == "00003"
    death = f"exit code -{signal.SIGKILL.value}"
    assert failed.failure == f"the worker died {MAX_ATTEMPTS} times ({death}); check that there is enough memory"
    assert "part-00003.conllu.gz" in undisturbed
    assert parts(folder) == {name: content for name, content in undisturbed.items() if name != "part-00003.conllu.gz"}
    assert parts(parsed([source], folder, **settings)) == undisturbed


def test_stopping_early_ends_the_workers(tmp_path, source, settings, monkeypatch):
    started = set()
    submit = Processes.submit
    monkeypatch.setattr(Processes, "submit", lambda *task: started.add(submit(*task)))
    running = Corpus([source], tmp_path / "out", CorpusSettings(**settings)).run(local, 2)
    next(running)
    running.close()
    assert len(started) == 2
    assert not any(worker.process.is_alive() for worker in started)
    assert not list((tmp_path / "out").glob(".part-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_stops_on_a_signal(tmp_path, source, settings, undisturbed, number):
    options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    arguments = ["corpus", str(source), str(tmp_path / "out"), "--workers=2", *options]
    command = [sys.executable, "-m", "gardenpath", *arguments]
    gate = gate_at(tmp_path / "gate", 2)
    code = f"{GATED}from gardenpath.cli.main import main; main()"
    gated = [sys.executable, "-c", code, str(gate.folder), str(gate.limit), *arguments]
    process = subprocess.Popen(gated, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: gate.is_blocking() and written(tmp_path / "out") >= 2, process)
    workers = descendants(process.pid)
    process.send_signal(number)
    gate.open()          # a signal just before the driver waits for its workers is handled when a worker responds
    _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert "interrupted; run the same command again to continue" in errors
    assert "Traceback" not in errors
    wait_until(lambda: not any(map(is_alive, workers)))
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()[1] == "Corpus"
    assert parts(tmp_path / "out") == undisturbed


def test_a_second_driver_is_an_error(tmp_path, source, settings):
    corpus = Corpus([source], tmp_path / "out", CorpusSettings(**settings))
    with (
        Folder(tmp_path / "out", corpus.plan).locked(),
        pytest.raises(UsageError, match="another `gardenpath corpus` is writing to this folder"),
    ):
        next(corpus.run())


def test_an_endless_shard_resumes_where_it_stopped(tmp_path, source, settings, undisturbed):
    folder = tmp_path / "out"
    running = Corpus([source / "packed.txt.gz"], folder, CorpusSettings(**settings)).run(local, 1)
    for _ in range(3):
        last = next(running)
    running.close()
    assert last.shard.label == "00000-00002"
    first = (folder / "part-00000-00000.conllu.gz").stat().st_mtime_ns
    done = list(Corpus([source / "packed.txt.gz"], folder, CorpusSettings(**settings)).run(local, 1))
    assert done[0].shard.label == "00000-00003"
    assert (folder / "part-00000-00000.conllu.gz").stat().st_mtime_ns == first
    assert json.loads((folder / "done.jsonl").read_text().splitlines()[-1])["following"] is None
    whole = parsed([source / "packed.txt.gz"], tmp_path / "whole", **settings)
    assert parts(folder) == parts(whole)
