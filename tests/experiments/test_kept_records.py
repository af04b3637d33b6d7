"""The script that keeps records of long experiments."""

from __future__ import annotations

import shutil

import pytest

from experiment_records import make_experiment
from gardenpath.report import write_report
from scripts import TOOLS, load_script


@pytest.fixture(scope="module")
def script():
    return load_script(TOOLS / "records.py")


@pytest.fixture
def experiment(tmp_path):
    return make_experiment(
        tmp_path / "results", {"a": 0.7, "b": 0.8}, ["x", "y"], [1, 2], missing={("b", "y", 2)},
    )


def test_restored_records_give_the_same_report(script, experiment, tmp_path):
    (first,) = write_report(experiment, formats=["markdown"], output=tmp_path / "first")
    assert script.save(experiment, tmp_path / "kept" / "made.zip") == 7
    shutil.rmtree(experiment.parent / "runs")
    assert script.restore(tmp_path / "kept" / "made.zip", experiment.parent) == 7
    (second,) = write_report(experiment, formats=["markdown"], output=tmp_path / "second")
    assert second.read_text() == first.read_text()


def test_the_same_records_give_the_same_bytes(script, experiment, tmp_path):
    script.save(experiment, tmp_path / "one.zip")
    script.restore(tmp_path / "one.zip", tmp_path / "other")
    shutil.copytree(experiment, tmp_path / "other" / "made")
    script.save(tmp_path / "other" / "made", tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_records_that_are_there_stay(script, experiment, tmp_path):
    script.save(experiment, tmp_path / "made.zip")
    runs = sorted((experiment.parent / "runs").iterdir())
    (runs[0] / "run.json").write_text("mine")
    shutil.rmtree(runs[1])
    assert script.restore(tmp_path / "made.zip", experiment.parent) == 1
    assert (runs[0] / "run.json").read_text() == "mine"
    assert (runs[1] / "sentences.json").exists()
