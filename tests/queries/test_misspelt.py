"""Notes about names in a pattern that are probably misspelt."""

import warnings

import pytest

import gardenpath as gp
from gardenpath.queries import Index, Pattern, searching
from queries.test_matches import read
from queries.test_semantics import GIVE

# Names that only this treebank has.
OWN = "1\tx\tx\tZZ\t_\tNumbr=Sing|Tense=Pst\t0\tnsbj:tmd\t_\tTransliteration=x\n\n"


@pytest.mark.parametrize(
    ("pattern", "note"),
    [
        ("V [upos=VREB]", "^no word that was searched has the UPOS `VREB`, and UD has none of that name; did you mean"),
        ("V [upos=verb|NOUN]", "has the UPOS `verb`, and UD has none of that name; did you mean `VERB`"),
        ("V [upos=QQQ]", "has the UPOS `QQQ`, and UD has none of that name$"),
        ("V -[nsbj|obj]-> X", "has the relation `nsbj`, and UD has none of that name; did you mean `nsubj`"),
        ("V -[1=subj:pass]-> X", "has the relation `subj`, .*did you mean `nsubj`"),
        ("e: V -> X; e.label = nsbj", "has the relation `nsbj`"),
        ("pattern { V [] } without { V -[^nsbj]-> X }", "has the relation `nsbj`"),
        ("X [Numbr=Sing]", "^no word that was searched has the feature `Numbr`; did you mean `Number`.$"),
        ("X [lemm=give]", "has the feature `lemm`; did you mean `lemma`"),
        ("X [pos=VERB]", "has the feature `pos`; did you mean `upos`"),
        ("X [!number]", "has the feature `number`; did you mean `Number`"),
        ("X []; Y []; X.Gendr = Y.Gender", "has the feature `Gendr`; did you mean `Gender`"),
        ("X [Tense=past]", "^no word that was searched has the value `past` of `Tense`; did you mean `Past`.$"),
        ("X [Number__x=Sing, Number<>Sng]", "has the value `Sng` of `Number`; did you mean `Sing`"),
        ("X []; X.Tense = Pats", "has the value `Pats` of `Tense`; did you mean `Past`"),
        ("V -[obl:tmodd]-> X", "^no word that was searched has the subtype `tmodd`; did you mean `tmod`.$"),
        ("V -[1=nsubj, 2=tmd]-> X", "has the subtype `tmd`; did you mean `tmod`"),
        ("X [Space=No]|[SpaceAftr=No]", "has the feature `SpaceAftr`; did you mean `SpaceAfter`"),
    ],
)
def test_a_misspelt_name_has_a_note(pattern, note):
    with pytest.warns(gp.GardenpathWarning, match=note):
        gp.search(read(GIVE), pattern).count()


def test_a_misspelt_key_has_a_note(tmp_path):
    with pytest.warns(gp.GardenpathWarning, match="has the feature `lemm`; did you mean `lemma`"):
        assert set(gp.search(read(GIVE), "V [upos=VERB]").count_by("V.lemm/Tens/Tense")) == {("Past",)}
    matches = gp.search(read(GIVE), Pattern("V [upos=VERB]"))
    matches.count_by("V.Tens")
    assert len(matches.notes) == 1
    assert (matches.count(), matches.notes) == (1, [])
    matches.to_table(tmp_path / "verbs.csv", ["V.form", "V.lemm"])
    assert len(matches.notes) == 1
    matches.count_by("V.lemma", "V.Tense", "V.id", "sent_id")
    assert matches.notes == []


@pytest.mark.parametrize(
    "pattern",
    [
        "V [upos=VERB|SYM]", "V -[nsubj:pass|clf|obl@agent]-> X", "V -[1=orphan, 2=foo]-> X", "X [upos<>X]",
        "X [ExtPos=ADV, Typo, Clusivity, NumForm]", "X [Number__psor=Sing, Gender[psor]]", "X [SpacesAfter, Lang=de]",
        "X [__MISC__Gloss]", "X [form=VREB, lemma=nsbj, xpos=VREB, wordform=x]", "X [upos=/VREB/]",
        "X [Number=Dual, Gloss=to]", "V -[obl:lang]-> X",
        "global { tpye=x } pattern { X [] }",
    ],
)
def test_names_of_ud_have_no_note(pattern):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gp.search(read(GIVE), pattern).count()


def test_names_that_were_found_have_no_note(monkeypatch):
    monkeypatch.setattr(searching, "CHUNK", 1)
    monkeypatch.setattr(searching, "MOST_VALUES", 1)         # a new vocabulary for each sentence
    pattern = Pattern("X [upos=ZZ, Numbr=Sing, Tense=Pst]; Y -[nsbj:tmd]-> X; X [Transliteration]")
    for sentences in (read(OWN, GIVE), read(GIVE, OWN), Index(read(GIVE, OWN))):
        matches = gp.search(sentences, pattern)
        assert (matches.count(), matches.notes) == (1, [])
    matches = gp.search(read(GIVE), pattern)
    assert (matches.count(), len(matches.notes)) == (0, 5)


def test_a_search_that_stops_early_has_no_note():
    pattern = Pattern("X [upos=VREB|VERB|NOUN]")
    matches = gp.search(read(GIVE), pattern, limit=1)
    assert (matches.count(), matches.notes) == (1, [])
    nothing = gp.search([], pattern)
    assert (nothing.count(), nothing.notes) == (0, [])
