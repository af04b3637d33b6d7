"""`gardenpath search`: its output formats, counts and errors."""

import csv
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.cli import search

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "sample-dev.conllu"
OBJECTS = "pattern { V [upos=VERB]; e: V -[obj]-> O }"
app = typer.Typer()
app.command()(search.command)


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def saved(tmp_path, name, *arguments):
    """Run a search that writes a file, and return its content."""
    target = tmp_path / name
    result = run(*arguments, "-o", target)
    assert result.exit_code == 0, result.output
    return target.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def matches():
    return list(gp.search(SAMPLE, OBJECTS))


def test_marked_sentences(tmp_path, matches):
    lines = saved(tmp_path, "a.txt", OBJECTS, SAMPLE).splitlines()
    assert lines[1] == "sample-dev-003: Where did the man never [V draw] the [O station]?"
    assert len(lines) == len(matches)


def test_standard_input_and_output():
    command = [sys.executable, "-m", "gardenpath", "search", OBJECTS, "--limit", "1"]
    with SAMPLE.open("rb") as file:
        result = subprocess.run(command, stdin=file, capture_output=True, encoding="utf-8", check=False)
    assert result.stdout.startswith("sample-dev-001: It was terrible that Daniel [V sold] that tired")
    assert result.stderr == (
        "gardenpath: 1 match in 1 sentence; 80 sentences, 911 words searched (stopped at --limit)\n"
    )


def test_counting(tmp_path, matches):
    assert saved(tmp_path, "n.txt", OBJECTS, SAMPLE, "--count") == f"{len(matches)}\n"
    assert run(OBJECTS, SAMPLE, SAMPLE, "--count", "-o", tmp_path / "n.txt").exit_code == 0
    assert (tmp_path / "n.txt").read_text() == f"{2 * len(matches)}\n"


def test_counts_by_keys(tmp_path, matches):
    result = run(OBJECTS, SAMPLE, "--by", "O.upos,e.label")
    assert result.exit_code == 0, result.output
    title, header, first, *_ = result.stdout.strip().splitlines()
    assert title == f"{len(matches)} matches; 80 sentences, 911 words searched"
    assert header.split() == ["O.upos", "e.label", "Matches", "Per", "cent"]
    nouns = sum(match["O"].upos == "NOUN" for match in matches)
    assert first.split()[:3] == ["NOUN", "obj", str(nouns)]
    rows = saved(tmp_path, "c.csv", OBJECTS, SAMPLE, "--by", "O.upos", "--by", "delta(V, O)").splitlines()
    assert rows[0] == 'O.upos,"delta(V, O)",count'
    assert sum(int(row.split(",")[-1]) for row in rows[1:]) == len(matches)


def test_tables(tmp_path, matches):
    rows = list(csv.DictReader(saved(tmp_path, "a.csv", OBJECTS, SAMPLE).splitlines()))
    assert list(rows[0]) == [
        "sent_id", "V.id", "V.form", "V.lemma", "V.upos", "O.id", "O.form", "O.lemma", "O.upos", "e.label", "text",
    ]
    assert [row["V.form"] for row in rows] == [match["V"].form for match in matches]
    tabs = saved(tmp_path, "a.tsv", OBJECTS, SAMPLE, "--columns", "sent_id O.lemma,delta(V, O)", "-n", "1")
    assert tabs == "sent_id\tO.lemma\tdelta(V, O)\nsample-dev-001\tmirror\t6\n"


def test_conllu(tmp_path, matches):
    text = saved(tmp_path, "a.conllu", OBJECTS, SAMPLE)
    lines = text.splitlines()
    assert sum(line.startswith("# match = ") for line in lines) == len(matches)
    assert "# match = V:6 O:12 e:6>12" in lines
    without = "".join(f"{line}\n" for line in lines if not line.startswith("# match = "))
    by_id = {sentence.sent_id: sentence for sentence in gp.read_conllu(SAMPLE)}
    found = dict.fromkeys(match.sentence.sent_id for match in matches)
    assert without == "".join(by_id[name].to_conllu() for name in found)


def test_pictures(tmp_path, matches):
    root = ElementTree.fromstring(saved(tmp_path, "a.svg", OBJECTS, SAMPLE, "-n", "2"))
    groups = [(each.get("class"), each.get("data-id")) for each in root.iter() if "gp-match" in each.get("class", "")]
    assert groups[:4] == [
        ("gp-arc gp-match", None), ("gp-label-group gp-match", None), ("gp-word gp-match", "6"),
        ("gp-word gp-match", "12"),
    ]
    names = [each.text for each in root.iter() if each.get("class") == "gp-name"]
    assert names == ["V", "O", "V", "O"]
    page = saved(tmp_path, "a.html", OBJECTS, SAMPLE, "-n", "2")
    assert page.count("<svg") == 2
    assert "<mark>sold<b>V</b></mark>" in page
    assert "e: V -[obj]-&gt; O" in page


def test_a_pattern_in_a_file(tmp_path):
    (tmp_path / "p.grew").write_text(OBJECTS, encoding="utf-8")
    assert saved(tmp_path, "n.txt", tmp_path / "p.grew", SAMPLE, "-f", "--count", "-n", "3") == "3\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["pattern { V", SAMPLE], "line 1, column 12"),
        ([OBJECTS, SAMPLE, "--to", "pdf"], "no output format is called 'pdf'"),
        ([OBJECTS, SAMPLE, "-o", "a.xyz"], "unknown file extension"),
        ([OBJECTS, SAMPLE, "--by", "X.lemma"], "no node `X`"),
        ([OBJECTS, SAMPLE, "--by", "V.lemma", "--to", "svg"], "counts cannot be written as svg"),
        ([OBJECTS, SAMPLE, "--by", "V.lemma", "--count"], "leave out --count"),
        ([OBJECTS, SAMPLE, "--columns", "V.lemma"], "--columns needs the format csv"),
    ],
)
def test_errors(arguments, problem):
    result = run(*arguments)
    assert isinstance(result.exception, gp.UsageError)
    assert problem in str(result.exception)
