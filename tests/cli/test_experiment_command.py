"""`gardenpath experiment`: missing runs, finished runs, failed runs, and interruption."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faults import Gate
from gardenpath.cli.main import main
from gardenpath.experiments import read_results
from small_experiment import GATED, descendants, is_alive
from waiting import HANG, wait_until

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
GRID = """
treebanks = ["sample"]
seeds = [1, 2]
speed = true
[settings]
tags = "gold"
epochs = 1
features = "zhang-nivre"
[[grid]]
name = "{system}"
system = ["arc-eager", "arc-standard"]
"""


@pytest.fixture
def experiment(monkeypatch, capfd, tmp_path):
    """Run the command on a settings file; return exit code, standard output and standard error."""
    def call(text=GRID, *arguments):
        path = tmp_path / "small.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(
            sys,
            "argv",
            [
                "gardenpath", "experiment", str(path), "--treebanks", str(SAMPLE.parent), "-o", str(tmp_path / "out"),
                *arguments,
            ],
        )
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capfd.readouterr()

    return call


def test_missing_runs_are_listed_then_run_then_not_run_again(experiment, tmp_path):
    code, out, errors = experiment(GRID, "--dry-run")
    assert code == 0
    assert re.search(r"small: 4 runs, 0 recorded, 4 to do, about \d+ seconds", errors)
    assert re.search(r"^arc-standard +2$", out, re.MULTILINE)
    assert not (tmp_path / "out").exists()
    code, out, errors = experiment()
    assert code == 0, errors
    results = read_results(tmp_path / "out" / "small")
    assert results.plan["command"].startswith("gardenpath experiment ")
    assert not results.missing
    assert re.search(rf"^arc-eager +{results.cell('arc-eager', 'sample').mean():.2f}$", out, re.MULTILINE)
    assert "gardenpath report" in errors
    records = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "runs").iterdir()}
    measured = (tmp_path / "out" / "small" / "speed.json").stat().st_mtime_ns
    code, again, errors = experiment()
    assert (code, again) == (0, out)
    assert "4 runs, 4 recorded, 0 to do" in errors
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "runs").iterdir()} == records
    assert (tmp_path / "out" / "small" / "speed.json").stat().st_mtime_ns == measured


def test_speed_is_compared_with_the_baseline(experiment, tmp_path):
    code, _, errors = experiment()
    assert code == 0, errors
    rows = json.loads((tmp_path / "out" / "small" / "speed.json").read_text())["rows"]
    assert [(row["treebank"], row["condition"]) for row in rows] == [
        ("sample", "arc-eager"),
        ("sample", "arc-standard"),
    ]
    assert rows[0]["ratio"] == 1
    assert rows[1]["ratio"] == pytest.approx(rows[1]["words_per_second"] / rows[0]["words_per_second"])


def test_failed_runs_are_reported_and_the_others_are_completed(experiment, tmp_path):
    broken = tmp_path / "broken.conllu"
    broken.write_text("1\ta\t_\tX\tX\t_\t2\tdep\t_\t_\n2\tb\t_\tX\tX\t_\t1\tdep\t_\t_\n\n", encoding="utf-8")
    files = f'{{train = "{broken.as_posix()}", test = "{broken.as_posix()}"}}'
    table = f'[treebanks]\nsample = "sample"\nbroken = {files}\n[settings]'
    code, out, errors = experiment(GRID.replace('treebanks = ["sample"]', "").replace("[settings]", table))
    assert code == 1
    assert out == ""
    assert re.search(r"^\d/8 broken-arc-eager-dynamic-seed1-\w+ failed: .*cycle", errors, re.MULTILINE)
    assert re.search(r"^\d/8 sample-arc-eager-dynamic-seed1-\w+: LAS \d\d\.\d\d; \d+ s$", errors, re.MULTILINE)
    assert "gardenpath: 4 of 8 runs failed" in errors
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 4
    failures = sorted((tmp_path / "out" / "failures").iterdir())
    assert len(failures) == 4
    assert "broken.conllu:1" in failures[0].read_text()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_an_interrupted_experiment_says_how_to_continue(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(GRID, encoding="utf-8")
    gate = Gate(tmp_path / "gate", 0)
    gate.folder.mkdir()
    code = f"{GATED}from gardenpath.cli.main import main; main()"
    arguments = ["experiment", str(path), "--treebanks", str(SAMPLE.parent), "-o", str(tmp_path / "out"), "-w", "1"]
    command = [sys.executable, "-c", code, str(gate.folder), str(gate.limit), *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        wait_until(gate.is_blocking, process)
        workers = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        gate.open()          # a signal just before the driver waits for its worker is handled when the worker answers
        _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130
    message = "gardenpath: interrupted; finished runs are recorded, run the same command again to continue"
    assert errors.decode().splitlines()[1:] == [message]
    wait_until(lambda: not any(map(is_alive, workers)))


@pytest.mark.parametrize("arguments, code, message", [
    (("--engine", "moon"), 2, "there is no engine 'moon'; choose one of: local, ray"),
    (("--treebanks", "/nowhere"), 1, "small.toml: treebank sample: there is no train file"),
])
def test_an_error_is_one_line(experiment, arguments, code, message):
    found, out, errors = experiment(GRID, *arguments)
    assert (found, out) == (code, "")
    assert re.fullmatch(r"gardenpath: [^\n]+\n", errors)
    assert message in errors
