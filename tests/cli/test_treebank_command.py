"""`gardenpath treebank`: downloads and statistics."""

import json
import sys

import pytest

from gardenpath.cli.main import main
from gardenpath.treebank import download
from sample import DEV, TRAIN
from treebank_server import FILES, NAME, SENTENCE, TOP, Server, archive_of


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command; return exit code, standard output and standard error."""
    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", "treebank", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capsys.readouterr()

    return call


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.01)
    started = Server(archive_of(FILES))
    yield started
    started.close()


def test_get(run, server, tmp_path):
    server.plan = [503]
    code, output, errors = run("get", NAME, "--output", tmp_path, "--url", server.url)
    lines = output.splitlines()
    assert code == 0
    assert lines[:3] == [
        f"folder    {tmp_path / TOP}", "file      xx_test-ud-dev.conllu (0.0 MB)",
        "file      xx_test-ud-train.conllu (0.0 MB)",
    ]
    assert "commit    c0ffee" in lines
    assert lines[-3:] == [
        "licence   CC BY-NC-SA 4.0",
        "warning   no commercial use; this may also hold for models trained on the treebank: read the licence",
        "cite      Ada Lovelace. 1843. Notes.",
    ]
    assert errors == "the server returned 503 Service Unavailable; trying again in 0.01 s\n"
    code, output, errors = run("get", NAME, "--output", tmp_path, "--url", server.url, "--no-progress")
    assert output.splitlines()[0] == f"folder    {tmp_path / TOP} (already downloaded; use --force to replace it)"


def test_get_a_treebank_without_a_citation(run, server, tmp_path):
    server.content = archive_of({"a.conllu": SENTENCE, "LICENSE.txt": "\nCreative Commons BY-SA 4.0\nand so on\n"})
    _, output, _ = run("get", NAME, "--output", tmp_path, "--url", server.url)
    assert "licence   Creative Commons BY-SA 4.0\ncite      Joakim Nivre, " in output
    assert output.endswith("LREC. Release 2.16.\n")


@pytest.mark.parametrize(
    "name, code, message",
    [
        ("en_ewd", 2, "gardenpath: the catalogue has no language or treebank 'en_ewd'; did you mean en_ewt"),
        ("UD_No-Such", 1, "the server has no such file; see"),
    ],
)
def test_get_an_unknown_treebank(run, server, tmp_path, name, code, message):
    found, output, errors = run("get", name, "--output", tmp_path, "--url", server.url)
    assert (found, output) == (code, "")
    assert message in errors
    assert errors.count("\n") == 1


def test_stats(run):
    code, output, _ = run("stats", DEV, TRAIN, "--most", 3)
    assert code == 0
    rows = [line.split() for line in output.splitlines()]
    assert ["sentences", "80", "400", "480"] in rows
    assert ["sample-dev.conllu", "sample-train.conllu", "together"] in rows
    assert "Features, the 3 most frequent of" in output
    assert "attardi" in output


def test_stats_as_json(run, tmp_path):
    page = tmp_path / "page.html"
    code, output, _ = run("stats", DEV, "--json", "--no-systems", "--plots", page)
    found = json.loads(output)
    assert code == 0
    assert (found["treebanks"][0]["name"], found["treebanks"][0]["derived"], found["together"]["sentences"]) == (
        str(DEV), {}, 80,
    )
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_stats_of_missing_files(run, tmp_path):
    assert run("stats", tmp_path)[0] == 1
    assert (
        run("stats", tmp_path / "none.conllu")[2]
        == f"gardenpath: {tmp_path / 'none.conllu'}: No such file or directory\n"
    )
