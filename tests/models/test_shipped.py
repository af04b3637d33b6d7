"""The shipped models: found by their names, small, with their licence, and able to parse."""

import pytest

import gardenpath as gp
from gardenpath.models import lookup, shipped
from gardenpath.trees import is_tree

SCORERS = {"en": "network", "en-fast": "perceptron"}
# For each other language: a name of it, the treebank, a part of the citation, a sentence, its words and its root.
LANGUAGES = {
    "fr_sequoia": (
        "French", "UD French-Sequoia 2.16", "Candito", "Le chat dort du matin au soir.",
        "Le chat dort de le matin à le soir .", "dort",
    ),
    "id_csui": (
        "Indonesian", "UD Indonesian-CSUI 2.16", "Alfina", "Saya membaca buku di sekolah.",
        "Saya membaca buku di sekolah .", "membaca",
    ),
    "pt_bosque": (
        "Portuguese", "UD Portuguese-Bosque 2.16", "Rademaker", "A menina leu um livro na escola.",
        "A menina leu um livro em a escola .", "leu",
    ),
    "vi_vtb": (
        "Vietnamese", "UD Vietnamese-VTB 2025-11", "Nguyen", "Tôi đang đọc một quyển sách .",
        "Tôi đang đọc một quyển sách .", "đọc",
    ),
}


@pytest.fixture(scope="module", params=SCORERS)
def nlp(request):
    return gp.load(request.param)


def test_every_shipped_model_is_known():
    assert shipped.names() == sorted([*SCORERS, *LANGUAGES])
    assert {name: gp.load(name).description["settings"]["scorer"] for name in SCORERS} == SCORERS


def test_its_origin_and_size(nlp):
    assert (nlp.description["treebank"], nlp.description["licence"]) == ("UD English-EWT 2.16", "CC BY-SA 4.0")
    assert "Silveira" in nlp.description["citation"]
    assert "GloVe" in nlp.description["citation"]
    assert all(lookup.path_of(name).stat().st_size < 23e6 for name in SCORERS)


def test_it_reads_english(nlp):
    document = nlp("I saw Jack and Jill fall. They weren't hurt, though.\n\nThe old man the boat.")
    assert [len(sentence.tokens) for sentence in document] == [7, 6, 6]
    assert all(is_tree(sentence.heads) for sentence in document)
    first = document.sentences[0]
    assert [(word.form, word.lemma, word.upos) for word in first][:3] == [
        ("I", "I", "PRON"),
        ("saw", "see", "VERB"),
        ("Jack", "Jack", "PROPN"),
    ]
    assert (first.words[1].head, first.words[1].deprel, first.words[0].deprel) == (0, "root", "nsubj")
    assert [(token.form, token.first, token.last) for token in document.sentences[1].ranges] == [("weren't", 2, 3)]
    assert [(word.start, word.end) for word in first][:2] == [(0, 1), (2, 5)]


@pytest.mark.parametrize("name", LANGUAGES)
def test_models_of_other_languages(name):
    language, treebank, author, text, words, root = LANGUAGES[name]
    nlp = gp.load(language)
    assert nlp.description["treebank"] == treebank
    assert nlp.description["licence"]
    assert author in nlp.description["citation"]
    assert lookup.path_of(name).stat().st_size < 13e6
    (sentence,) = nlp(text)
    assert " ".join(word.form for word in sentence) == words
    assert is_tree(sentence.heads)
    assert sentence.root.form == root


def test_names_and_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gp.load("en").save(tmp_path / "en")
    assert lookup.path_of("en") == shipped.FOLDER / "en.gp"
    assert lookup.path_of("./en") == tmp_path.joinpath("en").relative_to(tmp_path)
    with pytest.raises(gp.UsageError, match="no model is called 'tlh'; there are en, en-fast, fr_sequoia, id_csui"):
        gp.load("tlh")
    with pytest.raises(FileNotFoundError):
        gp.load("missing.gp")
