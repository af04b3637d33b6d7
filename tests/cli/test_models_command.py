"""`gardenpath models` and `gardenpath treebank list`."""

import json
import re
import sys

import pytest
from rich.cells import cell_len

from gardenpath.cli.main import main
from gardenpath.models import installed, shipped
from small_treebanks import folder_of

FAST = shipped.FOLDER / "en-fast.gp"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command; return exit code, standard output and standard error."""
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path / "models"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capsys.readouterr()

    return call


def test_the_life_of_a_model(run, tmp_path):
    """Made from a folder, listed, described, used by two names, and removed."""
    place = folder_of(tmp_path / "tb", "lv_lvtb")
    code, output, errors = run("models", "make", "Latvian", "--from", place, "--epochs", 1, "--release", "2.16")
    assert (code, errors.splitlines()) == (0, ["checking UD Latvian-LVTB 2.16", "training", "evaluating on raw text"])
    assert output.startswith("model       lv_lvtb-fast (")
    assert "licence     CC BY-SA 4.0\nscores      UPOS " in output
    assert output.endswith("try         gardenpath parse -m lv_lvtb-fast TEXT.txt\n")
    code, output, _ = run("models", "list", "--language", "lv")
    assert (code, output.splitlines()[3].split()[:4]) == (0, ["lv_lvtb-fast", "installed", "UD", "Latvian-LVTB"])
    assert "\nlv_lvtb   Latvian (latviešu)  CC BY-SA 4.0  220,536  24.7 MB       academic fiction legal" in output
    assert "\nlv_cairo  Latvian (latviešu)  CC BY-SA 4.0           not known\n" in output
    assert run("models", "path", "latviešu")[1] == f"{tmp_path / 'models' / 'lv_lvtb-fast.gp'}\n"
    assert "test scores       UPOS " in run("models", "info", "lv")[1]
    (tmp_path / "text.txt").write_text("The dog barked.\n")
    assert run("parse", "-m", "Latvian", "text.txt", "-o", "out.conllu")[0] == 0
    assert "# text = The dog barked." in (tmp_path / "out.conllu").read_text()
    assert run("models", "make", "lv", "--from", place)[0] == 2
    assert run("models", "remove", "lv_lvtb-fast")[0] == 0
    code, _, errors = run("parse", "-m", "lv", "text.txt")
    assert (code, "make one from the treebank UD_Latvian-LVTB with `gardenpath models make lv`" in errors) == (2, True)


def test_an_ensemble_of_networks(run, tmp_path):
    pytest.importorskip("torch")
    place = folder_of(tmp_path / "tb", "de_gsd")
    (tmp_path / "tiny.toml").write_text("layers = 1\nhidden_size = 16\n")
    given = ("--from", place, "--epochs", 1, "--config", "tiny.toml")
    assert run("models", "make", "de", *given, "--networks", 17)[0] == 2
    code, output, _ = run("models", "make", "de", *given, "--networks", 2)
    assert (code, output.split()[:2]) == (0, ["model", "de_gsd"])
    assert "ensemble of 2 networks" in run("models", "info", "de")[1]


def test_lists(run):
    _, output, _ = run("models", "list")
    assert "en shipped UD English-EWT 2.16 CC BY-SA 4.0" in " ".join(output.split())
    assert len([line for line in output.splitlines() if line.startswith("de_")]) == 1
    plain = json.loads(run("models", "list", "--language", "German", "--json")[1])
    assert plain["models"] == []
    assert [each["code"] for each in plain["can_be_made"]] == ["de_gsd", "de_hdt"]
    assert "de_hdt" in run("models", "list", "--all")[1]
    code, _, errors = run("models", "list", "--language", "Germn")
    assert (code, errors) == (2, "gardenpath: the catalogue has no language 'Germn'; did you mean German?\n")


def test_lists_on_a_narrow_terminal(run, monkeypatch):
    """Names that users type are never cut. Columns that do not fit are left out."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    for command, hidden in ((("models", "list"), "Genres, Words"), (("treebank", "list", "fr"), "Genres, Language")):
        output = re.sub(r"\x1b\[[\d;]*m", "", run(*command)[1])
        assert max(map(cell_len, output.splitlines())) <= 80
        assert "…" not in output
        assert f"Not shown, because the terminal is too narrow: {hidden}" in output
    assert "│ UD_French-ParisStories │ fr_parisstories │" in output
    monkeypatch.setenv("COLUMNS", "200")
    assert "Not shown" not in run("treebank", "list", "fr")[1]


def test_the_list_of_treebanks(run):
    _, output, _ = run("treebank", "list", "suomi")
    assert "UD_Finnish-TDT *  fi_tdt  Finnish (suomi)  CC BY-SA 4.0  202,453  train dev test" in output
    assert len(run("treebank", "list")[1].splitlines()) == 319 + 3
    plain = json.loads(run("treebank", "list", "fi", "--json")[1])
    assert (plain["release"], plain["languages"][0]["iso3"]) == ("2.16", "fin")
    assert plain["languages"][0]["treebanks"][0]["url"] == "https://github.com/UniversalDependencies/UD_Finnish-TDT"
    assert run("treebank", "list", "Suomy")[0] == 2


def test_info_of_a_treebank(run):
    _, output, _ = run("models", "info", "Deutsch")
    assert output.splitlines()[:4] == [
        "model       none yet; make it with `gardenpath models make de_gsd`", "language    German (Deutsch)",
        "ISO 639     de, deu", "treebank    UD_German-GSD",
    ]
    assert json.loads(run("models", "info", "de", "--json")[1])["code"] == "de_gsd"
    assert "genres      not known" in run("models", "info", "Kyrgyz")[1]


def test_installing_and_packaging(run, tmp_path):
    assert run("models", "install", FAST, "--name", "mine")[1] == f"installed mine: {tmp_path / 'models' / 'mine.gp'}\n"
    code, _, errors = run("models", "install", FAST, "--name", "mine")
    assert (code, "already installed" in errors) == (2, True)
    (tmp_path / "bad.gp").write_bytes(b"no model at all")
    code, _, errors = run("models", "install", "bad.gp")
    assert (code, errors.startswith("gardenpath: bad.gp: not a usable gardenpath model")) == (1, True)
    assert run("models", "package", "mine", "--version", "1.2")[1] == "wrote gardenpath-model-mine\n"
    assert 'version = "1.2"' in (tmp_path / "gardenpath-model-mine" / "pyproject.toml").read_text()
    code, _, errors = run("models", "remove", "en")
    assert (code, "cannot be removed, because it is shipped" in errors) == (2, True)
    assert run("models", "path")[1] == f"{tmp_path / 'models'}\n"
    assert run("models", "path", "--folder", "elsewhere")[1] == "elsewhere\n"
