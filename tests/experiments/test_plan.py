"""Plans from settings files: conditions, runs and keys, and errors in settings files."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from grids import GRID, planned, written

import gardenpath as gp
from gardenpath.experiments import read_plan
from sample import SAMPLE, TEST, TRAIN

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
OLDER = {"annotation", "basque", "non-monotonic"}       # their treebanks are made by tools/paper_treebanks.py
TREEBANKS = Path(__file__).parents[3] / "shared" / "treebanks"


def test_every_combination_is_a_condition_named_after_its_values(tmp_path):
    plan = planned(tmp_path)
    assert [condition.name for condition in plan.conditions] == [
        "arc-eager, static", "arc-eager, dynamic", "arc-eager-nml, static", "arc-eager-nml, dynamic",
    ]
    assert plan.conditions[0].settings == {
        "system": "arc-eager",
        "oracle": "static",
        "tags": "gold",
        "epochs": 2,
        "features": "zhang-nivre",
    }
    assert plan.baseline == "arc-eager, static"


def test_runs_are_unique_and_ordered_by_seed(tmp_path):
    runs = planned(tmp_path).runs()
    assert [run.settings.seed for run in runs] == [1] * 4 + [2] * 4
    assert len({run.key for run in runs}) == 8
    assert runs[0].key.startswith("sample-arc-eager-static-seed1-")


def test_a_pattern_for_names(tmp_path):
    plan = planned(
        tmp_path, GRID + '\n[[grid]]\nname = "{system} with {nonprojective}"\nsystem = "swap"\nnonprojective = "skip"\n'
    )
    assert plan.conditions[-1].name == "swap with skip"


def test_beam_sizes_for_parsing_share_their_training(tmp_path):
    plan = planned(tmp_path, GRID.replace('oracle = ["static", "dynamic"]', "decode = [1, 4]"))
    assert [condition.name for condition in plan.conditions] == [
        "arc-eager, beam 1",
        "arc-eager, beam 4",
        "arc-eager-nml, beam 1",
        "arc-eager-nml, beam 4",
    ]
    assert len(plan.runs()) == 4
    assert all(run.beams == (1, 4) for run in plan.runs())
    assert Counter(run["key"] for run in plan.to_dict()["runs"]) == {run.key: 2 for run in plan.runs()}


def test_the_key_depends_on_everything_that_the_result_depends_on(tmp_path, monkeypatch):
    run = planned(tmp_path).runs()[0]
    changed = [
        replace(run, settings=run.settings.changed(epochs=3)),
        replace(run, treebank=replace(run.treebank, dev=None)),
        replace(run, score="dev"),
        replace(run, beams=(2,)),
    ]
    assert len({other.key for other in (run, *changed)}) == 5
    copied = tmp_path / "copied-train.conllu"
    copied.write_bytes(TRAIN.read_bytes())
    assert replace(run, treebank=replace(run.treebank, train=copied)).key == run.key
    key = run.key
    monkeypatch.setattr("gardenpath.version.__version__", "0.0.0")
    assert run.key != key


def test_the_key_depends_on_the_content_of_a_template_file_not_its_path(tmp_path):
    keys = []
    for name, text in (("one.txt", "S0w\n"), ("two.txt", "S0w\n"), ("three.txt", "S0p\n")):
        (tmp_path / name).write_text(text)
        keys.append(planned(tmp_path, GRID.replace("zhang-nivre", str(tmp_path / name))).runs()[0].key)
    assert keys[0] == keys[1] != keys[2]


def test_treebanks_with_names_and_files(tmp_path):
    files = f'{{train = "{TRAIN.as_posix()}", test = "{TEST.as_posix()}"}}'
    plan = planned(
        tmp_path,
        GRID.replace('treebanks = ["sample"]', "").replace(
            "[settings]", f'[treebanks]\nmine = {files}\nSample = "sample"\n[settings]'
        ),
    )
    assert [(treebank.name, treebank.dev is None) for treebank in plan.treebanks] == [("mine", True), ("Sample", False)]
    assert plan.treebanks[0].test == TEST


def with_input(folder, content, name="inputs"):
    """Return the plan with an input file of this content."""
    inputs = folder / name
    inputs.mkdir()
    (inputs / "sample.conllu").write_text(content, encoding="utf-8")
    return planned(folder, GRID.replace("[settings]", f'input = "{inputs.as_posix()}/{{treebank}}.conllu"\n[settings]'))


def test_files_to_parse_instead_of_the_test_files(tmp_path):
    content = TEST.read_text(encoding="utf-8")
    run = with_input(tmp_path, content).runs()[0]
    assert run.input == tmp_path / "inputs" / "sample.conllu"
    assert run.treebank.file("test") == TEST
    assert run.input in run.files()
    assert run.moved({path: tmp_path / path.name for path in run.files()}).input == tmp_path / "sample.conllu"
    other = with_input(tmp_path, content.replace("\tNOUN\t", "\tVERB\t"), "others").runs()[0]
    assert len({run.key, other.key, planned(tmp_path).runs()[0].key}) == 3


@pytest.mark.parametrize("old, new, message", [
    ("\tman\t", "\twoman\t", r"the text differs from that of .*, which is scored, at 'woman.*' instead of 'man"),
    ("\t[A-Z]{3,5}\t", "\t_\t", r"no word has UPOS"),
    (r"(?s)\n\n# sent_id = sample-test-080.*", "\n\n", r"the text differs from that of .*, at '' instead of '\w"),
])
def test_an_input_that_does_not_fit_is_found_before_anything_runs(tmp_path, old, new, message):
    with pytest.raises(gp.InputError, match=message):
        with_input(tmp_path, re.sub(old, new, TEST.read_text(encoding="utf-8")))


def test_unknown_parts_of_a_treebank_are_an_error(tmp_path):
    text = GRID.replace('treebanks = ["sample"]', "") + '\n[treebanks]\nmine = {train = "a", input = "b"}\n'
    with pytest.raises(gp.InputError, match="treebank mine: there is no part 'input'; the parts are train, dev, test"):
        planned(tmp_path, text)


@pytest.mark.parametrize("old, new, message", [
    ("title", "titel", r"there is no key 'titel'"),
    ("[[grid]]", "[other]", r"there is no key 'other'"),
    ('["sample"]', '["nowhere"]', r"treebank nowhere: there is no train file .*nowhere.*--treebanks"),
    ('["sample"]', "[]", r"there are no treebanks"),
    ('["sample"]', '["sample", "sample"]', r"some treebanks occur twice: sample"),
    ("seeds = [1, 2]", "seeds = []", r"seeds must be a list"),
    ("seeds = [1, 2]", "seeds = [1, 1]", r"some seeds occur twice: 1"),
    ("seeds = [1, 2]", "seeds = [-1]", r"seed must be between"),
    ("seeds = [1, 2]", 'score = "train"', r"score must be `test` or `dev`"),
    ("[settings]", 'input = "x.conllu"\n[settings]', r"input must be a path with \{treebank\} for the name"),
    ("[settings]", 'input = ""\n[settings]', r"input must be a path with \{treebank\} for the name"),
    ("[settings]", 'input = 3\n[settings]', r"input must be a string, not 3"),
    ("[[grid]]", "[grid]", r"grid must be a list of tables; write \[\[grid\]\] with two brackets"),
    ("[settings]", "compare = 'x'\n[settings]", r"compare must be a list of tables; write"),
    ("[[grid]]", "[[compare]]\nfirst = 1\n[[grid]]", r"a \[\[compare\]\] has the strings first, second and claim"),
    ("[[grid]]", "[[grid]]\nbeam = []", r"beam in a \[\[grid\]\] has no values"),
    ("[[grid]]", "[[grid]]\nexplore = 2020-01-01", r"explore in a \[\[grid\]\] cannot be a date"),
    ("[[grid]]", "[[grid]]\nname = 5", r"the name of a \[\[grid\]\] must be a string, not 5"),
    ("[[grid]]", '[[grid]]\nname = "{system"', r"the name '\{system' uses a setting .* such as \{system\}"),
    ("[[grid]]", '[[grid]]\nname = "{system.x}"', r"the name '\{system.x\}' uses a setting that is not in the grid"),
    ("[[grid]]", "[[grid]]\ndecode = 0", r"decode must be a beam width from 1 to 10000, not 0"),
    ("[[grid]]", "[[grid]]\ndecode = [1, true]", r"decode must be a beam width from 1 to 10000, not True"),
    ('["sample"]', '"sample"', r"treebanks must be a list of folders, or a table"),
    ('["sample"]', '[["sample"]]', r"treebanks must be a list of folders, or a table"),
    ('["sample"]', '["."]', r"treebanks must be a list of folders, or a table"),
    ('["sample"]', "{mine = 5}", r"treebanks must be a list of folders, or a table"),
    ('["sample"]', "{mine = {}}", r"treebanks must be a list of folders, or a table"),
    ('["sample"]', "{mine = {train = 5}}", r"treebanks must be a list of folders, or a table"),
    ('["sample"]', '{"a/b" = "sample"}', r"'a/b' cannot be the name of a treebank, because folders are named after"),
    ('["sample"]', '{"" = "sample"}', r"'' cannot be the name of a treebank"),
    ('"A small grid"', "5", r"title must be a string, not 5"),
    ("seeds = [1, 2]", "seeds = 1", r"seeds must be a list of integers"),
    ("seeds = [1, 2]", 'speed = "no"', r"speed must be true or false, not 'no'"),
    ("[settings]", 'input = "{treebank}.x"\n[settings]', r"treebank sample: there is no input file .*sample\.x"),
    ("seeds = [1, 2]", 'baseline = "swap"', r"there is no condition 'swap'; the conditions are: arc-eager, static; "),
    ('"static"', '"sttic"', r"arc-eager, sttic: oracle must be one of static, nondet, dynamic"),
    ("epochs", "colour", r"arc-eager, static: there is no setting 'colour'; the settings are system, oracle, "),
    ("epochs = 2", "seed = 1", r"a seed cannot be set in \[settings\]"),
    ('"dynamic"', '"static"', r"some conditions occur twice: arc-eager, static; arc-eager-nml, static"),
    ("[settings]", '[[compare]]\nfirst = "arc-eager, static"\n[settings]', r"a \[\[compare\]\] lacks 'second'"),
    ("[[grid]]", '[[grid]]\nname = "{tags}"', r"the name '\{tags\}' uses a setting that is not in the grid"),
    ("seeds = [1, 2]", "seeds = [1", r"the file is not valid TOML"),
])
def test_errors_are_found_before_anything_runs(tmp_path, old, new, message):
    with pytest.raises(gp.InputError, match=rf"grid\.toml: .*{message}"):
        planned(tmp_path, GRID.replace(old, new, 1))


def test_the_old_name_of_the_plan_is_deprecated():
    import gardenpath.experiments

    with pytest.warns(DeprecationWarning, match="ExperimentPlan"):
        assert gardenpath.experiments.Plan is gardenpath.experiments.ExperimentPlan


def test_an_empty_grid_is_an_error(tmp_path):
    with pytest.raises(gp.InputError, match="there is nothing to run"):
        planned(tmp_path, 'treebanks = ["sample"]')


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_experiments_of_the_repository_can_be_planned(path, tmp_path):
    text = re.sub(r'(?m)^input = ".*"$', "", path.read_text(encoding="utf-8"))
    first, last = text.index("treebanks = ["), text.index("]", text.index("treebanks = ["))
    plan = read_plan(written(tmp_path, text[:first] + 'treebanks = ["sample"' + text[last:], path.name), SAMPLE.parent)
    assert plan.seeds == list(range(1, len(plan.seeds) + 1))
    assert plan.claims or plan.score == "dev"           # an experiment on dev sets chooses a default
    assert plan.title
    assert plan.notes


@pytest.mark.skipif(not TREEBANKS.is_dir(), reason="the treebanks are not available")
def test_the_experiments_of_the_repository_share_runs():
    paths = [path for path in sorted(EXPERIMENTS.glob("*.toml")) if path.stem not in OLDER and not has_input(path)]
    plans = [read_plan(path, TREEBANKS) for path in paths]
    assert len({run.key for plan in plans for run in plan.runs()}) < sum(len(plan.runs()) for plan in plans)


def has_input(path):
    return "\ninput = " in path.read_text(encoding="utf-8")
