"""`gardenpath corpus`: plan, output, messages and exit codes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corpus_tools import model_file, parts
from gardenpath.cli.corpus import bytes_of
from gardenpath.errors import UsageError


@pytest.fixture
def model(tmp_path_factory):
    return model_file(tmp_path_factory.getbasetemp())


def corpus(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "gardenpath", "corpus", *arguments], cwd=folder, capture_output=True, text=True,
        check=False,
    )


def test_a_corpus_is_parsed_with_a_summary(tmp_path, model):
    (tmp_path / "pages.jsonl").write_text(
        '{"id": 1, "text": "A dog saw me."}\n{"id": 2}\n{"id": 3, "text": "Me too."}\n'
    )
    arguments = ("pages.jsonl", "out", "--model", model, "--workers", "1", "--shard-size", "20")
    planned = corpus(tmp_path, *arguments, "--dry-run")
    assert planned.returncode == 0
    assert "1 file, 0.0 MB, 3 shards" in planned.stderr
    assert planned.stdout.splitlines()[3].split() == ["00000", "1", "35", "pages.jsonl,", "0", "to", "35", "missing"]
    assert not (tmp_path / "out").exists()
    done = corpus(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    summary = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines()[3:] if "MB" not in line)
    assert {name: summary[name] for name in ("documents", "sentences", "words", "failed")} == {
        "documents": "2", "sentences": "2", "words": "8", "failed": "1",
    }
    assert "part 00001: 0 documents, 0 words, 1 failed" in done.stderr
    assert sorted(parts(tmp_path / "out")) == [
        "failed-00001.jsonl",
        *(f"part-0000{number}.conllu" for number in range(3)),
    ]
    again = corpus(tmp_path, *arguments)
    assert "3 parts done" in again.stderr
    assert dict(line.rsplit(maxsplit=1) for line in again.stdout.splitlines()[3:])["words"] == "8"


def test_errors_are_one_line_and_have_their_exit_codes(tmp_path, model):
    (tmp_path / "a.txt").write_text("A dog.")
    for arguments, code, message in (
        (["a.txt", "out", "--engine", "steam"], 2, "there is no engine 'steam'; choose one of: local, ray"),
        (
            ["a.txt", "out", "--shard-size", "much"], 2,
            "'much' is not a valid size; write it like 16MiB, 500kB or 1000000",
        ),
        (
            ["a.txt", "out", "--input", "pdf"], 2,
            "there is no input kind 'pdf'; choose one of: auto, text, lines, tokens, conllu, jsonl, parquet",
        ),
        (["b.txt", "out"], 1, "b.txt: No such file or directory"),
    ):
        ended = corpus(tmp_path, *arguments, "--model", model)
        assert (ended.returncode, ended.stderr) == (code, f"gardenpath: {message}\n")


def test_a_failed_shard_is_named(tmp_path, model):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("A dog.")
    (tmp_path / "out" / "part-00000.conllu").mkdir(parents=True)
    (tmp_path / "out" / ".lock").touch()
    ended = corpus(tmp_path, "a.txt", "b.txt", "out", "--model", model, "--shard-size", "6")
    assert ended.returncode == 1
    assert "gardenpath: 1 shards failed: shard 00000: [Errno 21]" in ended.stderr
    assert "run the same command again to retry them" in ended.stderr
    assert (tmp_path / "out" / "part-00001.conllu").is_file()


@pytest.mark.parametrize(
    "size, expected", [("16MiB", 16 * 2**20), ("500kB", 500_000), ("1000", 1000), ("2 GiB", 2**31), ("3m", 3_000_000)]
)
def test_sizes(size, expected):
    assert bytes_of(size) == expected


def test_invalid_sizes():
    for size in ("", "MiB", "1.5MiB", "-3", "3ib"):
        with pytest.raises(UsageError, match="is not a valid size"):
            bytes_of(size)
