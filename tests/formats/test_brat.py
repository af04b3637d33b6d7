"""brat: the span of every annotation contains the text of the annotation."""

import pytest

from gardenpath import Sentence, Token, UsageError, Word, read_conllu
from gardenpath.formats.brat import to_brat, write_brat
from sample import DEV

SENTENCES = [
    Sentence(
        [
            Word(1, "Sarah", upos="PROPN", head=3, deprel="nsubj:pass"),
            Word(2, "do", upos="AUX", head=3, deprel="aux"), Word(3, "n't", head=0, deprel="root"),
            Word(4, ".", upos="PUNCT", head=3, deprel="_"),
        ],
        ["# text = Sarah  don't."], [Token(2, 3, "don't")],
    ),
    Sentence(
        [Word(1, "Zoë", upos="x.y", misc="SpaceAfter=No"), Word(2, "!", head=1, deprel="punct"), Word(3, "\u00a0a")]
    ),
]


def test_text_and_annotations(tmp_path):
    write_brat(SENTENCES, tmp_path / "notes.ann")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "Sarah  don't.\nZoë! \u00a0a\n"
    assert (tmp_path / "notes.ann").read_text(encoding="utf-8").splitlines() == [
        "T1\tPROPN 0 5\tSarah", "T2\tAUX 7 12\tdon't", "T3\tUnknown 7 12\tdon't", "T4\tPUNCT 12 13\t.",
        "R1\tnsubj_pass Arg1:T3 Arg2:T1", "R2\taux Arg1:T3 Arg2:T2", "R3\tUnknown Arg1:T3 Arg2:T4",
        "T5\tx_y 14 17\tZoë", "T6\tUnknown 17 18\t!", "T7\tUnknown 19 21\t\u00a0a", "R4\tpunct Arg1:T5 Arg2:T6",
    ]


@pytest.mark.parametrize(
    "old", ["Sarah  don't. Zoë! \u00a0a\n", "Sarah  don't.\n", "Sarah  don't.\nZoë! \u00a0a\n\n", ""],
)
def test_another_existing_text_is_not_overwritten(old, tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text(old, encoding="utf-8")
    with pytest.raises(UsageError, match=r"notes\.txt exists and does not contain the text of these sentences"):
        write_brat(SENTENCES, tmp_path / "notes.ann")
    assert text.read_text(encoding="utf-8") == old
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_same_existing_text_is_accepted(tmp_path):
    write_brat(SENTENCES[:1], tmp_path / "notes.ann")
    for word in SENTENCES[0]:
        word.upos = "X"
    write_brat(SENTENCES[:1], tmp_path / "notes.ann")
    assert (tmp_path / "notes.ann").read_text(encoding="utf-8").startswith("T1\tX 0 5\tSarah")


def test_a_text_comment_that_does_not_match_the_words_is_ignored():
    (part,) = to_brat([Sentence([Word(1, "a"), Word(2, "b")], ["# text = a c"])])
    assert part.text == "a b\n"


def test_the_sample():
    parts = list(to_brat(read_conllu(DEV)))
    text = "".join(part.text for part in parts)
    words = [word for sentence in read_conllu(DEV) for word in sentence]
    spans = [line.split("\t") for part in parts for line in part.annotations.splitlines() if line[0] == "T"]
    assert len(spans) == len(words)
    for (name, place, covered), (number, word) in zip(spans, enumerate(words, 1), strict=True):
        kind, start, end = place.split()
        assert (name, kind, covered) == (f"T{number}", word.upos, text[int(start) : int(end)])
        assert word.form == covered or " " not in covered
    assert text.splitlines() == [sentence.text for sentence in read_conllu(DEV)]


def test_other_targets_raise_an_error(tmp_path):
    for target in (tmp_path / "notes.txt", tmp_path / "notes", None):
        with pytest.raises(UsageError, match="brat has two files"):
            write_brat(SENTENCES, target)
