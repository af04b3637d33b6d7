"""No command replaces its input, and a command that is ended or has no space leaves nothing behind."""

import os
import signal
import subprocess
import sys

import pytest

from gardenpath.cli.main import main
from gardenpath.files import replacing
from sample import DEV, TRAIN
from waiting import HANG, wait_until

ONE = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command; return exit code and standard error."""
    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, capsys.readouterr().err

    return call


@pytest.mark.parametrize("command", [
    "train FILE -o FILE", "train {TRAIN} --dev FILE -o FILE", "train {TRAIN} -o FILE --features FILE",
    "train {TRAIN} -o FILE --config FILE", "treebank stats FILE --plots FILE", "treebank stats FOLDER --plots FILE",
    "clusters FILE -o FILE", "clusters --vectors FILE -o FILE", "calibrate en-fast FILE -o FILE",
    "convert FILE -o FILE --to json", "convert FILE -o LINK --to plaintext", "parse -m en-fast FILE -i text -o FILE",
    "search X[] FILE -o FILE --to conllu", "search X[] FOLDER -o FILE --to csv", "search -f FILE {TRAIN} -o FILE",
    "suspects FILE -o FILE", "diff FILE {TRAIN} -o FILE", "language en-fast FILE -o FILE",
    "parse -m FILE {TRAIN} -o FILE", "convert FILE -o FILE --columns form", "serve FILE --access-log FILE",
    "serve mine=FILE --access-log FILE",
])
def test_the_input_is_never_replaced(command, run, tmp_path):
    name = {"suspects": "a.csv", "diff": "a.html"}.get(command.split()[0], "a.conllu")
    path = tmp_path / ("a.csv" if "--columns" in command else name)
    path.write_text("" if "--config" in command else ONE)
    before = path.read_bytes()
    if "LINK" in command:
        (tmp_path / "link").symlink_to(path)
    names = {"FILE": path, "mine=FILE": f"mine={path}", "FOLDER": tmp_path, "LINK": tmp_path / "link", "{TRAIN}": TRAIN}
    code, errors = run(*(names.get(word, word) for word in command.split()))
    assert code == 2
    assert "would replace the input file; choose another name for the output" in errors
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["convert FILE -o FILE", "parse -m en-fast FILE -o FILE --reparse"])
def test_a_file_can_be_replaced_in_its_own_format(command, run, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(ONE)
    assert run(*(path if word == "FILE" else word for word in command.split())) == (0, "")
    assert path.read_text() == ONE


@pytest.fixture
def default_signals():
    """Let commands inherit the default actions, also if these tests run under `nohup`, which ignores SIGHUP."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, action in before.items():
        signal.signal(number, action)


def test_the_statistics_of_one_word_are_drawn(run, tmp_path):
    (tmp_path / "a.conllu").write_text(ONE)
    assert run("treebank", "stats", tmp_path / "a.conllu", "--plots", tmp_path / "a.html") == (0, "")
    assert "<svg" in (tmp_path / "a.html").read_text()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a process can handle")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_ended_leaves_no_temporary_file(number, default_signals, tmp_path):
    command = [sys.executable, "-m", "gardenpath", "convert", "-", "-o", str(tmp_path / "out.conllu")]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        process.stdin.write(DEV.read_bytes())
        process.stdin.flush()
        wait_until(lambda: list(tmp_path.iterdir()), process)
        process.send_signal(getattr(signal, number))
        assert process.wait(HANG) == 128 + getattr(signal, number)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_with_the_file(tmp_path):
    def fail(*names):
        with replacing(tmp_path / "out.conllu") as file:
            file.write(b"half")
            raise OSError(28, "No space left on device", *names)

    with pytest.raises(OSError, match=r"No space left.*out\.conllu"):
        fail()
    with pytest.raises(OSError, match="other") as caught:
        fail("other")
    assert caught.value.filename == "other"
    assert list(tmp_path.iterdir()) == []
