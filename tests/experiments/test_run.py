"""The record of one run agrees with the public functions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from grids import GRID, planned

import gardenpath as gp
from gardenpath.analysis.repairs import analyse_repairs
from gardenpath.experiments.estimate import seconds_of
from gardenpath.experiments.run import perform
from sample import DEV, TEST, TRAIN

SETTINGS = {"epochs": 2, "tags": "gold", "features": "zhang-nivre"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return planned(tmp_path_factory.mktemp("plan")).runs()[3]


@pytest.fixture(scope="module")
def files(run):
    return perform(run, keep_model=True)


@pytest.fixture(scope="module")
def record(files):
    return json.loads(files["run.json"])


@pytest.fixture(scope="module")
def model():
    return gp.train(TRAIN, dev=DEV, system="arc-eager-nml", oracle="dynamic", seed=1, **SETTINGS)


def test_the_parses_equal_those_of_a_model_trained_the_same_way(files, model):
    parsed = model.parse(list(gp.read_conllu(TEST)))
    assert files["parsed.conllu"].decode() == "".join(sentence.to_conllu() for sentence in parsed)


def test_the_scores_equal_those_of_evaluate(files, record, tmp_path):
    path = tmp_path / "parsed.conllu"
    path.write_bytes(files["parsed.conllu"])
    expected = gp.evaluate(TEST, path)
    (parse,) = record["parses"]
    assert {name: parse[name] for name in expected.to_dict()} == json.loads(json.dumps(expected.to_dict()))
    counts = json.loads(files["sentences.json"])["parsed.conllu"]
    assert counts["right_both"] == expected.attachment.right_both.tolist()
    assert 100 * sum(counts["right_both"]) / sum(counts["counted"]) == pytest.approx(expected.las)
    assert parse["words_per_second"] > 0


def test_the_record_describes_the_run_and_the_machine(run, record, model):
    assert record["key"] == run.key
    assert record["gardenpath"] == gp.__version__
    assert record["settings"] == run.settings.to_flat_dict()
    assert [step["pass"] for step in record["curve"]] == [1, 2]
    assert record["curve"][record["best_pass"] - 1]["dev_las"] == pytest.approx(model.description["dev_las"], abs=1e-4)
    assert record["seconds"]["all"] >= record["seconds"]["training"] > 0
    assert record["machine"]["cores"] >= 1
    assert record["files"] == run.treebank.digests()


def test_repairs_are_analysed_on_the_same_file(record, model):
    assert record["repairs"] == json.loads(json.dumps(analyse_repairs(model, gp.read_conllu(TEST)).to_dict()))


def test_the_model_can_be_kept(files, model, tmp_path):
    (tmp_path / "kept.gp").write_bytes(files["model.gp"])
    model.save(tmp_path / "again.gp")
    kept, again = (gp.load(tmp_path / name) for name in ("kept.gp", "again.gp"))
    assert kept.description | {"treebank": None} == again.description | {"treebank": None}


def test_tags_are_predicted_if_the_model_has_a_tagger(run):
    record = json.loads(perform(replace(run, settings=run.settings.changed(tags="predicted", epochs=1)))["run.json"])
    assert "tags differ from gold" in record["parses"][0]["conditions"]
    assert record["repairs"] is None


def test_the_default_number_of_epochs_is_estimated_and_recorded(tmp_path):
    (run,) = planned(tmp_path, GRID.replace("epochs = 2\n", "").replace("[1, 2]", "[1]").replace(
        'system = ["arc-eager", "arc-eager-nml"]\noracle = ["static", "dynamic"]', 'system = "arc-eager"'
    )).runs()
    assert seconds_of(run) == seconds_of(replace(run, settings=run.settings.changed(epochs=10)))
    record = json.loads(perform(run)["run.json"])
    assert len(record["curve"]) == record["settings"]["passes"] == 10


def test_an_input_with_other_words_is_scored_against_the_test_file(run, tmp_path):
    path, forms = tmp_path / "input.conllu", []
    with path.open("w", encoding="utf-8") as file:
        for sentence in gp.read_conllu(TEST):
            words = [(word.form, "_", word.upos, word.xpos, word.feats) for word in sentence.words]
            form, *tags = words[0]
            words[:1] = [(part, *tags) for part in (form[:1], form[1:]) if part]
            for i, columns in enumerate(words, 1):
                print(i, *columns, *["_"] * 4, sep="\t", file=file)
            print(file=file)
            forms += [form for form, *_ in words]
    files = perform(replace(run, treebank=replace(run.treebank, input=path)))
    record = json.loads(files["run.json"])
    (tmp_path / "parsed.conllu").write_bytes(files["parsed.conllu"])
    parsed = list(gp.read_conllu(tmp_path / "parsed.conllu"))
    assert [word.form for sentence in parsed for word in sentence.words] == forms
    (parse,) = record["parses"]
    assert parse["scores"]["LAS"]["f1"] == gp.evaluate(TEST, parsed).las != parse["attachment"]["las"]
    assert "okens differ from gold" in parse["conditions"]
    assert record["files"].keys() == {"train", "dev", "test", "input"}
    assert record["repairs"] is None


def test_beam_sizes_and_the_dev_set(tmp_path):
    text = GRID.replace('oracle = ["static", "dynamic"]', "decode = [1, 4]").replace(
        "seeds = [1, 2]", 'seeds = [1]\nscore = "dev"'
    )
    run = planned(tmp_path, text).runs()[0]
    files = perform(run)
    record = json.loads(files["run.json"])
    assert [parse["beam"] for parse in record["parses"]] == [1, 4]
    assert {"parsed-beam1.conllu", "parsed-beam4.conllu"} < set(files)
    assert record["scored_on"] == "dev"
    assert len(list(gp.read_conllu(DEV))) == record["parses"][0]["attachment"]["sentences"]
    assert record["parses"][0]["attachment"]["las"] == pytest.approx(
        record["curve"][record["best_pass"] - 1]["dev_las"]
    )
