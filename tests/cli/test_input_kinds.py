"""The kind of an input: by the ending of its name, or by its first bytes."""

import subprocess
import sys

import pytest

import gardenpath as gp
from gardenpath.cli.inputs import kind_of
from gardenpath.formats import registry
from sample import TEST

LINE = "1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("name, content, kind", [
    ("x.conllu", "# only a comment\n", "conllu"),
    ("x.json", "{}", "json"),
    ("x.conll", "1\tx", "conllx"),
    ("x.parquet", "PAR1", "parquet"),
    ("x.html", LINE, "html"),
    ("x.txt", LINE, "conllu"),
    ("x.txt", "# only a comment\n", "text"),
    ("x", f"# sent_id = 1\n{LINE}", "conllu"),
    ("x.svg", "Yes.", "text"),
])
def test_the_kind_of_a_file(tmp_path, name, content, kind):
    (tmp_path / name).write_text(content)
    assert kind_of(str(tmp_path / name)) == kind


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "gardenpath", *map(str, arguments)], capture_output=True, text=True, check=False,
    )


def test_files_with_columns_are_parsed_and_traced_by_their_endings(tmp_path):
    sentences = list(gp.read_conllu(TEST))[:3]
    registry.write(sentences, tmp_path / "x.json", "json")
    gp.write_conllu(sentences, tmp_path / "x.conllu")
    parsed, expected = (run("parse", "-m", "en-fast", tmp_path / f"x.{ending}") for ending in ("json", "conllu"))
    assert parsed.stdout == expected.stdout != ""
    traced, expected = (run("trace", "--system", "swap", "--gold", tmp_path / f"x.{end}") for end in ("json", "conllu"))
    assert traced.stdout == expected.stdout != ""


def test_a_file_with_only_comments_is_not_parsed_as_text(tmp_path):
    (tmp_path / "x.conllu").write_text("# only a comment\n")
    done = run("parse", "-m", "en-fast", tmp_path / "x.conllu")
    assert (done.returncode, done.stdout) == (1, "")
    assert "x.conllu:1: no words below these comments" in done.stderr
