"""Plans, records and speeds that are damaged or of another version give an error that names the file and the remedy."""

import json
import shutil

import pytest

from experiment_records import make_experiment
from gardenpath import InputError, UsageError
from gardenpath.experiments.speed import read_speed
from gardenpath.report import render, write_report


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_experiment(
        tmp_path_factory.mktemp("made"), {"one": 0.8, "two": 0.9}, ["a"], [1],
        claims=[{"first": "one", "second": "two", "claim": ""}],
    )


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made.parent, tmp_path / "copy") / "made"


def change(path, edit):
    content = json.loads(path.read_text(encoding="utf-8"))
    edit(content)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize("edit, message", [
    (lambda plan: plan.pop("seeds"), "the plan has no 'seeds'"),
    (lambda plan: plan.update(conditions=[{"name": "one"}]), "'conditions' of the plan is not valid"),
    (lambda plan: plan.update(runs=[None]), "'runs' of the plan is not valid"),
    (lambda plan: plan["runs"][0].update(condition="three"), "there is no condition 'three'"),
    (lambda plan: plan["claims"][0].update(second="four"), "there is no condition 'four'"),
    (lambda plan: plan.update(baseline="five"), "there is no condition 'five'"),
    (lambda plan: plan["runs"][0].update(treebank="b"), "there is no treebank 'b'"),
])
def test_damaged_plans(folder, edit, message):
    change(folder / "plan.json", edit)
    with pytest.raises(InputError, match=rf"plan\.json.*: {message}; run the experiment again"):
        render(folder, ["csv"])


@pytest.mark.parametrize("content", ["[]", "7", "{", "[" * 100_000])
def test_plans_that_are_not_tables(folder, content):
    (folder / "plan.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"plan\.json: the file is not .*; run the experiment again"):
        render(folder, ["csv"])


@pytest.mark.parametrize("name, edit, message", [
    ("run.json", lambda record: record.pop("memory_mb"), "the record has no 'memory_mb'"),
    ("run.json", lambda record: record["seconds"].clear(), "'seconds' of the record is not valid"),
    ("run.json", lambda record: record["parses"][0].pop("scores"), "'parses' of the record is not valid"),
    ("sentences.json", lambda counts: counts.clear(), r"the record has no 'parsed1\.conllu'"),
    ("sentences.json", lambda counts: counts["parsed1.conllu"].pop("lengths"), r"'parsed1\.conllu' of the record"),
])
def test_damaged_records(folder, name, edit, message):
    change(folder.parent / "runs" / "0-1-1" / name, edit)
    with pytest.raises(InputError, match=rf"0-1-1/{name}: .* \({message}.*\); remove its folder and run"):
        render(folder, ["csv"])


def test_records_without_the_beam_of_a_condition(folder):
    change(folder.parent / "runs" / "0-1-1" / "run.json", lambda record: record["parses"][0].update(beam=4))
    with pytest.raises(InputError, match="0-1-1: the record has no parses with the beam of two; remove this folder"):
        render(folder, ["csv"])


@pytest.mark.parametrize("content", ["{", "[]", '{"keys": []}', '{"keys": ["a"], "rows": [{"condition": "one"}]}'])
def test_damaged_speeds(tmp_path, content):
    path = tmp_path / "speed.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"speed\.json: the file does not contain speeds .* remove it"):
        read_speed(path)


def test_a_file_is_no_place_for_a_report(folder, tmp_path):
    file = tmp_path / "report"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="this is a file, but a report has several; give a folder"):
        write_report(folder, file)
    assert file.read_text(encoding="utf-8") == "mine"

