"""Models are installed from files, folders and addresses, and as Python packages."""

import hashlib
import os
import subprocess
import sys
import tomllib

import pytest

import gardenpath as gp
from gardenpath.making import install, write_package
from gardenpath.making.package import spdx
from gardenpath.models import installed
from gardenpath.treebank import download
from sample import TRAIN
from treebank_server import Server


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "xx_small.gp"
    gp.train(TRAIN, epochs=1, min_updates=1, licence="CC BY-SA 4.0", citation="Ada.").save(path)
    return path


@pytest.fixture(autouse=True)
def models(tmp_path, monkeypatch):
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def server(small, monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.01)
    started = Server(b"")
    started.others = {"/xx_small.gp": small.read_bytes(), "/bad.gp": b"<html>" * 100}
    yield started
    started.close()


def left(models):
    return sorted(os.listdir(models)) if models.exists() else []


def test_files_and_folders(small, models, tmp_path):
    assert install(str(small)) == [models / "xx_small.gp"]
    assert install(str(small), name="other") == [models / "other.gp"]
    place = tmp_path / "place"
    place.mkdir()
    for name in ("a", "b"):
        (place / f"{name}.gp").write_bytes(small.read_bytes())
    assert [path.stem for path in install(str(place))] == ["a", "b"]
    with pytest.raises(gp.UsageError, match="--name and --sha256 are for a single model, and the folder has 2"):
        install(str(place), name="x", force=True)
    assert left(models) == ["a.gp", "b.gp", "other.gp", "xx_small.gp"]


@pytest.mark.parametrize("source, message", [
    ("nothing.gp", "there is no such file or folder"), ("empty", "no file in the folder ends with .gp"),
    ("model.bin", "the name of the model does not follow .* give it with --name"),
    ("model.zip", "this is an archive; unpack it, and give the model file or its folder"),
    ("http://example.org/x.gp", "must begin with https://"), ("ftp://example.org/x.gp", "must begin with https://"),
    ("https://example.org/", "the name of the model does not follow"),
])
def test_sources_that_are_refused(small, models, tmp_path, monkeypatch, source, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name in ("model.bin", "model.zip"):
        (tmp_path / name).write_bytes(small.read_bytes())
    with pytest.raises((gp.UsageError, gp.InputError), match=message):
        install(source)
    assert left(models) == []


def test_an_address(server, models, small):
    server.plan = [503, -10_000]
    checksum = hashlib.sha256(small.read_bytes()).hexdigest()
    assert install(f"{server.url}/xx_small.gp", sha256=checksum) == [models / "xx_small.gp"]
    assert server.requests[-1]["range"] == "bytes=10000-"
    assert left(models) == ["xx_small.gp"]
    count = len(server.requests)
    with pytest.raises(gp.UsageError, match="a model xx_small is already installed"):
        install(f"{server.url}/xx_small.gp")
    assert len(server.requests) == count


@pytest.mark.parametrize("file, options, message", [
    ("xx_small.gp", {"sha256": "0" * 64}, r"127\.0\.0\.1.*xx_small\.gp: the file has SHA-256 .* nothing was installed"),
    ("bad.gp", {}, r"127\.0\.0\.1.*bad\.gp: not a usable gardenpath model"),
    ("missing.gp", {}, "the server has no such file; check the address"),
])
def test_addresses_that_are_refused(server, models, file, options, message):
    with pytest.raises(gp.InputError, match=message):
        install(f"{server.url}/{file}", **options)
    assert not list(models.glob("*.gp"))
    assert not [path for path in models.rglob("*") if path.is_file()]


def test_files_that_are_too_large(server, models, monkeypatch):
    monkeypatch.setattr(download, "LARGEST", 1000)
    with pytest.raises(gp.InputError, match="more than any treebank or model"):
        install(f"{server.url}/xx_small.gp")
    server.is_chunked = True
    with pytest.raises(gp.InputError, match="more bytes than any treebank or model"):
        install(f"{server.url}/xx_small.gp", name="y")
    assert not list(models.glob("*.gp"))


@pytest.mark.parametrize("licence, identifier", [
    ("CC BY-SA 4.0", "CC-BY-SA-4.0"), ("CC BY-NC-SA 3.0", "CC-BY-NC-SA-3.0"), ("CC0 1.0", "CC0-1.0"),
    ("LGPL-LR", "LGPLLR"), ("GNU GPL 3.0", "GPL-3.0-only"), ("PD", None), (None, None),
])
def test_identifiers_of_licences(licence, identifier):
    assert spdx(licence) == identifier


def test_hostile_texts_in_a_package(small, tmp_path):
    name = 'x"""\nimport os\n"\\\ud800'
    folder = write_package(gp.load(small).described(treebank=name, citation=None, licence='"'), small, "a", tmp_path)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["description"].startswith("A model for gardenpath, trained on x")
    assert "license" not in project
    source = (folder / "gardenpath_model_a" / "__init__.py").read_text()
    scope = {"__file__": str(folder / "x.py")}
    exec(compile(source, "x", "exec"), scope)
    assert "os" not in scope
    with pytest.raises(gp.UsageError, match="the folder exists already"):
        write_package(gp.load(small), small, "a", tmp_path)


def test_a_package_is_built_and_found(small, tmp_path):
    """Build a wheel without the network, install it to a folder, and load the model by its name."""
    folder = write_package(gp.load(small), small, "xx_small", tmp_path)
    assert folder.name == "gardenpath-model-xx-small"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([*pip, "wheel", *offline, "--wheel-dir", tmp_path, folder], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "install", *offline, "--target", tmp_path / "site", wheel], check=True)
    code = (
        "import gardenpath as gp; print(gp.load('xx_small').about.treebank, gp.models.lookup.find('xx_small').origin)"
    )
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, sys.path)])
    result = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )
    assert result.stdout == "sample-train package\n"
