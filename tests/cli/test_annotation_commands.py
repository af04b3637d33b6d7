"""`gardenpath suspects` and `gardenpath diff` on the command line."""

import json

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.cli.main import app_with
from gardenpath.errors import UsageError
from sample import DEV, TRAIN

app = app_with(("suspects", "diff"))


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def annotations(tmp_path_factory):
    """Write three annotations of the sample; the second and the third have other labels."""
    folder = tmp_path_factory.mktemp("annotations")
    paths = []
    for number, label in enumerate(("obj", "obl", "iobj")):
        sentences = list(gp.read_conllu(DEV))
        for sentence in sentences[:5 * number]:
            sentence.words[-1].deprel = label
        paths.append(folder / f"{number}.conllu")
        gp.write_conllu(sentences, paths[-1])
    return paths


def test_two_annotations(annotations, tmp_path):
    page = tmp_path / "differences.html"
    result = run("diff", *annotations[:2], "--output", page, "--sentences", 1)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"A: {annotations[0]}"
    assert "UAS          100.00  head" in lines
    assert "punct  obl      5" in lines
    assert lines[-1] == "5 sentences differ."
    assert page.read_text(encoding="utf-8").count('<section class="item') == 5


def test_several_annotations(annotations):
    result = run("diff", *annotations)
    assert result.exit_code == 0, result.output
    pairs = ["A B", "A C", "B C"]
    assert [line[:3] for line in result.stdout.splitlines() if line[:3] in pairs] == pairs
    assert result.stdout.splitlines()[-1].startswith("all ")


def test_differences_as_json(annotations):
    (one, other), pairs = json.loads(run("diff", *annotations[:2], "--json").stdout)["files"], json.loads(
        run("diff", *annotations, "--json").stdout
    )
    assert (one, other) == tuple(map(str, annotations[:2]))
    assert len(pairs) == 3


def test_a_page_needs_two_files_and_its_ending(annotations):
    for arguments in ((*annotations, "-o", "a.html"), (*annotations[:2], "-o", "a.txt")):
        assert isinstance(run("diff", *arguments).exception, UsageError)


def test_suspects(tmp_path):
    path = tmp_path / "small.conllu"
    gp.write_conllu(list(gp.read_conllu(TRAIN))[:60], path)
    options = ("--folds", 2, "--epochs", 1, "--most", 3)
    result = run("suspects", path, *options)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[1] == "Suspects"
    assert lines[2].split()[:3] == ["Rank", "Score", "Confidence"]
    assert len(lines) == 6
    run("suspects", path, *options, "-o", tmp_path / "a.csv", "-o", tmp_path / "a.html")
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) == 4
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count("<section") == 3


def test_an_unknown_ending_is_an_error(tmp_path):
    result = run("suspects", TRAIN, "-o", tmp_path / "a.txt")
    assert isinstance(result.exception, UsageError)
    assert "use .html or .csv" in str(result.exception)
