"""The rules of `check`: a sentence for each rule, and sentences that break none."""

import io
from pathlib import Path

import pytest

from gardenpath import UsageError, read_conllu, treebank
from gardenpath.treebank.rules import GROUPS, RULES

DATA = Path(__file__).parents[1] / "data" / "rules.conllu"
# These rules are about whole files, and tests/treebank/test_checking.py has files that break them.
OF_FILES = {"unreadable", "no-sentences", "no-tags", "large-inventory"}


def rules_by_sentence(report):
    starts = [int(sentence.place.rpartition(":")[2]) for sentence in read_conllu(DATA)]
    found = {start: set() for start in starts}
    for violation in report.violations:
        line = int(violation.message.removeprefix(f"{DATA}:").partition(":")[0])
        found[max(start for start in starts if start <= line)].add(violation.rule)
    return found


def test_every_rule_finds_its_sentence_and_no_other():
    expected = {
        int(sentence.place.rpartition(":")[2]): set((sentence.comment("rule") or "").split())
        for sentence in read_conllu(DATA)
    }
    assert rules_by_sentence(treebank.check(DATA, systems=())) == expected
    assert set().union(*expected.values()) == RULES.keys() - OF_FILES


@pytest.mark.parametrize("name", ["too-many-subjects", "unknown-upos", "missing-text", "tree"])
def test_a_rule_can_be_disabled(name):
    every = treebank.check(DATA, systems=()).by_rule
    rest = treebank.check(DATA, systems=(), disable=[name]).by_rule
    assert every[name] > 0
    assert rest == {rule: count for rule, count in every.items() if rule != name}


def test_a_group_can_be_disabled():
    rest = treebank.check(DATA, systems=(), disable=["metadata", "training"]).by_rule
    assert {RULES[rule].group for rule in rest} == set(GROUPS) - {"metadata", "training"}


def test_an_unknown_rule_is_an_error():
    with pytest.raises(UsageError, match="there is no rule or group of rules 'nonsense'"):
        treebank.check(DATA, disable=["nonsense"])


def test_the_message_has_the_line_of_the_word_and_a_remedy():
    text = b"# sent_id = a\n# text = Dogs\n1\tDogs\t_\tNOUNN\t_\t_\t0\troot\t_\t_\n\n"
    report = treebank.check(io.BytesIO(text), systems=())
    assert report.warnings == ["<stream>:3: sent_id=a: UPOS 'NOUNN' is not a tag of UD; did you mean NOUN?"]
    assert report.ok


def test_rules_about_features_need_a_treebank_with_features():
    rows = "# sent_id = {}\n# text = They\n1\tThey\t_\tPRON\t_\t{}\t0\troot\t_\t_\n\n"
    without = treebank.check(io.BytesIO(rows.format("a", "_").encode()), systems=())
    assert without.by_rule == {}
    with_features = rows.format("a", "_") + rows.format("b", "PronType=Prs")
    assert treebank.check(io.BytesIO(with_features.encode()), systems=()).by_rule == {"pron-det-without-prontype": 1}


def test_the_documentation_has_every_rule():
    page = (Path(__file__).parents[2] / "docs" / "annotation.md").read_text(encoding="utf-8")
    for rule in RULES.values():
        assert f"| `{rule.name}` | {rule.level} | {rule.meaning} |" in page
