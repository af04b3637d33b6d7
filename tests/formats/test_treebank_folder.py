"""The files of a treebank in a folder."""

import shutil
import subprocess
import sys

import pytest

import gardenpath as gp
from gardenpath.formats.treebank_folder import parts_of, training_files
from sample import DEV, SAMPLE, TRAIN


def made(folder, *names):
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("")
    return folder


def test_parts_are_found_by_the_end_of_the_name(tmp_path):
    names = ("en_ewt-ud-train.conllu", "en_ewt-ud-dev.conllu", "README.md", "train.txt", "training-data.conllu",
             ".x-test.conllu", "restrain.conllu")
    folder = made(tmp_path, *names)
    (folder / "x-test.conllu").mkdir()
    assert parts_of(folder) == {"train": folder / names[0], "dev": folder / names[1]}
    assert parts_of(made(tmp_path / "plain", "train.conllu", "test.conllu")).keys() == {"train", "test"}


@pytest.mark.parametrize("names", [
    ("a-ud-train.conllu", "b-ud-train.conllu"),
    ("de_hdt-ud-train-a-1.conllu", "de_hdt-ud-train-b-1.conllu"),
])
def test_several_files_of_a_part_are_an_error(tmp_path, names):
    with pytest.raises(gp.InputError, match=f"several train files: {', '.join(names)}; give the file itself"):
        parts_of(made(tmp_path, *names))


def test_training_files(tmp_path):
    assert training_files(SAMPLE) == (TRAIN, DEV)
    assert training_files(SAMPLE, "other.conllu") == (TRAIN, "other.conllu")
    assert training_files("-") == ("-", None)
    assert training_files(TRAIN) == (TRAIN, None)
    with pytest.raises(gp.InputError, match=r"no training file; UD's names are such as en_ewt-ud-train\.conllu"):
        training_files(made(tmp_path, "notes.conllu"))
    for name in "abcd":
        made(tmp_path / name, f"{name}-train.conllu")
    with pytest.raises(gp.InputError, match="folders of treebanks: a, b, c and 1 more; give one of them"):
        training_files(tmp_path)


def test_training_on_a_folder(tmp_path):
    for path in (TRAIN, DEV):
        shutil.copy(path, tmp_path)
    model = gp.train(tmp_path, epochs=1)
    assert model.description == gp.train(TRAIN, dev=DEV, epochs=1).description
    output = tmp_path / "model.gp"
    command = [sys.executable, "-m", "gardenpath", "train", str(tmp_path), "--epochs", "1", "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    files = f"training set {tmp_path / TRAIN.name}, dev set {tmp_path / DEV.name}"
    assert done.stderr.splitlines()[0] == files
    assert gp.load(output).description == model.description
