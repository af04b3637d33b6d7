"""`gardenpath check`: the report as text and as JSON, and the exit code."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from gardenpath.cli import check
from gardenpath.treebank import checking, rules

BROKEN = Path(__file__).parents[1] / "data" / "broken"
RULES = BROKEN.parent / "rules.conllu"
SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "sample-dev.conllu"
app = typer.Typer()
app.command()(check.command)


class Everything:
    """An oracle that derives every tree."""

    def derives(self, heads):
        return True


@pytest.fixture(autouse=True)
def _standin(monkeypatch):
    monkeypatch.setattr(checking, "static_oracles", lambda names: {"swap": Everything()} if names is None else {})


def run(*arguments, **options):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


def test_a_good_file():
    result = run(SAMPLE)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"{SAMPLE}: 0 errors, 0 warnings"
    assert "  sentences                   80" in lines
    assert "  non-projective              7 of 80 trees (8.75 %)" in lines
    assert "  swap derives                80 of 80 trees (100.00 %)" in lines


def test_errors_come_first_and_give_exit_code_1(monkeypatch):
    monkeypatch.chdir(BROKEN)
    result = run("cycle.conllu", "--disable", "metadata")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        "error: cycle.conllu:10: sent_id=cycle: words 3 and 5 form a cycle; change the HEAD of one of them [tree]",
        "cycle.conllu: 1 error, 0 warnings",
    ]


def test_warnings_alone_give_exit_code_0(monkeypatch):
    monkeypatch.chdir(BROKEN)
    result = run("root-label-elsewhere.conllu", "--disable", "metadata")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "warning: root-label-elsewhere.conllu:7: sent_id=root-label-elsewhere: word 1 has DEPREL 'root' but HEAD 2"
    )


def test_an_empty_file_is_an_error(monkeypatch):
    monkeypatch.chdir(BROKEN)
    result = run("empty.conllu")
    assert result.exit_code == 1
    assert result.stdout.startswith("error: empty.conllu: no sentences;")
    assert "longest sentence            none" in result.stdout


def test_one_bad_file_among_good_ones_gives_exit_code_1():
    result = run(SAMPLE, BROKEN / "cycle.conllu", SAMPLE)
    assert result.exit_code == 1
    assert result.stdout.count("sentences                   80") == 2


def test_messages_are_limited():
    text = "1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n\n" * 30
    options = ("--disable", "metadata", "--disable", "columns")
    result = run("-", "--max-messages", 2, *options, input=text)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:5] == [
        "error: <stdin>:1: word 1 has head 2, but the last word is 1; use a HEAD from 0 to 1 [tree]",
        "error: <stdin>:1: no root; give one word the HEAD 0 [tree]",
        "... and 58 more errors; use --max-messages to show them",
        "<stdin>: 60 errors, 0 warnings",
        "  [tree]                      60",
    ]
    hidden = run("-", *options, input=text).stdout.splitlines()[20]
    assert hidden == "... and 40 more errors; use --max-messages to show them"


def test_every_rule_has_its_share_of_the_messages():
    result = run(RULES, "--max-messages", 75, "--no-systems")
    shown = [line.rpartition("[")[2] for line in result.stdout.splitlines() if line.startswith("warning: ")]
    assert len(shown) == len(set(shown)) == 75


def test_strict_counts_warnings():
    options = (SAMPLE, "--no-systems", "--strict")
    assert run(*options).exit_code == 0
    assert run(BROKEN / "root-label-elsewhere.conllu", "--no-systems", "--strict").exit_code == 1


def test_rules_are_listed():
    result = run("--rules")
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.stdout.splitlines()[3:]]
    assert listed == list(rules.RULES)


def test_json_has_every_message():
    result = run("--json", "--no-systems", BROKEN / "two-cycles.conllu", SAMPLE)
    broken, sample = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (len(broken["errors"]), broken["ok"], sample["ok"], sample["sentences"], sample["derived"]) == (
        2, False, True, 80, {},
    )


def test_several_roots_can_be_accepted():
    assert run(BROKEN / "several-roots.conllu").exit_code == 1
    assert run(BROKEN / "several-roots.conllu", "--multi-root").exit_code == 0


def test_brackets_in_names_are_printed_literally(tmp_path):
    path = tmp_path / "[bold]a.conllu"
    path.write_bytes(SAMPLE.read_bytes())
    assert "[bold]a.conllu: 0 errors" in run(path).stdout
