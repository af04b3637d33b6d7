"""`gardenpath evaluate`: the tables, their options, and the JSON."""

from __future__ import annotations

import json
import re

import pytest
import typer
from typer.testing import CliRunner

from gardenpath import InputError, UsageError
from gardenpath.cli import evaluate, tables
from gardenpath.evaluation import METRICS

GOLD = """\
# sent_id = one
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\thorse\thorse\tNOUN\tNN\tNumber=Sing\t3\tnsubj:pass\t_\t_
3\tfell\tfall\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
SYSTEM = GOLD.replace("nsubj:pass", "nsubj").replace("3\tpunct", "2\tpunct")


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    app.command()(evaluate.command)
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(GOLD)
    system.write_text(SYSTEM)

    def call(*options: str, files: tuple[str, str] = (str(gold), str(system)), stdin: str | None = None) -> str:
        result = CliRunner().invoke(app, [*files, *options], input=stdin, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    call.gold = str(gold)
    return call


def test_conditions_come_first_and_every_number_has_a_name(run):
    lines = run().splitlines()
    assert lines[0].startswith("Gold tokens; gold sentences; gold tags; punctuation counted; label subtypes ignored; ")
    assert ["LAS", "75.00", "head and label right"] in [
        [part.strip() for part in line.split("  ") if part] for line in lines
    ]
    assert any(line.startswith("Exact match, labelled") and "0.00" in line for line in lines)


def test_options_change_scores_and_conditions(run):
    output = run("--no-punctuation", "--subtypes")
    assert "punctuation (gold UPOS PUNCT) left out; label subtypes compared" in output
    assert "66.67" in output


def test_earlier_steps_are_shown_if_they_made_errors(run, tmp_path):
    assert not re.search("Tokens|Sentences +[0-9]|Words|UPOS", run())
    system = tmp_path / "other.conllu"
    system.write_text(SYSTEM.replace("NOUN", "VERB"))
    assert re.search(r"^UPOS +75\.00 +tag right\nUAS +75\.00", run(files=(run.gold, str(system))), re.MULTILINE)
    system.write_text("1\tThehorse\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tfell.\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert re.search(r"^Tokens +0\.00 .*\nWords +0\.00 .*\nUPOS ", run(files=(run.gold, str(system))), re.MULTILINE)


def test_verbose_shows_every_official_metric(run):
    output = run("-v")
    for metric in METRICS:
        assert f"\n{metric} " in output


def test_tables_by_label_and_length(run):
    output = run("--by-label", "--by-length")
    assert "By label" in output
    assert "\nnsubj " in output
    assert "\nroot " in output
    assert "\n1-10 " in output


def test_tables_by_projectivity(run):
    output = run("--by-projectivity")
    assert re.search(r"^projective +75.00 +75.00 +0.00 +1 +4$", output, re.MULTILINE)
    assert re.search(r"^non-projective arcs +0.00 +0.00 +0 +1$", output, re.MULTILINE)


def test_json_has_all_scores(run):
    assert json.loads(run("--json"))["scores"]["LAS"]["f1"] == 75


def test_standard_input_may_be_one_of_the_files(run):
    assert "75.00" in run(files=(run.gold, "-"), stdin=SYSTEM)
    with pytest.raises(UsageError):
        run(files=("-", "-"))


def test_only_nonprojective_sentences(run):
    with pytest.raises(InputError, match="no sentence of gold is non-projective"):
        run("--nonprojective-only")


def test_several_roots_need_an_option(run, tmp_path):
    (tmp_path / "roots.conllu").write_text(GOLD.replace("3\tpunct", "0\troot"))
    files = (run.gold, str(tmp_path / "roots.conllu"))
    with pytest.raises(InputError, match="several roots: words 3 and 4"):
        run(files=files)
    assert "75.00" in run("--multi-root", files=files)


def test_a_terminal_gets_drawn_tables(run, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    tables.show("Title", ("Label", "F1"), [("[bold]", "1.00")])
    output = capsys.readouterr().out
    assert "┃" in output
    assert "[bold]" in output


def test_help_has_an_example(run):
    assert "gardenpath evaluate gold.conllu parsed.conllu --by-label" in run("--help")
