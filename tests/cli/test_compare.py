"""`gardenpath compare`: the tables, their options, and the JSON."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath import InputError, UsageError
from gardenpath.cli import compare

GOLD = """\
# sent_id = one
# text = The horse fell.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\thorse\thorse\tNOUN\tNN\tNumber=Sing\t3\tnsubj:pass\t_\t_
3\tfell\tfall\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
A = GOLD.replace("nsubj:pass", "nsubj").replace("3\tpunct", "2\tpunct")
B = GOLD.replace("3\tnsubj:pass", "3\tobj").replace("2\tdet", "3\tdet")


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    app.command()(compare.command)
    files = [tmp_path / f"{name}.conllu" for name in ("gold", "a", "b")]
    for path, text in zip(files, (GOLD, A, B), strict=True):
        path.write_text(text)

    def call(*options: str, files: tuple[str, ...] = tuple(map(str, files)), stdin: str | None = None) -> str:
        result = CliRunner().invoke(app, [*files, "--rounds", "100", *options], input=stdin, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    call.gold, call.a, call.b = map(str, files)
    return call


def cells(output: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("  ") if part.strip()] for line in output.splitlines()]


def test_conditions_come_first_then_files_and_scores(run):
    lines = run().splitlines()
    assert lines[0].startswith(
        "Gold tokens; gold sentences; gold tags; punctuation counted; label subtypes ignored; all trees; 1 sentence "
        "and 4 words"
    )
    assert lines[0].endswith("100 rounds, seed 1.")
    assert lines[1:3] == [f"A: {run.a}", f"B: {run.b}"]
    rows = cells("\n".join(lines))
    assert [
        "LAS", "75.00", "75.00 to 75.00", "50.00", "50.00 to 50.00", "-25.00", "-25.00 to -25.00", "1.0000", "1.0000",
    ] in rows
    assert ["Score", "A", "Interval", "B", "Interval", "B - A", "Interval", "p", "Holm p"] in rows
    assert ["head and label", "1", "2", "1", "0", "1", "0", "0"] in rows


def test_the_sentences_that_differ_most_are_shown(run):
    output = run()
    assert f"{run.gold}:1: sent_id=one: A has 3 of 4 words right, B 2\nThe horse fell.\n" in output
    rows = cells(output)
    assert ["1 The", "det of 2 horse", "det of 2 horse", "det of 3 fell"] in rows
    assert ["2 horse", "nsubj:pass of 3 fell", "nsubj of 3 fell", "obj of 3 fell"] in rows
    assert ["4 .", "punct of 3 fell", "punct of 2 horse", "punct of 3 fell"] in rows
    assert "sent_id=one" not in run("--sentences", "0")


def test_options_select_tables(run):
    titles = {
        "--by-label": ["By label"], "--by-length": ["By distance", "By number of words"],
        "--by-projectivity": ["By projectivity of the gold tree", "By projectivity of the arc"],
    }
    for option in titles:
        output = run(option)
        for other, names in titles.items():
            assert all((name in output) is (other == option) for name in names)
    output = run("--verbose")
    assert all(name in output for names in titles.values() for name in names)
    assert ["nsubj", "1", "100.00", "0.00", "-100.00"] in cells(output)
    assert ["projective", "1", "4", "75.00", "75.00", "+0.00", "75.00", "50.00", "-25.00"] in cells(output)
    assert ["non-projective arcs", "0", "0.00", "0.00", "+0.00", "0.00", "0.00", "+0.00"] in cells(output)


def test_options_change_scores_and_conditions(run):
    output = run("--no-punctuation", "--subtypes", "--seed", "7")
    assert "punctuation (gold UPOS PUNCT) left out; label subtypes compared" in output
    assert "seed 7" in output
    assert ["LAS", "66.67", "66.67 to 66.67", "33.33"] in [row[:4] for row in cells(output)]
    with pytest.raises(InputError, match="no sentence of gold is non-projective"):
        run("--nonprojective-only")


def test_scores_of_several_runs_are_averaged(run):
    output = run("--also-a", run.gold, "--also-a", run.b)
    assert "A is the mean of 3 runs" in output
    assert f"A: {run.a}, {run.gold}, {run.b}" in output
    assert ["LAS", "75.00"] in [row[:2] for row in cells(output)]
    assert "nsubj of 3 fell / nsubj:pass of 3 fell / obj of 3 fell" in output
    assert ["LAS", "75.00", "75.00 to 75.00", "62.50"] in [row[:4] for row in cells(run("--also-b", run.a))]


def test_json_equals_the_result_of_the_library(run):
    values = json.loads(run("--json", "--sentences", "1"))
    expected = gp.compare(run.gold, run.a, run.b, rounds=100).to_dict(1)
    assert values == json.loads(json.dumps(expected))
    assert values["files"] == [[run.a], [run.b]]


def test_standard_input_may_be_one_of_the_files(run):
    assert ["LAS", "75.00"] in [row[:2] for row in cells(run(files=(run.gold, "-", run.b), stdin=A))]
    assert ["LAS", "75.00"] in [row[:2] for row in cells(run(files=("-", run.a, run.b), stdin=GOLD))]
    with pytest.raises(UsageError, match="only one of gold, A and B can be `-`"):
        run(files=(run.gold, "-", "-"))
    with pytest.raises(UsageError, match="only one of gold, A and B can be `-`"):
        run("--also-b", "-", files=("-", run.a, run.b))


def test_bad_files_are_named(run, tmp_path):
    empty, other = tmp_path / "empty.conllu", tmp_path / "other.conllu"
    empty.write_text("")
    other.write_text(GOLD.replace("horse", "house"))
    with pytest.raises(InputError, match=r"empty.conllu: no sentences"):
        run(files=(run.gold, run.a, str(empty)))
    with pytest.raises(
        InputError, match=r"the texts differ: .*gold.conllu:1: .*gold has .* but .*other.conllu:1: .*A has"
    ):
        run(files=(run.gold, str(other), run.b))
    with pytest.raises(FileNotFoundError):
        run(files=(str(tmp_path / "missing"), run.a, run.b))


def test_help_has_an_example(run):
    assert "gardenpath compare gold.conllu first.conllu second.conllu --by-label" in run("--help")
