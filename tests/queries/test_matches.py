"""Matches, keys, what can be searched, and limits."""

import xml.etree.ElementTree as ElementTree
from io import BytesIO
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.queries import Index, Pattern, searching
from gardenpath.queries.marking import marked_text
from queries.test_semantics import GIVE, HEARING, PAIR

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "sample-dev.conllu"
DONT = """\
# sent_id = dont
1\tI\tI\tPRON\t_\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\tknow\tknow\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""


def read(*texts):
    return list(gp.read_conllu(BytesIO("".join(texts).encode())))


def test_a_match():
    (give,) = read(GIVE)
    (match,) = gp.search(give, "pattern { H -[root]-> V; e: V -[1=obl]-> N; V -[obj]-> O }")
    assert match.sentence is give
    assert match["V"] is give.words[3]
    assert (match["H"].id, match["H"].form) == (0, "__0__")
    assert match.ids == {"H": 0, "V": 4, "N": 8, "O": 7}
    assert [word.form for word in match.words] == ["gave", "books", "today"]
    assert match.edges["e"].head is match["V"]
    assert (match.edges["e"].dependent.form, match.edges["e"].label) == ("today", "obl:tmod")
    assert match.arcs == [(0, 4), (4, 8), (4, 7)]
    assert repr(match) == "<Match H=__0__, V=gave, N=today, O=books in <stream>:1: sent_id=give>"
    with pytest.raises(gp.UsageError, match="no node 'X'; its nodes are: H, V, N, O"):
        match["X"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("V.lemma", "give"), ("V.Tense", "Past"), ("V.Case", None), ("V.id", "4"), ("N.SpaceAfter", "No"),
        ("V.Case/Tense/upos", "Past"), ("H.form", "__0__"), ("H.upos", None), ("e.label", "obl:tmod"), ("e.1", "obl"),
        ("e.2", "tmod"), ("e.deep", None), ("e.length", "4"), ("e.delta", "4"), ("delta(N, V)", "-4"),
        ("length(N,V)", "4"), ("N#V#H", "H << V << N"), ("V -> N", "obl:tmod"), ("N -> V", "__none__"),
        ("N <-> V", "-obl:tmod"), ("sent_id", "give"), ("newdoc id", None), ("V.textform", "gave"),
    ],
)
def test_keys(key, value):
    (match,) = gp.search(read(GIVE), "pattern { H -[root]-> V; e: V -[1=obl]-> N }")
    assert match.value(key) == value


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("V", "not a key"), ("e", "not a key"), ("X.lemma", "no node `X`"), ("V.deprel", "use an edge"),
        ("V.UPOS", "write `upos`"), ("V.label", "feature of edges"), ("e.lemma", "an edge has label"),
        ("V#X", "no node `X`"), ("V.lemma = a", "not a key"), ("upos", r"such as V\.upos"),
        ("f.label", "no edge `f`; name the edge"),
    ],
)
def test_wrong_keys(key, problem):
    with pytest.raises(gp.UsageError, match=problem):
        gp.search([], "pattern { e: V -> N }").count_by(key)


def test_matches_are_printed_drawn_and_written(tmp_path):
    matches = gp.search(read(GIVE, HEARING), "pattern { e: V -[obj]-> O }")
    (match,) = matches
    assert str(match) == marked_text(match) == "The old man [V gave] her aux [O books] today."
    assert ElementTree.fromstring(match.to_svg()).tag.endswith("svg")
    assert repr(matches) == "<Matches of 'pattern { e: V -[obj]-> O }'>"
    matches.to_table(tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_text(encoding="utf-8").splitlines() == [
        "sent_id,V.id,V.form,V.lemma,V.upos,O.id,O.form,O.lemma,O.upos,e.label,text",
        "give,4,gave,give,VERB,7,books,book,NOUN,obj,The old man gave her aux books today.",
    ]
    matches.to_table(str(tmp_path / "some.tsv"), columns=["O.lemma", "e.length"])
    assert (tmp_path / "some.tsv").read_text(encoding="utf-8") == "O.lemma\te.length\nbook\t3\n"
    with pytest.raises(gp.UsageError, match=r"all.ods: the ending is not that of a spreadsheet; use one of .csv, .tsv"):
        matches.to_table(tmp_path / "all.ods")


def test_counts():
    matches = gp.search(read(GIVE, HEARING), "pattern { N [upos=NOUN]; e: H -> N }")
    assert matches.count() == 5
    assert matches.count_by("e.1", "N.Number") == {
        ("nsubj", "Sing"): 2, ("obl", "Sing"): 2, ("obj", "Plur"): 1,
    }
    assert matches.count_by("N.Case") == {(None,): 5}
    assert (matches.sentences, matches.words) == (2, 16)


def test_what_can_be_searched(tmp_path):
    pattern, folder = "pattern { X [lemma=make] }", tmp_path / "texts" / "below"
    folder.mkdir(parents=True)
    (folder / "a.conllu").write_text(PAIR + GIVE, encoding="utf-8")
    (folder.parent / "b.conllu").write_text(PAIR, encoding="utf-8")
    document = gp.Document.of(read(PAIR, GIVE))
    assert gp.search(document, pattern).count() == 2
    assert gp.search(document.sentences[0], pattern).count() == 2
    assert gp.search(iter(document), pattern).count() == 2
    assert gp.search([document, document], pattern).count() == 4
    assert gp.search(Index(document), Pattern(pattern)).count() == 2
    assert gp.search(str(folder / "a.conllu"), pattern).count() == 2
    assert gp.search([folder / "a.conllu", folder.parent / "b.conllu"], pattern).count() == 4
    assert gp.search(tmp_path, pattern).count() == 4
    assert gp.search([], pattern).count() == gp.search(Index([]), pattern).count() == 0


def test_what_cannot_be_searched(tmp_path):
    (tmp_path / "a.txt").write_text("Text.", encoding="utf-8")
    with pytest.raises(gp.InputError, match="no files"):
        gp.search(tmp_path, "X []").count()
    with pytest.raises(gp.InputError, match="parse it first"):
        gp.search(tmp_path / "a.txt", "X []").count()
    with pytest.raises(gp.UsageError, match="cannot search 'int'"):
        gp.search(3, "X []").count()


def test_matches_before_an_error_in_a_file_are_found():
    matches = iter(gp.search(gp.read_conllu(BytesIO((PAIR + "1\tx\n").encode())), "X [lemma=make]"))
    assert [next(matches).ids, next(matches).ids] == [{"X": 1}, {"X": 2}]
    with pytest.raises(gp.InputError):
        next(matches)


def test_the_search_is_lazy():
    def endless():
        while True:
            yield from read(GIVE)

    matches = iter(gp.search(endless(), "X [upos=VERB]"))
    assert [next(matches)["X"].form for _ in range(3)] == ["gave"] * 3


@pytest.mark.parametrize("limit", [0, 1, 5, 7, 1000])
def test_the_limit(limit):
    sentences = read(GIVE, HEARING)
    matches = gp.search(sentences, "X [upos]", limit=limit)
    assert len(list(matches)) == matches.count() == min(limit, 16)
    assert sum(len(found) for _, found in matches.by_sentence()) == min(limit, 16)
    with pytest.raises(gp.UsageError, match="limit"):
        gp.search(sentences, "X []", limit=-1)


def test_small_chunks_and_a_full_vocabulary_change_nothing(monkeypatch):
    pattern = "pattern { X [form=/.*e.*/]; Y []; X -> Y; X.upos <> Y.upos }"
    expected = [match.ids for match in gp.search(SAMPLE, pattern)]
    monkeypatch.setattr(searching, "CHUNK", 30)
    monkeypatch.setattr(searching, "MOST_VALUES", 100)
    assert [match.ids for match in gp.search(SAMPLE, pattern)] == expected


def test_many_matches_in_one_sentence():
    words = "".join(f"{i}\tw\tw\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 121))
    assert gp.search(read(words + "\n"), "X [upos]; Y [upos]; Z [upos]; X < Y").count() == 119 * 118


def test_a_watch_stops_a_search_without_end():
    words = "".join(f"{i}\tw\tw\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 301))
    calls = []

    def watch():
        calls.append(1)
        if len(calls) > 3:
            raise gp.InputError("too late")

    nodes = "; ".join(f"X{i} []" for i in range(9))
    clauses = f"{{ {nodes}; X0 << X8; X8 << X0 }}"
    for pattern in (f"pattern {clauses}", f"pattern {{ Y [] }} without {clauses}"):
        calls.clear()
        with pytest.raises(gp.InputError, match="too late"):
            gp.search(read(words + "\n"), pattern, watch=watch).count()


def test_words_of_multi_word_tokens_are_shown():
    (match,) = gp.search(read(DONT), "pattern { V -[advmod]-> N }")
    assert marked_text(match) == "I don't(do [N n't]) [V know]."
    (match,) = gp.search(read(DONT), "pattern { V -[nsubj]-> S; V$ -[punct]-> P }")
    assert marked_text(match) == "[S I] don't [V, V$ know][P .]"
    (match,) = gp.search(read(DONT), 'pattern { X [textform="don\'t"]; Y [textform="_"]; X.wordform <> Y.textform }')
    assert match.ids == {"X": 2, "Y": 3}
