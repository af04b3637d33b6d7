"""The options of `gardenpath train`: made from the settings, grouped, with a configuration file, old names hidden."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter

import pytest

import gardenpath as gp
from gardenpath.cli.main import main
from gardenpath.core.settings import info_of, settings_of
from gardenpath.models import scorers
from gardenpath.models.setting_names import flat_settings, old_names
from gardenpath.models.settings import Settings
from sample import TRAIN, small

OTHER = scorers.get("stack-lstm")


@pytest.fixture
def call(monkeypatch, capfd):
    """Run a command in this process and return its exit code, its output and its messages."""
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gardenpath", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code or 0, *capfd.readouterr()

    return run


@pytest.fixture
def effective(call, tmp_path):
    """The settings that options stand for."""
    def run(*arguments):
        code, output, errors = call("train", TRAIN, "-o", tmp_path / "x.gp", "--print-config", *arguments)
        assert (code, errors) == (0, "")
        assert not (tmp_path / "x.gp").exists()
        return Settings.of(**tomllib.loads(output))

    return run


def sections(text):
    """The options of a help text by heading."""
    found = {}
    for line in text.splitlines():
        if heading := re.fullmatch(r"(\w[\w -]*):", line):
            found[heading[1]] = []
        elif option := re.match(r"  (?:-\w, )?--([\w-]+)", line):
            found[list(found)[-1]].append(option[1])
    return found


def test_help_has_every_setting_once_and_the_most_used_first(call):
    code, output, _ = call("train", "--help")
    assert code == 0
    found = sections(output)
    parts = ["Parser", "Perceptron", "Several scorers", "Network", "Stack-LSTM", "Tagger", "Tokenizer"]
    assert list(found) == ["Arguments", "Options", *parts, "Record in the model"]
    assert found["Options"][:5] == ["output", "dev", "system", "epochs", "seed"]
    shown = [option for options in found.values() for option in options]
    assert len(shown) == len(set(shown))
    names = {name for scorer in scorers.BUILT_IN for name in flat_settings(scorer)}
    assert {name.replace("_", "-") for name in names} <= set(shown)
    assert not set(old_names()) & set(shown)
    owners = Counter(name for scorer in scorers.BUILT_IN for name in settings_of(scorer.settings))
    own = [name.replace("_", "-") for name in settings_of(OTHER.settings) if owners[name] == 1]
    assert found["Stack-LSTM"] == own
    assert found["Several scorers"] == [name.replace("_", "-") for name, count in owners.items() if count > 1]


def test_help_says_what_the_settings_say(call):
    output = " ".join(call("train", "--help")[1].replace("-\n", "-").split()).replace("- ", "-")
    for part in {part for scorer in scorers.BUILT_IN for part in flat_settings(scorer).values()}:
        for name, each in settings_of(part).items():
            assert info_of(each).help.replace("- ", "-") in output, name
            assert ", ".join(info_of(each).choices) in output, name


def test_options_are_settings(effective):
    assert effective() == Settings()
    assert effective("--system", "swap", "--beam", 4, "--update", "early", "--no-single-root", "--min-updates", 2) == \
        Settings.of(system="swap", beam=4, update="early", single_root=False, min_updates=2)
    assert effective("--scorer", OTHER.name, "--batch-size", 4) == Settings.of(scorer=OTHER.name, batch_size=4)


def test_old_options_work(effective):
    assert effective("--passes", 3) == Settings.of(epochs=3)
    assert effective("--scorer", OTHER.name, "--batch", 4, "--decay", 0.1, "--averaging", 0.9) == \
        Settings.of(scorer=OTHER.name, batch_size=4, learning_rate_decay=0.1, ema_decay=0.9)


def test_options_override_the_file(effective, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('epochs = 3\n[parser]\nsystem = "swap"\nsingle_root = false\n')
    assert effective("--config", path) == Settings.of(epochs=3, system="swap", single_root=False)
    # Values that are equal to the defaults are given values, too.
    assert effective("--config", path, "--epochs", 10, "--single-root") == Settings.of(system="swap", epochs=10)


@pytest.mark.parametrize("content, options, code, message", [
    ("epochs = 0", [], 1, "own.toml: epochs must be between 1 and 1000000, not 0"),
    ("epochs = 1", ["--epochs", 0], 2, "epochs must be between 1 and 1000000, not 0"),
    ("[parser]\nsytem = 'swap'", [], 1, "own.toml: there is no setting 'sytem' of the parser; did you mean system?"),
    ("", ["--folds", 3], 2, "the setting folds has no effect, because it is for tags=jackknife"),
    ("", ["--dropout", 0.3], 2, "dropout is a setting of the network and the stack-LSTM, not of the perceptron"),
    ("", ["--scorer", "oracle"], 2, "no scorer is called 'oracle'"),
    ("", ["--passes", 1, "--epochs", 1], 2, "the setting epochs is given twice"),
    ("", ["--resume"], 2, "the perceptron has no checkpoints"),
])
def test_errors(call, tmp_path, content, options, code, message):
    (tmp_path / "own.toml").write_text(content)
    found, _, errors = call("train", TRAIN, "-o", tmp_path / "x.gp", "--config", tmp_path / "own.toml", *options)
    assert found == code
    assert re.fullmatch(r"gardenpath: [^\n]+\n", errors)
    assert message in errors


def test_a_missing_file(call, tmp_path):
    code, _, errors = call("train", TRAIN, "-o", tmp_path / "x.gp", "--config", tmp_path / "none.toml")
    assert (code, errors) == (1, f"gardenpath: {tmp_path / 'none.toml'}: No such file or directory\n")


def test_training_with_a_file_is_training_with_options(call, tmp_path):
    (tmp_path / "own.toml").write_text('epochs = 1\n[tagger]\ntags = "gold"\n')
    treebank = small(tmp_path, 5)
    assert call("train", treebank, "-o", tmp_path / "x.gp", "--config", tmp_path / "own.toml")[0] == 0
    gp.train(treebank, epochs=1, tags="gold").save(tmp_path / "y.gp")
    assert (tmp_path / "x.gp").read_bytes() == (tmp_path / "y.gp").read_bytes()
