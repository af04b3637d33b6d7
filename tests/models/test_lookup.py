"""Models are found by the names of models, treebanks and languages; installing is checked and atomic."""

import os
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath import plugins
from gardenpath.models import installed, lookup, packaged, shipped
from gardenpath.web.served import ServedModels
from sample import TRAIN

FAST = shipped.FOLDER / "en-fast.gp"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.gp"
    gp.train(TRAIN, epochs=1, min_updates=1).save(path)
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder for installed models, which does not exist yet."""
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def having(folder, small):
    """Install a small model under each of these names."""
    def call(*names):
        for name in names:
            installed.install(small, name)

    return call


def found(name):
    return lookup.path_of(name).stem


def test_the_directory(folder, monkeypatch):
    assert (installed.directory(), installed.directory("x"), installed.names()) == (folder, Path("x"), [])
    monkeypatch.delenv(installed.VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert installed.directory().parts[-2:] == ("gardenpath", "models")


def test_which_model_a_language_means(having):
    assert [found(name) for name in ("en", "English", "eng", "en_ewt", "en-fast")] == [*["en"] * 4, "en-fast"]
    having("de_hdt-fast")
    assert [found(name) for name in ("de", "German", "Deutsch", "deu", "de-fast", "de_hdt")] == ["de_hdt-fast"] * 6
    having("de_gsd-fast")
    assert [found(name) for name in ("de", "Deutsch", "de_hdt")] == ["de_gsd-fast", "de_gsd-fast", "de_hdt-fast"]
    having("de_gsd")
    names = ("de", "German", "UD_German-GSD", "German-GSD", "de_gsd", "de_gsd-fast", "German-fast", "de-fast")
    assert [found(name) for name in names] == ["de_gsd"] * 5 + ["de_gsd-fast"] * 3
    having("de")
    assert [found(name) for name in ("de", "German", "de_gsd")] == ["de", "de", "de_gsd"]


def test_an_installed_model_replaces_a_shipped_one_of_the_same_name(having, folder):
    having("en")
    assert lookup.path_of("en") == folder / "en.gp"
    assert [(model.name, model.origin) for model in lookup.available()][:2] == [
        ("en", "installed"), ("en-fast", "shipped"),
    ]
    installed.remove("en")
    assert lookup.path_of("en") == shipped.FOLDER / "en.gp"


def test_the_server_and_the_library_find_installed_models(having):
    having("lv_lvtb-fast")
    assert gp.load("Latvian").about.treebank == "sample-train"
    assert ServedModels.load(["latviešu"]).default.model.about.treebank == "sample-train"


@pytest.mark.parametrize("name, message", [
    ("de", r"no model for German \(Deutsch\) yet; .* UD_German-GSD with `gardenpath models make de`, or install"),
    ("Latvian-fast", r"no fast model for Latvian .* `gardenpath models make Latvian`"),
    ("de_hdt", r"no model for UD German-HDT yet; .* `gardenpath models make de_hdt`"),
    ("Abaza", r"no treebank of it is known to have a training set; see `gardenpath treebank list abq`"),
    ("Germn", r"no model is called 'Germn'; did you mean German\?"),
    ("en-fats", r"no model is called 'en-fats'; did you mean en-fast"),
    ("", "the name of the model is empty"),
    ("tlh", "no model is called 'tlh'; there are en, en-fast, .*; `gardenpath models list` shows more"),
])
def test_models_that_do_not_exist(name, message):
    with pytest.raises(gp.UsageError, match=message):
        gp.load(name)


def test_a_folder_is_no_model():
    with pytest.raises(gp.InputError, match="this is a folder; give the path of a model file"):
        gp.load(".")


def test_a_file_in_the_current_folder_and_a_path(having, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    having("de_gsd")
    (tmp_path / "German").write_bytes(small.read_bytes())
    assert lookup.path_of("German") == Path("German")
    assert lookup.path_of("de_gsd") == installed.place("de_gsd")
    assert lookup.path_of("./de_gsd") == Path("de_gsd")
    (tmp_path / "deutsch").mkdir()                  # a folder of texts
    assert lookup.path_of("deutsch") == installed.place("de_gsd")


def test_folders_that_cannot_be_written_to(small, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    message = "models cannot be installed in this folder .*; choose another one with --folder or .* GARDENPATH_MODELS"
    with pytest.raises(gp.UsageError, match=message):
        installed.install(small, "de", tmp_path / "file" / "models")
    monkeypatch.setattr(installed.os, "access", lambda path, mode: False)        # root may write everywhere
    with pytest.raises(gp.UsageError, match=message):
        installed.install(small, "de", tmp_path / "models")


def test_installing_twice(having, small, folder):
    having("x")
    with pytest.raises(gp.UsageError, match=r"a model x is already installed .* --force"):
        installed.install(small, "x")
    assert installed.install(FAST, "x", replace=True).stat().st_size == FAST.stat().st_size
    assert os.listdir(folder) == ["x.gp"]


@pytest.mark.parametrize("change", ["cut", "longer", "altered", "text", "empty"])
def test_files_that_are_not_models_are_refused(small, folder, tmp_path, change):
    data = small.read_bytes()
    bad = tmp_path / "bad.gp"
    middle = len(data) // 2
    bad.write_bytes({
        "cut": data[:-1000], "longer": data + b"x", "text": b"<html>not found</html>" * 10, "empty": b"",
        "altered": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:],
    }[change])
    installed.install(small, "x")
    with pytest.raises(gp.InputError, match=r"bad\.gp: not a usable gardenpath model"):
        installed.install(bad, "x", replace=True)
    assert os.listdir(folder) == ["x.gp"]
    assert (folder / "x.gp").read_bytes() == data


@pytest.mark.parametrize("scores", [{"LAS": "x"}, {"LAS": None}, [1], "LAS"])
def test_scores_that_are_not_numbers_are_refused(small, tmp_path, scores):
    gp.load(small).described(test_scores=scores).save(tmp_path / "bad.gp")
    with pytest.raises(gp.InputError, match="'test_scores' of the description is not valid"):
        gp.load(tmp_path / "bad.gp")


@pytest.mark.parametrize("name", ["../x", "a/b", "", "-x", "x.gp", "a b", "x\n"])
def test_names_that_are_not_possible(name, small):
    with pytest.raises(gp.UsageError, match="cannot be the name of a model"):
        installed.install(small, name)


def test_removing(having):
    having("x", "y")
    installed.remove("x")
    assert installed.names() == ["y"]
    with pytest.raises(gp.UsageError, match=r"no model x is installed in .*; there are y"):
        installed.remove("x")


class Point:
    """An entry point of a Python package."""

    def __init__(self, name, target):
        self.name, self.value, self.load = name, "package:PATH", lambda: target


def test_models_in_python_packages(small, monkeypatch):
    points = {"fo_oft": Point("fo_oft", small), "ga_idt": Point("ga_idt", lambda: str(small)), "bad": Point("bad", 1)}
    monkeypatch.setattr(plugins, "entry_points", lambda group: points if group == packaged.GROUP else {})
    assert [lookup.path_of(name) for name in ("fo_oft", "Faroese", "Gaeilge")] == [small] * 3
    assert lookup.find("ga_idt").origin == "package"
    with pytest.raises(gp.UsageError, match=r"the entry point 'bad' of gardenpath.models must be the path of a model"):
        gp.load("bad")
    with pytest.warns(gp.GardenpathWarning, match="the entry point 'bad'"):
        assert {"fo_oft", "ga_idt"} == {model.name for model in lookup.available()} - set(shipped.names())
