"""Checking a treebank: the messages for broken files, the counts, and trees for training."""

import io
from pathlib import Path

import pytest

from gardenpath import InputError, treebank
from gardenpath.trees import is_projective

BROKEN = Path(__file__).parents[1] / "data" / "broken"
ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "treebanks"

NO_SENTENCES = "no sentences; check that this is the right file and that it is complete"
COLUMNS = "columns are separated by single tabs, an empty one is `_`"
NUMBERING = "number the words 1, 2, 3, ..."
MIXED = "line ends are mixed; use either LF or CRLF throughout"
# The messages by file, without the name of the file.
ERRORS = {
    "bad-head": [":8: sent_id=bad-head: HEAD 'zero' is not a word number; use 0 for the root or `_` for no head"],
    "bad-id": [":8: sent_id=bad-id: id 'two' is neither a word (3), a range (3-4) nor an empty node (3.1)"],
    "bad-range": [":7: sent_id=bad-range: id '1-b' is not two numbers joined by `-`"],
    "comment-inside": [
        ":8: sent_id=comment-inside: a comment among the words; put an empty line before it, or move it above them"
    ],
    "comments-only": [":6: sent_id=comments-only: no words below these comments; remove them or add the sentence"],
    "cycle": [":10: sent_id=cycle: words 3 and 5 form a cycle; change the HEAD of one of them"],
    "duplicate-id": [f":9: sent_id=duplicate-id: duplicate id 2 where 3 is expected; {NUMBERING}"],
    "duplicate-sent-id": [
        ":6: sent_id=good: the sent_id is already used at duplicate-sent-id.conllu:1; give every sentence its own"
    ],
    "empty": [f": {NO_SENTENCES}"],
    "empty-column": [":8: sent_id=empty-column: column 3 is empty; write `_`"],
    "empty-node-in-range": [
        ":9: sent_id=empty-node-in-range: empty node 1.1 separates a range from its first word; put it before the range"
    ],
    "empty-node-out-of-order": [
        ":9: sent_id=empty-node-out-of-order: empty node 2.2 is out of order; only empty node 2.1 can follow here"
    ],
    "head-out-of-range": [
        ":7: sent_id=head-out-of-range: word 1 has head 9, but the last word is 3; use a HEAD from 0 to 3"
    ],
    "leading-zero-in-head": [
        ":8: sent_id=leading-zero-in-head: HEAD '00' is not a word number; use 0 for the root or `_` for no head"
    ],
    "missing-column": [f":8: sent_id=missing-column: 9 columns instead of 10; {COLUMNS}"],
    "missing-head": [":9: sent_id=missing-head: words 3 and 4 have no head; give every word a HEAD, 0 for the root"],
    "mixed-line-ends": [f":2: sent_id=mixed: {MIXED}"],
    "mixed-line-ends-in-comments": [f":1: {MIXED}"],
    "missing-deprel": [":7: sent_id=missing-deprel: word 1 has a head but no DEPREL; add a DEPREL"],
    "no-root": [
        ":7: sent_id=no-root: words 1 and 2 form a cycle; change the HEAD of one of them",
        ":6: sent_id=no-root: no root; give one word the HEAD 0",
    ],
    "not-utf8": [
        ":7: byte 6 of the line (0xe9) is not UTF-8; convert the file to UTF-8 first "
        "(gardenpath convert --encoding cp1252)"
    ],
    "only-blank-lines": [f": {NO_SENTENCES}"],
    "overlapping-ranges": [
        ":9: sent_id=overlapping-ranges: range 2-3 overlaps the range before it; a word belongs to one range at most"
    ],
    "own-head": [":7: sent_id=own-head: word 1 is its own head; give it another HEAD"],
    "range-beyond-end": [
        ":8: sent_id=range-beyond-end: range 2-3 reaches beyond the last word 2; correct its end or add the words"
    ],
    "range-out-of-place": [
        ":8: sent_id=range-out-of-place: range 1-2 must come directly before word 1 and must not end "
        "before it starts"
    ],
    "several-roots": [":10: sent_id=several-roots: several roots: words 2 and 4; keep HEAD 0 for one of them only"],
    "skipped-id": [f":8: sent_id=skipped-id: id 3 where 2 is expected; {NUMBERING}"],
    "spaces-for-tabs": [f":8: sent_id=spaces-for-tabs: 1 column instead of 10; {COLUMNS}"],
    "two-cycles": [
        ":7: sent_id=two-cycles: words 1, 2 and 3 form a cycle; change the HEAD of one of them",
        ":11: sent_id=two-cycles: words 5 and 6 form a cycle; change the HEAD of one of them",
    ],
}
WARNINGS = {
    "root-label-elsewhere": [
        ":7: sent_id=root-label-elsewhere: word 1 has DEPREL 'root' but HEAD 2; use `root` for HEAD 0 only",
        ":8: sent_id=root-label-elsewhere: word 2 has HEAD 0 but DEPREL 'dep'; use `root` for HEAD 0",
    ],
}


GUIDELINES = ("metadata", "columns", "leaves", "tags")      # groups of rules


class Standin:
    """An oracle that derives the trees chosen by its test."""

    def __init__(self, derives):
        self.derives = derives


@pytest.fixture(autouse=True)
def _standins(request, monkeypatch):
    if "real_systems" not in request.fixturenames:
        standins = {"arc-eager": Standin(is_projective), "swap": Standin(lambda heads: None not in heads)}
        monkeypatch.setattr(
            treebank.checking,
            "static_oracles",
            lambda names: {name: standins[name] for name in (standins if names is None else names)},
        )


@pytest.fixture
def real_systems():
    return pytest.importorskip("gardenpath.systems", exc_type=ImportError), pytest.importorskip(
        "gardenpath.oracles.arc_eager", exc_type=ImportError
    )


def test_every_broken_file_has_its_message():
    assert {path.stem for path in BROKEN.glob("*.conllu")} == {*ERRORS, *WARNINGS}


@pytest.mark.parametrize("name", [*ERRORS, *WARNINGS])
def test_broken_files(name, monkeypatch):
    monkeypatch.chdir(BROKEN)
    report = treebank.check(f"{name}.conllu", disable=GUIDELINES)
    assert report.errors == [f"{name}.conllu{message}" for message in ERRORS.get(name, ())]
    assert report.warnings == [f"{name}.conllu{message}" for message in WARNINGS.get(name, ())]
    assert report.ok is (name in WARNINGS)


@pytest.mark.parametrize("name", [name for name in ERRORS if name != "duplicate-sent-id"])
def test_broken_files_cannot_be_read_for_training(name, monkeypatch):
    monkeypatch.chdir(BROKEN)
    with pytest.raises(InputError) as caught:
        treebank.read_treebank(f"{name}.conllu")
    assert str(caught.value) == f"{name}.conllu{ERRORS[name][0]}"


def test_several_roots_can_be_allowed():
    path = BROKEN / "several-roots.conllu"
    assert len(treebank.read_treebank(path, allow_multiple_roots=True)) == 2
    report = treebank.check(path, allow_multiple_roots=True)
    assert (report.ok, report.several_roots, report.trees) == (True, 1, 2)


def test_sentences_for_training_keep_their_order():
    sentences = treebank.read_treebank(ROOT / "data" / "sample" / "sample-dev.conllu")
    assert [sentence.sent_id for sentence in sentences[:2]] == ["sample-dev-001", "sample-dev-002"]


def test_counts():
    rows = [
        "# sent_id = a",
        "# text = A hearing on it is scheduled today",
        "1 A _ DET DT _ 2 det _ _",
        "2 hearing _ NOUN NN _ 4 nsubj:pass _ _",
        "3-4 isscheduled _ _ _ _ _ _ _ _",
        "3 is _ AUX VBZ _ 4 aux:pass _ _",
        "4 scheduled _ VERB VBN _ 0 root _ _",
        "4.1 x _ _ _ _ _ _ _ _",
        "5 on _ ADP IN _ 6 case _ _",
        "6 it _ PRON PRP _ 2 nmod _ _",
        "",
        "1 Yes _ INTJ UH _ 0 root _ _",
        "",
        "1 No _ INTJ UH _ _ _ _ _",
        "",
    ]
    text = "\n".join(row if row.startswith("#") else row.replace(" ", "\t") for row in rows)
    report = treebank.check(io.BytesIO(text.encode()))
    counted = {name: value for name, value in report.to_dict().items() if isinstance(value, int)}
    assert counted == {
        "sentences": 3,
        "words": 8,
        "ranges": 1,
        "empty_nodes": 1,
        "comments": 2,
        "longest": 6,
        "several_roots": 0,
        "trees": 2,
        "arcs": 7,
        "nonprojective_trees": 1,
        "nonprojective_arcs": 1,
        "lifted_arcs": 1,
        "ok": False,
    }
    assert report.to_dict()["values"] == {"upos": 7, "xpos": 7, "feats": 0, "deprel": 6}
    assert report.to_dict()["derived"] == {"arc-eager": 1, "swap": 2}
    assert report.longest_at == "<stream>:1: sent_id=a"


def test_a_treebank_without_tags_gives_a_warning():
    report = treebank.check(io.BytesIO(b"1\tRun\t_\t_\t_\t_\t0\troot\t_\t_\n\n"), disable=GUIDELINES)
    assert report.errors == []
    assert report.warnings == ["<stream>: no word has UPOS, XPOS or FEATS; add UPOS tags before training"]


def test_very_large_inventories_give_warnings():
    lines = [f"1\tw\t_\tX\ttag{i}\t_\t0\troot:{i % 300}\t_\t_\n\n" for i in range(2500)]
    report = treebank.check(io.BytesIO("".join(lines).encode()), disable=GUIDELINES)
    assert report.errors == []
    assert report.warnings == [
        "<stream>: 2500 different values of XPOS, more than 2000; check whether the column holds something else",
        "<stream>: 300 different values of DEPREL, more than 200; check whether the column holds something else",
    ]


def test_systems_can_be_left_out():
    assert treebank.check(BROKEN / "cycle.conllu", systems=()).derived == {}


@pytest.mark.parametrize(
    "part, share",
    [("ud-2.0/tr/tr-ud-test", 12.10), ("ud-2.0/got/got-ud-test", 22.67), ("ud-2.16/en_ewt/en_ewt-ud-test", 1.25)],
)
def test_the_share_of_nonprojective_sentences(part, share):
    path = SHARED / f"{part}.conllu"
    if not path.exists():
        pytest.skip("there are no treebanks in ../shared/treebanks")
    report = treebank.check(path, systems=())
    assert report.ok
    assert round(100 * report.nonprojective_trees / report.trees, 2) == share


TREEBANKS = sorted(SHARED.glob("ud-*/*/*.conllu"))


@pytest.mark.long
@pytest.mark.parametrize("system", ["covington", "covington-nm"])
@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.stem)
def test_covington_derives_every_tree(path, system, real_systems):
    report = treebank.check(path, systems=(system,), allow_multiple_roots=True)
    assert report.derived[system] == report.trees == report.sentences


def test_each_system_derives_the_trees_of_its_class(real_systems):
    report = treebank.check(ROOT / "data" / "sample" / "sample-dev.conllu")
    assert list(report.derived) == real_systems[0].names()
    for name, derived in report.derived.items():
        if name.startswith(("arc-eager", "arc-standard", "lr-spine")):
            assert derived == report.trees - report.nonprojective_trees, name
        elif not name.startswith("attardi"):
            assert derived == report.trees, name
