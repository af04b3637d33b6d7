"""Text in another language than that of the model gives a warning."""

import subprocess
import sys
import warnings
from itertools import chain

import pytest

import gardenpath as gp
from gardenpath.core.stored import BadModelError
from gardenpath.formats.text import TextPiece, pieces_of
from gardenpath.formats.texts import read_texts
from gardenpath.models import languages, noticing
from gardenpath.models.languages import Misfit, limit, misfit, own_language, table
from gardenpath.models.profile import FEWEST_WORDS, TRIGRAMS, WORDS, Profile, trigrams_of, words_of
from sample import DEV, TEST, TRAIN, trained

GERMAN = "Der Hund hat die Katze gesehen, und sie ist mit dem Jungen in den Garten gelaufen, weil es nicht regnete."
TEXTS = {
    "German": GERMAN,
    "French": "Le chien a vu le chat, et il est allé dans le jardin avec les enfants pour la fête de cette année.",
    "Spanish": "El perro vio al gato en la calle y se fue con los niños para la fiesta que hay en el pueblo.",
    "Turkish": "Köpek kediyi gördü ve çok sevindi, ama bu bir rüya gibi kısa sürdü ve daha sonra her şey değişti.",
    "Latvian": "Suns redzēja kaķi un priecājās par to, bet tas bija tikai sapnis, kas ir jau pēc brīža pagājis.",
    "Russian": "Собака увидела кошку и побежала за ней в сад, но это был только сон, что он видел в эту ночь.",
    "Greek": "Ο σκύλος είδε τη γάτα και έτρεξε στον κήπο με τα παιδιά για να παίξει.",
    "Japanese": "犬は猫を見て、庭の中を走り回った。それは夢だった。",
    "Chinese": "狗看见了猫，就跟着孩子们跑进了花园，但那只是一场梦。",
    "Korean": "개는 고양이를 보고 아이들과 함께 정원으로 달려갔다.",
    "Arabic": "رأى الكلب القطة في الحديقة ثم ذهب إلى البيت مع الأطفال بعد أن انتهى من كل هذا",
}


@pytest.fixture(scope="module")
def sentences():
    return [sentence for path in (TRAIN, DEV, TEST) for sentence in gp.read_conllu(path)]


@pytest.fixture(scope="module")
def model(sentences):
    return trained(tags="predicted").with_profile(sentences)


def test_words_and_trigrams():
    assert words_of("The old man's 3 dogs – “L’été”, (well-known)! ...") == [
        "the", "old", "man", "s", "dogs", "l", "été", "well", "known",
    ]
    assert trigrams_of("cat") == [" ca", "cat", "at "]
    assert trigrams_of("a") == [" a "]


def test_a_profile_is_stored_and_small(model, tmp_path):
    record = model.description["profile"]
    assert Profile.build(record) == model.profile
    assert len(record["words"]) == WORDS
    assert len(record["trigrams"]) <= 3 * TRIGRAMS
    model.save(tmp_path / "model.gp")
    assert gp.load(tmp_path / "model.gp").profile == model.profile
    assert own_language(model.profile) == "English"


def test_training_stores_the_profile_of_the_training_set(sentences, tmp_path):
    gp.write_conllu(sentences, tmp_path / "all.conllu")
    assert gp.train(tmp_path / "all.conllu", epochs=1).profile == Profile.of(sentences)
    small = trained(tags="predicted")
    assert small.profile is None
    assert "profile" not in small.description
    with pytest.raises(gp.InputError, match=f"fewer than {FEWEST_WORDS:,} words"):
        small.with_profile(gp.read_conllu(DEV))


def test_the_fit_of_the_treebank_itself_is_one(model, sentences):
    words = words_of(" ".join(token.form for sentence in sentences for token in sentence.tokens))
    assert model.profile.fit(words) == pytest.approx(1, abs=0.001)
    assert model.profile.fit(words_of(TEXTS["Russian"])) == 0


@pytest.mark.parametrize("language", TEXTS)
def test_other_languages_are_named(model, language):
    found = misfit(model.profile, TEXTS[language])
    assert found.languages == [language]
    assert f"the text is probably {language}, which is not the language of this model; " in str(found)


@pytest.mark.parametrize("text", ["Er ist nicht da.", "Das ist nicht gut."])
def test_a_short_sentence_of_function_words_is_noticed(model, text):
    assert misfit(model.profile, text).languages == ["German"]
    assert misfit(model.profile, f"{text[:-1]} with it.") is None


def test_languages_that_are_alike_are_named_together(model):
    text = "Hunden så katten i haven, og det var en god dag for alle, som er på ferie med de andre i byen."
    assert set(misfit(model.profile, text).languages) == {"Danish", "Norwegian"}


@pytest.mark.parametrize("text", [
    "", "42", "Yes!", "OK.", "Angela Merkel, Emmanuel Macron, Recep Tayyip Erdoğan", "Oslo", "Police arrest man",
    "http://www.example.com/index.html", "The dog saw the cat in the garden and it barked at the old man.",
    "Where did Jörg Müller put the keys of the house?", "!!! ... ???",
])
def test_short_texts_names_and_fitting_texts_cause_no_warning(model, text):
    assert misfit(model.profile, text) is None


def test_every_sentence_of_the_treebank_fits(model, sentences):
    assert [str(each.sent_id) for each in sentences if misfit(model.profile, each.comment("text"))] == []


def test_an_unknown_language_is_noticed_without_a_name(model):
    text = "qwz xkr vpt zzq wvx kkp qqr xzt vvk pqx zrk tqv xxp kzq wrx qpv zkt rqx vzp kqw"
    found = misfit(model.profile, text)
    assert found.languages == []
    assert str(found).startswith("the text does not look like the language of this model")


def test_the_limit_grows_with_the_text():
    limits = [limit(size) for size in (2, 5, 8, 20, 50, 300)]
    assert limits == sorted(limits)
    assert limits[0] == 0
    assert limits[-1] < languages.CLEAR


@pytest.mark.parametrize("call", [
    lambda model: model(GERMAN),
    lambda model: list(model.pipe([GERMAN[:50], GERMAN[50:]])),
    lambda model: list(model.to_conllu(pieces_of(GERMAN))),
    lambda model: list(model.to_sentences(pieces_of(GERMAN))),
    lambda model: model.parse(list(trained(tags="predicted")(GERMAN))),
])
def test_every_way_to_parse_warns_once(model, call):
    with pytest.warns(gp.GardenpathWarning, match="the text is probably German") as caught:
        call(model)
    assert len(caught) == 1


def test_each_file_and_each_row_of_a_table_has_a_warning_of_its_own(model, tmp_path):
    german, french, table = (tmp_path / name for name in ("de.txt", "fr.txt", "both.csv"))
    german.write_text(GERMAN, encoding="utf-8")
    french.write_text(TEXTS["French"], encoding="utf-8")
    table.write_text(f'id,text\nx,"{GERMAN}"\ny,"The dog saw the cat."\nz,"{TEXTS["Turkish"]}"\n', encoding="utf-8")
    inputs = ((german, "text"), (french, "text"), (table, "csv"))
    pieces = chain.from_iterable(read_texts(str(path), kind) for path, kind in inputs)
    with pytest.warns(gp.GardenpathWarning) as caught:
        list(model.to_conllu(pieces))
    assert [str(each.message).partition(", which")[0] for each in caught] == [
        f"{german}: the text is probably German", f"{french}: the text is probably French",
        f"{table}, document x: the text is probably German", f"{table}, document z: the text is probably Turkish",
    ]


def test_the_number_of_warnings_is_limited(model):
    pieces = [TextPiece(GERMAN, 0, False, str(number)) for number in range(noticing.MOST + 5)]
    with pytest.warns(gp.GardenpathWarning) as caught:
        list(model.to_conllu(pieces))
    assert len(caught) == noticing.MOST
    assert str(caught[-1].message).endswith("other documents are not mentioned any more")


def test_the_warning_names_a_model_that_is_there(model, tmp_path, monkeypatch):
    monkeypatch.setenv("GARDENPATH_MODELS", str(tmp_path))
    (tmp_path / "de_hdt-fast.gp").touch()
    assert str(model.misfit(GERMAN)).endswith("; parse it with the model de_hdt-fast")


@pytest.mark.parametrize(("languages", "remedy"), [
    (["Malay", "Latvian"], "`gardenpath models make Latvian` makes a model for it"),
    (["Malay"], "no treebank for a model of it is known"),
    ([], "choose a model for its language"),
])
def test_the_warning_names_no_command_that_fails(languages, remedy):
    assert str(Misfit(0.1, languages)).endswith(f"; {remedy}")


def test_words_that_both_languages_have_count_for_the_other_one(model):
    text = "o livro que a menina deu a ele no dia do jogo não era do pai, mas a mãe disse que o viu no carro"
    assert misfit(model.profile, text).languages[0] in ("Portuguese", "Galician")


def test_results_do_not_depend_on_the_profile(model):
    with warnings.catch_warnings(action="ignore"):
        assert model(GERMAN).to_conllu() == trained(tags="predicted")(GERMAN).to_conllu()


def test_only_the_beginning_counts(model):
    english = "The dog saw the cat in the garden. " * 100
    with warnings.catch_warnings(action="error"):
        model(english + GERMAN)
    with pytest.warns(gp.GardenpathWarning):
        model(GERMAN * 30 + english)


@pytest.mark.parametrize("change", [
    {"words": 3}, {"words": [3]}, {"trigrams": "ab"}, {"trigrams": ["abc"]}, {"trigrams": "abc" * 5000},
    {"words": ["a"] * 5000}, {"word_share": 0}, {"word_share": 2.0}, {"trigram_share": float("nan")},
    {"trigram_share": "1"},
])
def test_a_profile_of_a_file_is_checked(model, change):
    with pytest.raises(BadModelError, match="profile"):
        Profile.build(model.profile.record() | change)


def test_the_table_of_languages():
    names = [language.name for language in table()]
    assert len(names) == len(set(names)) > 60
    for language in table():
        assert len(language.words) >= 15, language.name
        assert all(word == word.lower() and words_of(word) == [word] for word in language.words), language.name


def test_the_command_line(sentences, tmp_path):
    plain, profiled, treebank = (tmp_path / name for name in ("plain.gp", "profiled.gp", "all-train.conllu"))
    trained(tags="predicted").save(plain)
    gp.write_conllu(sentences, treebank)
    gardenpath = [sys.executable, "-m", "gardenpath"]
    done = subprocess.run(
        [*gardenpath, "language", str(plain), str(tmp_path), "-o", str(profiled)], capture_output=True, text=True,
        check=True,
    )
    assert done.stdout == f"wrote {profiled}; language: English\n"
    text = tmp_path / "text.txt"
    text.write_text(GERMAN)
    for model, message in ((plain, ""), (profiled, f"gardenpath: {text}: the text is probably German, which is not")):
        done = subprocess.run(
            [*gardenpath, "parse", "-m", str(model), str(text)], capture_output=True, text=True, check=True
        )
        assert done.stderr.startswith(message)
        assert bool(done.stderr) == bool(message)
