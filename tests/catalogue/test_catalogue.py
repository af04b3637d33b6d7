"""The catalogue: complete and consistent, and its languages are found by all their names."""

import re
from collections import Counter
from pathlib import Path

import pytest

from gardenpath import catalogue
from gardenpath.catalogue import reading
from gardenpath.catalogue.entries import PARTS, archive_url
from gardenpath.errors import UsageError

# Languages with a name of their own in CLDR and a code in ISO 639-1 or ISO 639-3: more than 100.
NAMED = [language for language in catalogue.languages() if language.own_name and language.iso3]
# Names as people know them, not as the catalogue has them.
HUNDRED = [
    line.split("\t") for line in Path(__file__).with_name("hundred.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def test_its_size():
    assert catalogue.release() == "2.16"
    assert (len(catalogue.languages()), len(catalogue.treebanks())) == (179, 319)
    assert len(NAMED) >= 100
    assert sum(language.recommended is not None for language in catalogue.languages()) > 80


@pytest.mark.parametrize("language", NAMED, ids=lambda language: language.code)
def test_a_language_is_found_by_all_its_names(language):
    for name in (language.name, language.own_name, language.iso1, language.iso3, language.code, *language.aliases):
        if name:
            assert catalogue.find_language(name) == language
            assert catalogue.find_language(name.upper()) == language


@pytest.mark.parametrize("name, own_name, iso1, iso3", HUNDRED, ids=lambda value: value)
def test_a_hundred_languages(name, own_name, iso1, iso3):
    """By the name in English, the own name, ISO 639-1 and ISO 639-3."""
    language = catalogue.find_language(name)
    assert (language.name, language.iso1, language.iso3) == (name, iso1 or None, iso3)
    assert [catalogue.find_language(each) for each in (own_name, iso1, iso3) if each] == [language] * (3 if iso1 else 2)


def test_the_hundred_languages_are_a_hundred():
    """All but one of the languages with a code in ISO 639-1, and some of the others."""
    assert len({name for name, *_ in HUNDRED}) == 100
    assert sum(bool(iso1) for _, _, iso1, _ in HUNDRED) == 88
    assert sum(bool(language.iso1) for language in catalogue.languages()) == 89


@pytest.mark.parametrize("name, code", [
    ("francais", "fr"), ("Farsi", "fa"), ("Old-Church Slavonic", "cu"), ("northern sami", "sme"), ("se", "sme"),
    (" German ", "de"), ("Haitian_Creole", "ht"), ("avañe'ẽ", "gn"), ("avañeʼẽ", "gn"), ("ger", "de"), ("arb", "ar"),
    ("Kurdish", "kmr"), ("ku", "kmr"), ("pt-BR", "pt"), ("zh_Hant_TW", "zh"), ("es-419", "es"), ("sr-Latn", "sr"),
    ("UD_Latvian", "lv"), ("Slovene", "sl"), ("Mandarin Chinese", "zh"), ("汉语", "zh"), ("Brazilian Portuguese", "pt"),
])
def test_other_spellings(name, code):
    assert catalogue.find_language(name).code == code


def test_codes_that_are_no_locales():
    assert [catalogue.find_language(name) for name in (
        "de-gsd", "cs_cltt", "kmr_mg", "kmr-mg", "lv_lvbt", "pt-x", "xx-BR", "pt-BR-US",
    )] == [None] * 8


def test_names_are_unambiguous():
    names = Counter(
        name for language in catalogue.languages() for name in {name.casefold() for name in language.names()}
    )
    assert [name for name, count in names.items() if count > 1] == []
    treebanks = catalogue.treebanks()
    assert len({treebank.code for treebank in treebanks}) == len({treebank.name for treebank in treebanks}) == 319


def test_every_entry_is_well_formed():
    for language in catalogue.languages():
        assert re.fullmatch(r"[a-z]{2,3}", language.code)
        assert language.iso1 is None or re.fullmatch(r"[a-z]{2}", language.iso1)
        assert language.iso3 is None or re.fullmatch(r"[a-z]{3}", language.iso3)
        assert sum(treebank.is_recommended for treebank in language.treebanks) <= 1
        for treebank in language.treebanks:
            assert treebank.name.startswith(f"UD_{language.name.replace(' ', '_')}-")
            assert treebank.code == f"{language.code}_{treebank.name.partition('-')[2].lower()}"
            assert treebank.licence
            assert treebank.words is None or (treebank.words > 0 and treebank.words_release)
            assert list(treebank.files) == [part for part in PARTS if part in treebank.files]
            assert not treebank.is_recommended or (treebank.can_train and treebank == language.recommended)


def test_treebanks_are_found_by_their_names():
    german = catalogue.find_treebank("UD_German-GSD")
    assert german == catalogue.find_treebank("de_gsd") == catalogue.find_treebank("german-gsd")
    assert (german.title, german.page) == ("UD German-GSD", "https://github.com/UniversalDependencies/UD_German-GSD")
    assert archive_url(german.name, "2.16").endswith("/UD_German-GSD/archive/refs/tags/r2.16.tar.gz")
    assert catalogue.find_treebank("nb").code == "no_bokmaal"
    assert catalogue.find_treebank("German") is None


def test_the_choice_of_a_treebank():
    assert catalogue.choose("Deutsch").code == "de_gsd"
    assert catalogue.choose("de_hdt").name == "UD_German-HDT"
    assert catalogue.choose("Czech").is_non_commercial is False
    assert catalogue.find_treebank("it_isdt").is_non_commercial
    with pytest.raises(UsageError, match=r"no treebank of Abaza is known to have a training set; .* UD_Abaza-ATB"):
        catalogue.choose("Abaza")


def test_treebanks_without_text_cannot_train():
    hidden = catalogue.find_treebank("ja_bccwj")
    assert (hidden.has_text, hidden.can_train) == (False, False)
    assert catalogue.find_treebank("abq_atb").can_train is None
    assert catalogue.find_treebank("en_pud").can_train is False


@pytest.mark.parametrize("name, expected", [
    ("Germn", "German"), ("Latvain", "Latvian"), ("Türkce", "Türkçe"), ("de_gds", "de_gsd"),
    ("UD_French-Sequioa", "UD_French-Sequoia"),
])
def test_suggestions_for_misspelt_names(name, expected):
    assert expected in catalogue.suggestions(name)
    if catalogue.find_language(name) is None:
        with pytest.raises(UsageError, match=f"did you mean .*{expected}"):
            catalogue.choose(name)


def test_no_suggestions():
    assert catalogue.suggestions("xq") == []
    with pytest.raises(UsageError, match="'xyzzy'; `gardenpath treebank list` shows all names"):
        catalogue.choose("xyzzy")


def test_the_file_is_written_as_it_is_read(tmp_path):
    release, languages = reading.read(reading.FILE)
    reading.write(tmp_path / "again.json", release, languages)
    assert (tmp_path / "again.json").read_bytes() == reading.FILE.read_bytes()
