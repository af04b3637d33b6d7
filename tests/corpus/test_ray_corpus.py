from __future__ import annotations

import os
from pathlib import Path

import pytest

import gardenpath
import gardenpath.crews
from corpus_tools import TESTS, driver, faulty, model_file, parsed, parts
from faults import Deaths, Gate
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import engine_of
from gardenpath.corpus.inputs import Input
from gardenpath.crews.crew import MAX_ATTEMPTS
from gardenpath.errors import UsageError
from small_experiment import descendants, is_alive
from waiting import HANG, wait_until

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'gardenpath[cluster]'")
shards = pytest.importorskip("gardenpath.corpus.on_ray")
connected = pytest.importorskip("gardenpath.crews.ray").connected

pytestmark = pytest.mark.xdist_group("ray")          # in one process, so that shared fixtures are made once


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Start a local Ray with two cores. Its workers can import the modules of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        patch.delenv("RAY_ADDRESS", raising=False)
        with connected(2):
            yield


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return {"model": model_file(tmp_path_factory.getbasetemp()), "shard_size": 1500}


def test_the_output_equals_that_of_the_local_engine(tmp_path, source, settings, undisturbed):
    folder = parsed([source], tmp_path / "out", engine_of("ray"), 2, **settings)
    assert parts(folder) == undisturbed
    assert not list(folder.glob(".here*"))


def test_workers_without_shared_folders_receive_inputs_and_send_outputs(
    tmp_path, source, settings, undisturbed, monkeypatch
):
    class Elsewhere(shards._Actor):
        def __init__(self, work, parcel, sign, version):
            super().__init__(work, parcel, "no such sign", version)
            (tmp_path / f"own-{os.getpid()}").write_text(self._own.name)

        def do(self, shard, fetched=None):
            return super().do(shard, fetched) if fetched else None

    sent = []
    send = shards._Actors._send
    monkeypatch.setattr(shards._Actors, "_send", lambda crew, *task: sent.append(task) or send(crew, *task))
    monkeypatch.setattr(shards, "_RemoteActor", ray.remote(num_cpus=1, max_restarts=0)(Elsewhere))
    assert parts(parsed([source], tmp_path / "out", shards.on_ray, 2, **settings)) == undisturbed
    assert len(sent) == sum(name.startswith("part-") for name in undisturbed)
    own = [Path(path.read_text()) for path in tmp_path.glob("own-*")]
    assert own
    assert not any(path.exists() for path in own)


def test_a_removed_file_fails_its_shard(tmp_path, settings):
    path = tmp_path / "in.txt"
    path.write_text("A dog.")
    corpus = Corpus([path], tmp_path / "out", CorpusSettings(**settings))
    path.unlink()
    [done] = corpus.run(shards.on_ray, 1)
    assert "in.txt was removed or has changed" in done.failure
    assert not Input(str(path), "", "text", "none", 6, 0).is_here()


def test_killed_workers_are_replaced_and_nothing_is_lost(tmp_path, source, settings, undisturbed):
    deaths = Deaths(tmp_path, {"00001": ("start", "writing"), "00003": ("end",)})
    assert parts(parsed([source], tmp_path / "out", faulty(shards.on_ray, deaths), 2, **settings)) == undisturbed
    assert [deaths.attempts(label) for label in ("00001", "00003")] == [MAX_ATTEMPTS, 2]


@pytest.mark.long
def test_a_killed_driver_loses_nothing_and_leaves_no_worker(tmp_path, source, settings, undisturbed):
    folder, gate = tmp_path / "out", Gate(tmp_path / "gate", 2)
    gate.folder.mkdir()
    process = driver(source, folder, gate, "ray", **settings)
    wait_until(
        lambda: (
            gate.is_blocking()
            and (folder / "done.jsonl").exists()
            and len((folder / "done.jsonl").read_text().splitlines()) == 2
        )
    )
    workers = [pid for pid, command in descendants(process.pid).items() if command.startswith("ray::_Actor")]
    assert workers
    process.kill()
    process.wait(HANG)
    wait_until(lambda: not any(map(is_alive, workers)))
    corpus = Corpus([source], folder, CorpusSettings(**settings))
    before = corpus.state().parts
    assert before >= 1
    assert before + len(list(corpus.run(shards.on_ray, 2))) == sum(name.startswith("part-") for name in undisturbed)
    assert parts(folder) == undisturbed
    assert not [path for path in folder.glob(".*") if path.name != ".lock"]


def test_workers_with_another_version_are_an_error(tmp_path, source, settings, monkeypatch):
    monkeypatch.setattr("gardenpath.version.__version__", "0.0.0")
    with pytest.raises(UsageError, match=r"the corpus 0\.0\.0; install the same version on all machines"):
        list(Corpus([source], tmp_path / "out", CorpusSettings(**settings)).run(shards.on_ray, 1))


def test_without_ray_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(gardenpath.crews, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'gardenpath\[cluster\]'"):
        engine_of("ray")
