"""Documents as JSON, displaCy, DOT, tikz-dependency and data frames: round trips and escapes."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath import Document, EmptyNode, InputError, Sentence, Token, UsageError, Word, read_conllu
from gardenpath.formats import frame
from sample import DEV

SAMPLE = Document.of(read_conllu(DEV))
DOGS = Sentence(
    [
        Word(1, "Dogs", "dog", "NOUN", "NNS", "Number=Plur", 3, "nsubj", "3:nsubj", "_", 0, 4),
        Word(2, "do", "do", "AUX", "VBP", "_", 3, "aux", start=5, end=10),
        Word(3, "_", "_", "VERB", "VB", "fem|sg", 0, "root", misc="SpaceAfter=No|Gloss=a=b"),
    ],
    ["# sent_id = dogs-1", "# text = Dogs don't = _", "# newpar", "# note = one", "# note = two"],
    [Token(2, 3, "don't", ("_",) * 3 + ("Typo=Yes",) + ("_",) * 4, 5, 10)],
    [EmptyNode(0, 1, "they", ("they", *("_",) * 7))],
)


def nodes(sentence):
    return [node.columns() for node in sentence.nodes()]


def test_repr_is_short():
    assert repr(DOGS) == "<Sentence of 3 words: Dogs don't = _>"
    assert repr(Sentence([Word(1, "Stop"), Word(2, "!")])) == "<Sentence of 2 words: Stop !>"
    assert str(Document([DOGS])) == "<Document of 1 sentence, 3 words>"
    assert repr(SAMPLE) == "<Document of 80 sentences, 911 words>"


# JSON


def test_json_has_plain_values():
    data = json.loads(Document([DOGS]).to_json())
    (sentence,) = data["sentences"]
    assert sentence["metadata"] == {
        "sent_id": "dogs-1", "text": "Dogs don't = _", "newpar": None, "note": ["one", "two"],
    }
    assert sentence["words"][0] == {
        "id": 1, "form": "Dogs", "lemma": "dog", "upos": "NOUN", "xpos": "NNS", "feats": {"Number": "Plur"},
        "head": 3, "deprel": "nsubj", "deps": "3:nsubj", "misc": None, "start": 0, "end": 4,
    }
    assert sentence["words"][2]["form"] == "_"
    assert sentence["words"][2]["lemma"] is None
    assert sentence["words"][2]["feats"] == {"fem": None, "sg": None}
    assert sentence["words"][2]["misc"] == {"SpaceAfter": "No", "Gloss": "a=b"}
    assert "start" not in sentence["words"][2]
    assert sentence["ranges"] == [{"id": [2, 3], "form": "don't", "feats": {"Typo": "Yes"}, "start": 5, "end": 10}]
    assert sentence["empty_nodes"] == [{"id": [0, 1], "form": "they", "lemma": "they"}]
    assert data == Document([DOGS]).to_dict()
    assert sentence == DOGS.to_dict()


def test_json_round_trips():
    (back,) = Document.from_json(Document([DOGS]).to_json())
    assert nodes(back) == nodes(DOGS)
    assert back.comments == DOGS.comments
    assert [(word.start, word.end) for word in back] == [(0, 4), (5, 10), (None, None)]
    assert back.ranges == DOGS.ranges


def test_the_sample_round_trips_through_json():
    assert Document.from_json(SAMPLE.to_json(indent=1)).to_conllu() == SAMPLE.to_conllu()


columns = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=8)
items = st.lists(st.sampled_from(["A=1", "A=2", "B=", "C", "=", "_", ""]), min_size=1)
pairs = st.one_of(columns, items.map(lambda found: "|".join(found) or "_"))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(columns, columns, pairs, st.none() | st.integers(0, 99), pairs), min_size=1, max_size=4))
def test_random_columns_round_trip(rows):
    sentence = Sentence([
        Word(i, form, lemma, feats=feats, head=head, misc=misc)
        for i, (form, lemma, feats, head, misc) in enumerate(rows, 1)
    ])
    (back,) = Document.from_json(Document([sentence]).to_json())
    assert nodes(back) == nodes(sentence)


@pytest.mark.parametrize("comment", ["#", "# newdoc", "# text = ", "# text = a = b", "# a b = c"])
def test_comments_round_trip(comment):
    (back,) = Document.from_json(Document([Sentence([Word(1, "a")], [comment])]).to_json())
    assert back.comments == [comment]


def test_empty_documents_round_trip():
    assert Document.from_json(Document().to_json()) == Document()
    assert [len(sentence) for sentence in Document.from_json(Document([Sentence()]).to_json())] == [0]


TEXTS = {
    "{": "JSON: ",
    '{"sentences": [': "JSON: ",
    "[" * 100_000: "JSON: ",
    "[]": "JSON should be an object",
    '{"sentences": {}}': "JSON: `sentences` should be a list",
    '{"sentences": [3]}': "JSON: sentence 1 should be an object",
    '{"sentences": [{"words": ["a"]}]}': "JSON: sentence 1: word 1 should be an object",
}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:40])
def test_json_that_is_not_a_document_raises_an_error(text):
    with pytest.raises(InputError, match=re.escape(TEXTS[text])):
        Document.from_json(text)


@pytest.mark.parametrize("word, fault", [
    ({"id": None}, "word 1: `id` should be a whole number"),
    ({"id": True}, "word 1: `id` should be a whole number"),
    ({"id": 2}, "as CoNLL-U:1: id 2 where 1 is expected"),
    ({"form": 5}, "word 1: `form` should be a string"),
    ({"form": "a\tb"}, "as CoNLL-U:1: 11 columns instead of 10"),
    ({"form": "\ud800"}, "not UTF-8"),
    ({"head": "2"}, "word 1: `head` should be a whole number or null"),
    ({"head": -2}, "HEAD '-2' is not a word number"),
    ({"feats": {"A": 1}}, "word 1: `feats` should be"),
    ({"start": "0"}, "word 1: `start` should be a whole number"),
    ({"start": 10**30}, "word 1: `start` should be a whole number or null, of at most 64 bits"),
    ({"head": 10**15}, "HEAD '1000000000000000' is not a word number"),
    ({"form": "a\n2" + 9 * "\t_"}, "as CoNLL-U"),
    ({"misc": "_\n2" + 9 * "\t_"}, "a column contains a line break or a tab"),
])
def test_errors_in_words(word, fault):
    text = json.dumps({"sentences": [{"words": [{"id": 1, "form": "a"} | word]}]})
    with pytest.raises(InputError, match=f"^JSON: sentence 1.*{re.escape(fault)}"):
        Document.from_json(text)


@pytest.mark.parametrize("part, fault", [
    ({"metadata": []}, "`metadata` should be an object"),
    ({"metadata": {"a": 1}}, "`metadata` should be an object of strings"),
    ({"ranges": [{"id": "1-2", "form": "a"}]}, "range 1: `id` should be two numbers"),
    ({"ranges": [{"id": [1, 2], "form": "a"}]}, "range 1-2 reaches beyond the last word 1"),
    ({"ranges": [{"id": [7, 8], "form": "a"}]}, "the `id` of a range or an empty node does not fit any word"),
    ({"empty_nodes": [{"id": [7, 1], "form": "a"}]}, "the `id` of a range or an empty node does not fit any word"),
])
def test_errors_in_sentences(part, fault):
    text = json.dumps({"sentences": [{"words": [{"id": 1, "form": "a"}], **part}]})
    with pytest.raises(InputError, match=f"^JSON: sentence 1.*{re.escape(fault)}"):
        Document.from_json(text)


# displaCy


def test_displacy_words_and_arcs():
    assert DOGS.to_displacy() == {
        "words": [
            {"text": "Dogs", "tag": "NOUN", "lemma": None}, {"text": "do", "tag": "AUX", "lemma": None},
            {"text": "_", "tag": "VERB", "lemma": None},
        ],
        "arcs": [
            {"start": 0, "end": 2, "label": "nsubj", "dir": "left"},
            {"start": 1, "end": 2, "label": "aux", "dir": "left"},
        ],
        "settings": {"direction": "ltr"},
    }
    assert [word["lemma"] for word in DOGS.to_displacy(lemmas=True)["words"]] == ["dog", "do", ""]


def test_displacy_arcs_to_the_right_and_right_to_left():
    hebrew = Sentence([Word(1, "קראה", head=0, deprel="root"), Word(2, "ספר", head=1, deprel="obj")]).to_displacy()
    assert hebrew["arcs"] == [{"start": 0, "end": 1, "label": "obj", "dir": "right"}]
    assert hebrew["settings"] == {"direction": "rtl"}


def test_displacy_renders_the_trees():
    displacy = pytest.importorskip("spacy.displacy", reason="spaCy is not installed")
    document = Document([*SAMPLE.sentences[:5], DOGS, Sentence([Word(1, "a<b")]), Sentence()])
    html = displacy.render(document.to_displacy(), style="dep", manual=True, jupyter=False)
    assert html.count("<svg") == len(document)
    assert html.count('class="displacy-arrow"') == sum(len(sentence.to_displacy()["arcs"]) for sentence in document)
    assert "a&lt;b" in html


# DOT


def test_dot():
    text = Document([DOGS, DOGS]).to_dot()
    assert text.count("subgraph") == 2
    assert '    s1w1 [label="Dogs\\nNOUN"];\n' in text
    assert '    s1w3 -> s1w1 [label="nsubj"];\n' in text
    assert '    s2w0 -> s2w3 [label="root"];\n' in text
    assert 'label="dogs-1";' in text


def test_dot_escapes():
    odd = Sentence([Word(1, 'a"b\\N&lt;\x00', head=2, deprel='"]; x'), Word(2, "b")]).to_dot()
    assert 's1w1 [label="a\\"b\\\\N&amp;lt;\ufffd"];' in odd
    assert 's1w2 -> s1w1 [label="\\"]; x"];' in odd
    strings = re.sub(r'"(?:[^"\\]|\\.)*"', "", odd)
    assert '"' not in strings
    assert strings.count("{") == strings.count("}") == 2


@pytest.mark.parametrize(
    "empty", [Document(), Document([Sentence()]), Sentence()], ids=["document", "document of one", "sentence"],
)
def test_dot_without_words(empty):
    text = empty.to_dot()
    assert text.startswith("digraph {\n")
    assert text.count("{") == text.count("}")
    assert "->" not in text


# tikz-dependency


def test_tikz():
    assert DOGS.to_tikz() == r"""\begin{dependency}
\begin{deptext}[column sep=1em]
Dogs \& do \& \_ \\
NOUN \& AUX \& VERB \\
\end{deptext}
\deproot{3}{root}
\depedge{3}{1}{nsubj}
\depedge{3}{2}{aux}
\end{dependency}
"""


@pytest.mark.parametrize("form, escaped", [
    ("100%", r"100\%"), ("R&D", r"R\symbol{38}D"), ("\\&", r"\textbackslash{}\symbol{38}"),
    ("{$x_1^2$}#", r"\{\$x\_1\textasciicircum{}2\$\}\#"),
    ("[gap]", "{[}gap]"), ("--", "-{}-"), ("---", "-{}-{}-"), ("e-mail", "e-mail"),
    ("~`<|>", r"\textasciitilde{}\textasciigrave{}\textless{}\textbar{}\textgreater{}"),
])
def test_tikz_escapes(form, escaped):
    text = Sentence([Word(1, form, head=2, deprel=form), Word(2, "x")]).to_tikz().splitlines()
    assert text[2] == escaped + r" \& x \\"
    assert text[4] == rf"\depedge{{2}}{{1}}{{{escaped}}}"


def test_tikz_of_a_document():
    assert Document([DOGS, DOGS]).to_tikz().count(r"\begin{dependency}") == 2
    assert Sentence().to_tikz() == "\\begin{dependency}\n\\end{dependency}\n"
    assert Document().to_tikz() == ""


# Data frames


@pytest.fixture(params=["pandas", "polars"])
def library(request, monkeypatch):
    """Use each library in turn, as if the other were not installed."""
    module = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    monkeypatch.setattr(frame, "_library", lambda: module)
    return module


def test_data_frames(library):
    table = Document([DOGS, DOGS]).to_dataframe()
    assert isinstance(table, library.DataFrame)
    assert tuple(table.columns) == frame.WORDS
    assert list(table["sentence"]) == [1, 1, 1, 2, 2, 2]
    assert list(table["sent_id"]) == ["dogs-1"] * 6
    assert list(table["form"]) == ["Dogs", "do", "_"] * 2
    assert list(table["head"]) == [3, 3, 0] * 2
    assert list(table["lemma"])[:2] == ["dog", "do"]
    missing = table["start"].isna() if library.__name__ == "pandas" else table["start"].is_null()
    assert list(missing) == [False, False, True] * 2


def test_column_types_do_not_depend_on_the_values(library):
    full, empty = Document([DOGS]).to_dataframe(), Sentence().to_dataframe()
    bare = Sentence([Word(1, "a")]).to_dataframe()
    assert list(full.dtypes) == list(empty.dtypes) == list(bare.dtypes)
    assert [len(table) for table in (full, empty, bare)] == [3, 0, 1]


def test_complete_data_frames_round_trip(library):
    table = Document([DOGS, *SAMPLE]).to_dataframe(complete=True)
    assert list(table["kind"])[:5] == ["empty", "word", "range", "word", "word"]
    back = Document.from_dataframe(table)
    assert back.to_conllu() == DOGS.to_conllu() + SAMPLE.to_conllu()
    assert back.sentences[0].ranges == DOGS.ranges
    assert [(word.start, word.end) for word in back.sentences[0]] == [(0, 4), (5, 10), (None, None)]


def test_data_frames_of_words_keep_the_words(library):
    (back,) = Document.from_dataframe(DOGS.to_dataframe())
    assert back.to_conllu() == Sentence(DOGS.words, ["# sent_id = dogs-1"]).to_conllu()


def test_data_frames_from_other_sources_are_read(library):
    """Read only some of the columns, with whole numbers as floats if some are missing, as in pandas."""
    table = library.DataFrame({
        "sentence": [1, 1, 2], "id": [1, 2, 1], "form": ["a", "b", "c"], "head": [2.0, None, 0.0],
        "more": [None, {}, []],
    })
    assert [[word.columns() for word in sentence] for sentence in Document.from_dataframe(table)] == [
        [Word(1, "a", head=2).columns(), Word(2, "b").columns()], [Word(1, "c", head=0).columns()],
    ]


@pytest.mark.parametrize("column, values, fault", [
    ("head", [0.5], "the column `head` must hold whole numbers or missing values, but holds float"),
    ("head", ["1"], "but holds str"), ("upos", [1], "`upos` must hold strings"),
    ("id", [2], "id 2 where 1 is expected"), ("id", [None], "id 'None'"),
    ("kind", ["verb"], "`kind` is 'verb' and must be one of word, range, empty"),
    ("form", ["a\tb"], "11 columns instead of 10"), ("lemma", [""], "column 3 is empty"),
    ("misc", ["_\n2" + 9 * "\t_"], "a value contains a line break"),
    ("comments", ["no comment"], "1 column instead of 10"),
    ("conf_upos", ["a"], "`conf_upos` must hold numbers from 0 to 1"),
    ("conf_upos", [2.0], "`conf_upos` must hold numbers from 0 to 1"),
    ("head", [float("inf")], "`head` must hold whole numbers"),
    ("start", [1e30], "`start` must hold whole numbers"),
])
def test_errors_in_data_frames(library, column, values, fault):
    table = library.DataFrame({"sentence": [1], "id": [1], "form": ["a"], column: values})
    with pytest.raises(InputError, match=rf"^data frame.*{re.escape(fault)}"):
        Document.from_dataframe(table)


def test_other_tables_raise_an_error(library):
    message = "data frame: there is no column `form`; a table needs at least sentence, id, form"
    with pytest.raises(InputError, match=message):
        Document.from_dataframe(library.DataFrame({"sentence": [1], "id": [1]}))
    with pytest.raises(UsageError, match="list is not a data frame"):
        Document.from_dataframe([])


def test_data_frames_need_a_library(monkeypatch):
    def not_installed(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(frame, "import_module", not_installed)
    with pytest.raises(UsageError, match="pip install pandas"):
        DOGS.to_dataframe()


def test_pandas_comes_before_polars(monkeypatch):
    asked = []
    monkeypatch.setattr(frame, "import_module", asked.append)
    frame._library()
    assert asked == ["pandas"]


@pytest.mark.parametrize("metadata", [{"a\n1" + 9 * "\t_": None}, {"a": "b\nc"}, {"a": ["b", "c\rd"]}])
@pytest.mark.parametrize("words", [[], [{"id": 1, "form": "a"}]])
def test_line_breaks_in_json_metadata_raise_an_error(metadata, words):
    text = json.dumps({"sentences": [{"metadata": metadata, "words": words}]})
    with pytest.raises(InputError, match="sentence 1: `metadata` contains a line break"):
        Document.from_json(text)


def test_heads_of_ranges_and_empty_nodes_survive_json():
    rest = ("_",) * 4 + ("2",) + ("_",) * 3
    sentence = Sentence([Word(1, "a"), Word(2, "b")], [], [Token(1, 2, "ab", rest)], [EmptyNode(2, 1, "c", rest)])
    assert Document.from_json(Document([sentence]).to_json()).to_conllu() == sentence.to_conllu()


def test_numbers_beyond_64_bits_cannot_be_in_a_data_frame():
    with pytest.raises(InputError, match="a word has a value that a data frame cannot represent"):
        Document([Sentence([Word(1, "a", head=10**30)])]).to_dataframe()
    with pytest.raises(InputError, match="a word has a value that a data frame cannot represent"):
        Document([Sentence([Word(1, "a", head="x")])]).to_dataframe()
