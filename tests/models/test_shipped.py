"""The shipped models: found by their names, small, with their licence, and able to parse."""

import pytest

import gardenpath as gp
from gardenpath.models import lookup, shipped
from gardenpath.models.languages import own_language
from gardenpath.trees import is_tree

SCORERS = {"en": "network", "en-fast": "perceptron"}
# For each other language: a name of it, the treebank, a part of the citation, a sentence, its words and its root.
LANGUAGES = {
    "fr_sequoia": (
        "French", "UD French-Sequoia 2.16", "Candito", "Elle travaille du matin au soir.",
        "Elle travaille de le matin à le soir .", "travaille",
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
        "Vietnamese", "UD Vietnamese-VTB 2025-11", "Nguyen", "Tôi đang đọc một quyển sách.",
        "Tôi đang đọc một quyển sách .", "đọc",
    ),
}
# Short ordinary texts: words with capitals, loanwords, words of chats and headlines among them.
ORDINARY = {
    "English": (
        "Good morning!", "Where is the station?", "London, 3 May 2024", "lol that film was great", "carrot cake recipe",
        "President Macron meets Angela Merkel in Berlin", "She said that she would not come.",
        "computer software online",
    ),
    "French": (
        "Bonjour !", "Où est la gare ?", "Paris, le 3 mai 2024", "lol trop bien ce film",
        "recette de la tarte aux pommes", "Emmanuel Macron rencontre Angela Merkel à Berlin",
        "Elle lui a dit qu'elle ne viendrait pas.", "week-end parking football",
    ),
    "Indonesian": (
        "Selamat pagi.", "Di mana stasiun kereta?", "Jakarta, 3 Mei 2024", "gue lagi di rumah nih", "resep ayam goreng",
        "Presiden Joko Widodo bertemu Angela Merkel di Berlin", "Dia bilang tidak akan datang.",
        "komputer internet program",
    ),
    "Portuguese": (
        "Bom dia!", "Onde fica a estação?", "Lisboa, 3 de maio de 2024", "vc tá bem?", "receita de bolo de cenoura",
        "O presidente Lula encontrou Angela Merkel em Berlim", "Ela disse que não viria.", "marketing software online",
    ),
    "Vietnamese": (
        "Xin chào!", "Nhà ga ở đâu?", "Hà Nội, ngày 3 tháng 5 năm 2024", "cách nấu phở bò", "Đi thôi!",
        "Thủ tướng Đức đến thăm Việt Nam", "Cô ấy nói rằng cô ấy sẽ không đến.", "máy tính và điện thoại",
    ),
}
SENTENCES = {
    "English": "The dog saw the cat and ran into the garden with the children, because it was not raining any more.",
    "French": "Le chien a vu le chat et il est allé dans le jardin avec les enfants, parce qu'il ne pleuvait plus.",
    "Indonesian": "Anjing itu melihat kucing dan lari ke kebun dengan anak-anak, karena hujan sudah tidak turun lagi.",
    "Portuguese": "O cão viu o gato e foi para o jardim com as crianças, porque já não estava a chover na rua.",
    "Vietnamese": "Con chó nhìn thấy con mèo và chạy vào trong vườn với các em bé, vì trời đã không còn mưa nữa.",
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


@pytest.mark.parametrize("name", [*SCORERS, *LANGUAGES])
def test_text_in_another_language_is_noticed(name):
    nlp = gp.load(name)
    own = own_language(nlp.profile)
    assert [text for text in ORDINARY[own] if nlp.misfit(text)] == []
    assert nlp.misfit(SENTENCES[own]) is None
    for language in SENTENCES.keys() - {own}:
        assert language in nlp.misfit(SENTENCES[language]).languages


def test_names_and_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gp.load("en").save(tmp_path / "en")
    assert lookup.path_of("en") == shipped.FOLDER / "en.gp"
    assert lookup.path_of("./en") == tmp_path.joinpath("en").relative_to(tmp_path)
    with pytest.raises(gp.UsageError, match="no model is called 'tlh'; there are en, en-fast, fr_sequoia, id_csui"):
        gp.load("tlh")
    with pytest.raises(FileNotFoundError):
        gp.load("missing.gp")
