"""Files are searched without making all words: the results and the errors are the same as for sentences."""

from pathlib import Path

import pytest

import gardenpath as gp
from queries.test_matches import DONT
from queries.test_semantics import GIVE, HEARING, PAIR

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "sample-dev.conllu"
PATTERNS = [
    "pattern { X -> Y; X.upos <> Y.upos; Y [form=/.*[aé].*/i] }",
    "pattern { X [Number=Sing, !SpaceAfter]; e: X -[^det]-> Y }",
    'pattern { X [xpos, lemma] } without { X [textform="_"] }',
    "global { is_projective; sent_id=/.*[1-5]/ } pattern { X [upos=VERB] }",
]
EMPTY_NODE = PAIR.replace("2\tmake", "1.1\tx\t_\t_\t_\t_\t_\t_\t1:x\t_\n2\tmake").replace("pair", "empty")
FILES = {
    "plain": GIVE + HEARING + PAIR,
    "multi-word tokens": DONT + GIVE,
    "empty nodes": EMPTY_NODE + PAIR,
    "CRLF": (GIVE + PAIR).replace("\n", "\r\n"),
    "no last newline": (GIVE + PAIR).rstrip("\n"),
    "blank lines and a byte order mark": "\ufeff\n\n" + GIVE + "\n\n\n" + PAIR + "\n\n",
    "no comments": "".join(line for line in (GIVE + PAIR).splitlines(keepends=True) if line[0] != "#"),
    "no heads": PAIR.replace("\t0\troot", "\t_\t_"),
    "heads outside": PAIR.replace("\t0\troot", "\t9\troot"),
    "a huge head": PAIR.replace("\t0\troot", "\t123456789\troot"),
    "a null character": PAIR.replace("conj", "co\0nj"),
    "not ASCII": GIVE.replace("man", "Männer"),
    "empty": "",
}


def found(searched, pattern):
    return [(match.sentence.to_conllu(), match.sentence.place, match.ids) for match in gp.search(searched, pattern)]


@pytest.mark.parametrize("name", FILES)
def test_files_and_sentences_give_the_same(tmp_path, name):
    path = tmp_path / "a.conllu"
    path.write_bytes(FILES[name].encode())
    for pattern in PATTERNS:
        assert found(path, pattern) == found(gp.read_conllu(path), pattern), pattern


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_sample(pattern):
    expected = found(gp.read_conllu(SAMPLE), pattern)
    assert expected
    assert found(SAMPLE, pattern) == expected


@pytest.mark.parametrize(
    "broken",
    [
        PAIR.replace("\t0\troot", "\tx\troot"), PAIR.replace("\t0\troot", "\t01\troot"),
        PAIR.replace("2\tmake", "3\tmake"), PAIR.replace("\t0\troot\t_", "\t0\troot"),
        PAIR.replace("\t0\troot", "\t0\t"), "# only = comments\n\n",
        PAIR.replace("2\tmake", "# late\n2\tmake"), PAIR.replace("2\tmake", "2-9\tx" + 8 * "\t_" + "\n2\tmake"),
        PAIR.replace("conj", "co\rnj"), PAIR + "word\n\n", PAIR.replace("2\tmake", "02\tmake"),
    ],
)
def test_errors_are_the_same_and_come_after_earlier_matches(tmp_path, broken):
    path = tmp_path / "a.conllu"
    path.write_bytes((GIVE + broken + GIVE).encode())
    messages, matches = [], []
    for searched in (path, gp.read_conllu(path)):
        with pytest.raises(gp.InputError) as caught:
            matches.extend(match.ids for match in gp.search(searched, "X [upos=VERB]"))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert matches.count({"X": 4}) == 2


def test_bytes_that_are_not_utf_8(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(GIVE.encode() + PAIR.encode().replace(b"conj", b"c\xff"))
    with pytest.raises(gp.InputError, match="is not UTF-8"):
        gp.search(path, "X [upos=VERB]").count()
