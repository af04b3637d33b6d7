"""tools/catalogue.py: the catalogue from a release of Universal Dependencies."""

import sys

import pytest

from gardenpath.catalogue import reading
from gardenpath.catalogue.entries import LanguageEntry, TreebankEntry
from scripts import TOOLS, load_script

# Not a plain import: spaCy depends on another module of this name.
tool = load_script(TOOLS / "catalogue.py")

README = "# Summary\n\n=== Machine-readable metadata ===\nLicense: {licence}\nGenre: {genre}\n===\n"
WORD = "1\t{form}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def release_of(folder, **treebanks):
    for name, (code, sizes, licence) in treebanks.items():
        place = folder / f"UD_{name.replace('__', '-')}"
        place.mkdir(parents=True)
        (place / "README.md").write_text(README.format(licence=licence, genre="news wiki"))
        for part, size in sizes.items():
            (place / f"{code}-ud-{part}.conllu").write_text(WORD.format(form="Ja") * size)
    return folder


def written(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["catalogue.py", *map(str, arguments)])
    tool.main()


def test_a_release(tmp_path, monkeypatch):
    folder = release_of(
        tmp_path / "ud", German__GSD=("de_gsd", {"train": 5, "test": 2}, "CC BY-SA 4.0"),
        German__New=("de_new", {"train": 50, "dev": 1}, "CC BY-NC 4.0"), Klingon__Qo=("tlh_qo", {"test": 1}, "PD"),
    )
    written(monkeypatch, folder, "--release", "2.99", "-o", tmp_path / "out.json")
    release, languages = reading.read(tmp_path / "out.json")
    assert (release, [language.name for language in languages]) == ("2.99", ["German", "Klingon"])
    german = languages[0]
    assert (german.own_name, german.iso3, german.recommended.name) == ("Deutsch", "deu", "UD_German-GSD")
    new = german.treebanks[1]
    assert (new.code, new.licence, new.genres) == ("de_new", "CC BY-NC 4.0", ("news", "wiki"))
    assert (new.words, new.words_release, new.files_release, list(new.files)) == (51, "2.99", "2.99", ["train", "dev"])
    assert languages[1].recommended is None


def test_some_treebanks_of_a_release(tmp_path, monkeypatch):
    folder = release_of(tmp_path / "ud", Latvian__LVTB=("lv_lvtb", {"train": 3}, ""))
    written(monkeypatch, folder, "--release", "2.99", "--keep", "-o", tmp_path / "out.json")
    release, languages = reading.read(tmp_path / "out.json")
    assert (release, sum(len(language.treebanks) for language in languages)) == ("2.16", 319)
    latvian = next(language for language in languages if language.code == "lv").recommended
    assert (latvian.words, latvian.words_release, latvian.licence) == (3, "2.99", "CC BY-SA 4.0")


def treebank(name, size, licence="CC BY-SA 4.0", text=True):
    files = {"train": size} if size else {"test": 1}
    return TreebankEntry(name, f"xx_{name.lower()}", "X", licence, files=files, has_text=text)


@pytest.mark.parametrize("treebanks, expected", [
    ([treebank("A", 10), treebank("B", 20)], "B"),
    ([treebank("A", 10), treebank("B", 20, "CC BY-NC-SA 4.0")], "A"),
    ([treebank("A", 9), treebank("B", 20, "CC BY-NC-SA 4.0")], "B"),
    ([treebank("A", 9), treebank("B", 10, "CC BY-ND 4.0")], "A"),
    ([treebank("A", 0), treebank("B", 10, text=False)], None),
])
def test_the_recommended_treebank(treebanks, expected):
    found = tool.recommended(treebanks)
    assert (found and found.name) == expected
    language = tool.arranged(LanguageEntry("X", "xx", treebanks=tuple(treebanks)))
    assert (language.recommended and language.recommended.name) == expected


def test_preferred_treebanks_exist():
    _, languages = reading.read(reading.FILE)
    recommended = {language.name: language.recommended for language in languages}
    assert {name: recommended[name].name for name in tool.PREFERRED} == tool.PREFERRED


def test_words_that_are_left_out(tmp_path):
    folder = release_of(tmp_path / "ud", German__GSD=("de_gsd", {"train": 1}, "PD")) / "UD_German-GSD"
    (folder / "de_gsd-ud-train.conllu").write_text(WORD.format(form="_"))
    assert tool.from_folder(folder, "2.99").has_text is False
