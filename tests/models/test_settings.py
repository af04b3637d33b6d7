"""The settings: one source for checks, command line and keyword arguments; tables, flat names, files and old forms."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import pickle
import subprocess
import sys
import tomllib
import typing
import warnings
from collections.abc import Mapping
from types import NoneType

import pytest

import gardenpath as gp
from gardenpath import plugins
from gardenpath.core.settings import info_of, setting, settings_of
from gardenpath.errors import InputError, UsageError
from gardenpath.models import scorers
from gardenpath.models.arguments import TrainingArguments
from gardenpath.models.setting_names import RunSettings, flat_settings
from gardenpath.models.settings import Settings
from gardenpath.models.training import train, train_steps
from gardenpath.parsing import scorers as registry
from gardenpath.parsing.scorers import ScorerSettings, ScorerType
from gardenpath.parsing.settings import ParserSettings
from gardenpath.segmentation.settings import TokenizerSettings
from gardenpath.tagging.settings import TaggerSettings

OTHER = scorers.get("stack-lstm")
COMMON = [RunSettings, ParserSettings, TaggerSettings, TokenizerSettings]
PARTS = [*COMMON, *(scorer.settings for scorer in scorers.BUILT_IN)]
FIELDS = [(part, name) for part in PARTS for name in settings_of(part)]
OLD_NAMES = {"passes": "epochs", "batch": "batch_size", "decay": "learning_rate_decay", "averaging": "ema_decay"}
# The keys of model files: those of all models, and those of each scorer.
STORED = [
    "beam", "clusters", "folds", "labelled_reduce", "lookahead", "nonprojective", "oracle", "passes", "postpone",
    "prefer", "scorer", "seed", "separate_unshift", "single_root", "system", "tags", "tokenizer",
    "wrong_arc_labels",
]
STORED_OF_SCORER = {
    "perceptron": [
        "beam_from", "explore", "explore_from", "features", "margin", "min_updates", "prune", "tag", "update",
    ],
    "network": [
        "batch_words", "dropout", "ema_decay", "explore", "hidden_size", "input_dropout", "layers", "learning_rate",
        "max_vectors", "networks", "replace_words", "vectors",
    ],
    "stack-lstm": ["averaging", "batch", "decay", "dropout", "encoder", "learning_rate"],
}


@pytest.mark.parametrize("part, name", FIELDS, ids=lambda value: getattr(value, "__name__", value))
def test_every_field_is_described(part, name):
    each = settings_of(part)[name]
    info = info_of(each)
    assert info.help.endswith(".")
    assert len(info.help) < 150
    hint = typing.get_type_hints(part)[name]
    kinds = {kind for kind in typing.get_args(hint) if kind is not NoneType} or {hint}
    assert kinds == {info.kind}
    assert (NoneType in typing.get_args(hint)) is (each.default is None)
    if info.kind in (int, float):
        assert info.least is not None
        assert (info.most is None) is not (info.below is None)
    if info.choices:
        assert each.default in info.choices


def test_flat_names_are_unique():
    for scorer in scorers.BUILT_IN:
        names = [name for part in (*COMMON, scorer.settings) for name in settings_of(part)]
        assert len(names) == len(set(names)) == len(flat_settings(scorer))


def test_settings_that_scorers_share_have_one_description():
    """They share an option of the command line. Their defaults can differ."""
    found = {}
    for scorer in scorers.BUILT_IN:
        for name, each in settings_of(scorer.settings).items():
            info = dataclasses.replace(info_of(each), old_name=None, default_text=None)
            assert found.setdefault(name, info) == info, name


def test_the_number_of_epochs_depends_on_the_scorer():
    for scorer in scorers.BUILT_IN:
        settings = Settings.of(scorer=scorer.name)
        assert settings.epochs is None
        small, large = (settings.for_treebank(words).epochs for words in (5_000, 100_000))
        assert small == large == 10 if scorer.name == "perceptron" else small > large > 0
        assert Settings.of(scorer=scorer.name, epochs=3).for_treebank(5_000).epochs == 3


@pytest.mark.parametrize("function", [train, train_steps])
def test_keyword_arguments_are_the_settings(function):
    hints = typing.get_type_hints(TrainingArguments)
    assert set(hints) == {name for _, name in FIELDS} | {"parser", "tagger", "scorer"}
    expected = {}
    for part, name in FIELDS:
        hint = typing.get_type_hints(part)[name]
        more = {os.PathLike[str]} if info_of(settings_of(part)[name]).is_file else set()
        table = {Mapping[str, typing.Any]} if name == "tokenizer" else set()
        expected.setdefault(name, set()).update(typing.get_args(hint) or [hint], more, table)
    for name, types in expected.items():
        assert set(typing.get_args(hints[name]) or [hints[name]]) == types, name
    assert typing.get_type_hints(function)["settings"] == typing.Unpack[TrainingArguments]
    shown = inspect.signature(function).parameters
    assert [name for name in hints if name not in shown] == []
    assert (shown["system"].default, shown["seed"].default) == (ParserSettings().system, 1)


@pytest.mark.parametrize("given", [
    {}, {"system": "swap", "beam": 4, "update": "early"}, {"scorer": OTHER.name, "batch_size": 4},
    {"scorer": "network", "layers": 1}, {"tags": "jackknife", "folds": 3},
    {"system": "covington-nm", "oracle": "pc-upper", "lookahead": 2}, {"tags": "gold", "seed": 2**64 - 1},
], ids=str)
def test_settings_survive_every_form(given, tmp_path):
    settings = Settings.of(**given)
    assert Settings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert Settings.from_dict(json.loads(json.dumps(settings.to_flat_dict()))) == settings
    assert Settings.of(**tomllib.loads(settings.to_toml())) == settings
    (tmp_path / "own.toml").write_text(settings.to_toml(), encoding="utf-8")
    assert Settings.configured(tmp_path / "own.toml") == Settings.configured(settings) == settings
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert sorted(settings.to_flat_dict()) == sorted(STORED + STORED_OF_SCORER[settings.scorer_name])


def test_tables_and_flat_names_are_the_same():
    flat = Settings.of(system="swap", beam=4, margin=50, tags="jackknife", folds=3, tokenizer="none", epochs=2)
    nested = Settings.of(
        parser={"system": "swap", "beam": 4}, scorer={"name": scorers.DEFAULT.name, "margin": 50},
        tagger={"tags": "jackknife", "folds": 3}, tokenizer={"tokenizer": "none"}, epochs=2,
    )
    mixed = Settings.of(
        scorer={"margin": 50}, parser={"system": "swap"}, beam=4, tags="jackknife", folds=3, tokenizer="none", epochs=2,
    )
    assert flat == nested == mixed
    assert (flat.parser.system, flat.scorer.margin, flat.tagger.folds) == ("swap", 50, 3)
    assert (flat.tokenizer.tokenizer, flat.epochs) == ("none", 2)
    assert flat.scorer_name == scorers.DEFAULT.name


@pytest.mark.parametrize("old, new", OLD_NAMES.items())
def test_old_names_work_with_a_warning(old, new):
    given = {} if old == "passes" else {"scorer": OTHER.name}
    value = 7 if old in ("passes", "batch") else 0.5
    with pytest.warns(DeprecationWarning, match=f"the setting {old} is now called {new}") as caught:
        settings = Settings.of(**given, **{old: value})
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert settings == Settings.of(**given, **{new: value})
    with (
        pytest.warns(DeprecationWarning, match=f"{old} is now called {new}"),
        pytest.raises(UsageError, match=f"the setting {new} is given twice"),
    ):
        Settings.of(**given, **{old: value, new: value})


@pytest.mark.parametrize("given, message", [
    ({"epoch": 3}, "there is no setting 'epoch'; did you mean epochs?"),
    ({"marign": 3}, "there is no setting 'marign'; did you mean margin?"),
    ({"colour": "red"}, "there is no setting 'colour'; the settings are system, oracle, "),
    ({"parser": {"sytem": "swap"}}, "there is no setting 'sytem' of the parser; did you mean system?"),
    ({"parser": {"margin": 3}}, "there is no setting 'margin' of the parser"),
    ({"scorer": {"beam": 3}}, "beam is a setting of the parser, not of the scorer"),
    ({"scorer": {"epochs": 3}}, "epochs is a setting of the training run, not of the scorer"),
    ({"scorer": {"scorer": "x"}}, "the name of the scorer is `name` in the table of the scorer"),
    ({"parser": "swap"}, "parser must be a table of settings, not 'swap'"),
    ({"margin": 3, "scorer": {"margin": 3}}, "the setting margin is given twice"),
    ({"scorer": "oracle"}, "no scorer is called 'oracle'; there are perceptron, network, stack-lstm"),
    ({"scorer": ["x"]}, "no scorer is called"),
    (
        {"dropout": 0.5},
        "dropout is a setting of the network and the stack-LSTM, not of the perceptron; "
        "remove it, or train with scorer=network or scorer=stack-lstm",
    ),
    (
        {"scorer": "stack-lstm", "margin": 100},
        "margin is a setting of the perceptron, not of the stack-LSTM; remove it",
    ),
    ({"seed": True}, "seed must be a whole number, not True"),
    ({"explore": False}, "explore must be a number, not False"),
    ({"features": 3}, "features must be a string or a path, not 3"),
    ({"oracle": 3}, "oracle must be a string, not 3"),
    ({"system": ["swap"]}, r"system must be a string, not \['swap'\]"),
    ({"prune": 1}, "prune must be at least 0 and less than 1, not 1"),
    ({"seed": None}, "seed must be a whole number, not None"),
    (
        {"scorer": "stack-lstm", "oracle": "dynamic"},
        "the oracle of arc-eager-unshift must be one of static, not 'dynamic'",
    ),
    (
        {"scorer": "stack-lstm", "tags": "predicted"},
        "the stack-LSTM cannot learn together with a tagger; train it with tags=jackknife",
    ),
    ({"scorer": "stack-lstm", "clusters": "x"}, "the stack-LSTM has no features of word clusters"),
    ({"tags": "gold", "tokenizer": "udpipe"}, "a tokenizer needs a tagger"),
    (
        {"system": "stay-eager", "oracle": "non-static", "beam": 4},
        "the non-static oracle draws one of them; train with oracle=nondet",
    ),
    (
        {"system": "arc-eager", "separate_unshift": True},
        "separate_unshift needs a system that learns to unshift: arc-eager-unshift, not arc-eager",
    ),
])
def test_settings_that_are_wrong(given, message):
    with pytest.raises(UsageError, match=message):
        Settings.of(**given)


@pytest.mark.parametrize("given, name, reason", [
    ({"folds": 5}, "folds", "it is for tags=jackknife, and tags is predicted"),
    ({"tagger": {"tags": "gold", "folds": 10}}, "folds", "tags is gold"),
    ({"beam_from": 2}, "beam_from", "the search is greedy"),
    ({"update": "early"}, "update", "the search is greedy"),
    ({"beam": 4, "explore": 0.5}, "explore", "training with a beam does not explore"),
    ({"oracle": "static", "explore": 0.5}, "explore", "the static oracle cannot continue after wrong transitions"),
    ({"oracle": "nondet", "explore_from": 2}, "explore_from", "the nondet oracle cannot continue"),
    ({"lookahead": 0}, "lookahead", "the dynamic oracle of arc-eager-unshift does not use it"),
    ({"oracle": "static", "wrong_arc_labels": "any"}, "wrong_arc_labels", "the static oracle builds only gold arcs"),
    ({"system": "stay-eager", "postpone": 0.5}, "postpone", "the dynamic oracle of stay-eager does not use it"),
])
def test_settings_without_effect_are_errors_if_they_are_given(given, name, reason):
    with pytest.raises(UsageError, match=f"^the setting {name} has no effect, because .*{reason}.*; remove it$"):
        Settings.of(**given)


def test_settings_that_have_an_effect():
    assert Settings.of(tags="jackknife", folds=5).tagger.folds == 5
    assert Settings.of(beam=4, beam_from=2, update="early", explore=0.5).scorer.update == "early"
    assert Settings.of(system="stay-eager", oracle="non-static", postpone=0.5).parser.postpone == 0.5
    assert Settings.of(system="stay-eager", scorer=OTHER.name, postpone=0.5).parser.oracle == "non-static"


def test_changed_settings():
    settings = Settings.of(system="swap", margin=5)
    assert settings.changed(epochs=3) == Settings.of(system="swap", margin=5, epochs=3)
    assert settings.changed() == settings
    with pytest.raises(UsageError, match="the setting folds has no effect"):
        settings.changed(folds=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.seed = 3


def test_what_is_resolved():
    default = Settings()
    assert (default.parser.oracle, default.scorer.min_updates, default.tagger.tags) == ("dynamic", 3, "predicted")
    assert Settings.of(beam=2).scorer.min_updates == 1
    other = Settings.of(scorer=OTHER.name)
    assert (other.parser.oracle, other.tagger.tags, other.tokenizer.tokenizer) == ("static", "jackknife", "gardenpath")
    assert Settings.of(scorer=OTHER.name, system="stay-eager").parser.oracle == "non-static"
    assert Settings.of(tags="gold").tokenizer.tokenizer == "none"
    assert Settings.of(system="attardi").parser.preference == "gold-first"
    assert Settings.of(system="swap").parser.preference == "repair-last"
    assert (default.parser.wrong_arc_labels, default.parser.labels_all_arcs) == ("any", False)
    network = Settings.of(scorer="network").parser
    assert (network.wrong_arc_labels, network.labels_all_arcs) == ("gold", True)
    assert (default.parser.nonprojective, network.nonprojective) == ("lift", "head")
    assert Settings.of(scorer="network", nonprojective="lift").parser.nonprojective == "lift"
    assert (default.parser.beam, network.beam, Settings.of(scorer="network", beam=1).parser.beam) == (1, 4, 1)
    assert Settings.of(wrong_arc_labels="gold").parser.labels_all_arcs
    assert not Settings.of(scorer="network", wrong_arc_labels="any").parser.labels_all_arcs


def without(*path):
    """Settings in tables without one of their values."""
    stored = Settings().to_dict()
    table = stored
    for name in path[:-1]:
        table = table[name]
    del table[path[-1]]
    return stored


@pytest.mark.parametrize("stored, error, message", [
    ("no", ValueError, "the settings must be a table"),
    (None, ValueError, "the settings must be a table"),
    ({}, LookupError, "no value for 'system'"),
    (without("parser"), LookupError, "no table 'parser'"),
    (without("scorer"), LookupError, "no table 'scorer'"),
    (without("scorer", "name"), LookupError, "no value for 'scorer'"),
    (without("scorer", "margin"), LookupError, "no value for 'margin'"),
    (without("seed"), LookupError, "no value for 'seed'"),
    (Settings().to_dict() | {"tagger": 3}, LookupError, "no table 'tagger'"),
    (Settings().to_dict() | {"colour": 3}, ValueError, "there is no setting 'colour'"),
    (Settings().to_dict() | {"seed": "x"}, ValueError, "seed must be a whole number"),
    (Settings().to_flat_dict() | {"system": []}, ValueError, "system must be a string"),
    (Settings().to_flat_dict() | {"system": "nonsense"}, ValueError, "no system is called 'nonsense'"),
    (Settings().to_flat_dict() | {"scorer": {}}, LookupError, "no table"),
    (Settings().to_flat_dict() | {"scorer": 7}, ValueError, "no scorer is called 7"),
    (Settings().to_flat_dict() | {"colour": 7}, ValueError, "there is no setting 'colour'"),
    (Settings().to_flat_dict() | {"single_root": 1}, ValueError, "single_root must be True or False"),
    ({"system": "swap", "nonprojective": "lift"}, LookupError, "no value for 'single_root'"),
])
def test_hostile_settings_of_a_file(stored, error, message):
    with pytest.raises(error, match=message):
        Settings.from_dict(stored)


def test_settings_of_older_files():
    """They hold the settings of all scorers, and may lack what was added later."""
    stored = gp.load("en").description["settings"]
    assert Settings.from_dict(stored).to_flat_dict() == stored
    assert Settings.from_dict(Settings().to_flat_dict() | {"batch": "nonsense"}) == Settings()
    added = ("beam", "scorer", "tags", "tokenizer", "clusters", "prune")
    read = Settings.from_dict({name: value for name, value in stored.items() if name not in added})
    assert (read.parser.beam, read.scorer_name, read.clusters) == (1, scorers.DEFAULT.name, None)
    assert (read.tagger.tags, read.tokenizer.tokenizer) == ("gold", "none")


def test_settings_override_the_file(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('epochs = 3\nclusters = "x.txt"\n[parser]\nsystem = "swap"\n[scorer]\nmargin = 7\n')
    settings = Settings.configured(path, epochs=4, parser={"system": "arc-eager"})
    assert (settings.epochs, settings.clusters) == (4, "x.txt")
    assert (settings.parser.system, settings.scorer.margin) == ("arc-eager", 7)
    assert Settings.configured(tomllib.loads(path.read_text()), epochs=4, system="arc-eager") == settings


@pytest.mark.parametrize("content, given, error, message", [
    ("epochs = ", {}, InputError, "own.toml: this file is not TOML: "),
    ("epochs = 0", {}, InputError, "own.toml: epochs must be between"),
    ("[parser]\nbaem = 3", {}, InputError, "own.toml: there is no setting 'baem' of the parser; did you mean beam?"),
    ("epochs = 3", {"epochs": 0}, UsageError, "^epochs must be between"),
    ("folds = 3", {"seed": 3}, InputError, "own.toml: the setting folds has no effect"),
    ("[scorer]\nexplore = 0.5", {"oracle": "static"}, UsageError, "^the setting explore has no effect"),
])
def test_errors_say_whether_the_file_is_wrong(content, given, error, message, tmp_path):
    (tmp_path / "own.toml").write_text(content)
    with pytest.raises(error, match=message):
        Settings.configured(tmp_path / "own.toml", **given)


def test_training_with_a_configuration(tmp_path):
    treebank = tmp_path / "one.conllu"
    treebank.write_text("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n")
    model = gp.train(treebank, config={"epochs": 2, "tagger": {"tags": "gold"}}, epochs=1, system="swap")
    stored = model.description["settings"]
    assert (stored["passes"], stored["tags"], stored["system"]) == (1, "gold", "swap")
    with pytest.raises(UsageError, match="the perceptron has no checkpoints"):
        gp.train(treebank, config=Settings(), checkpoint=tmp_path / "x")


def test_scorers_can_be_imported_without_pytorch():
    code = "import sys; from gardenpath.models import settings; print({'torch', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@dataclasses.dataclass(frozen=True)
class GuessSettings(ScorerSettings):
    chance: float = setting(0.5, "Probability of a guess.", least=0, most=1)


def cannot(_):
    raise NotImplementedError


GUESS = ScorerType("guess", "guess", GuessSettings, train=cannot, build=cannot, default_tags="gold")


@pytest.fixture
def entry(monkeypatch):
    """An entry point of another package."""
    class Entry:
        name = "guess"
        load = staticmethod(lambda: GUESS)

    monkeypatch.setattr(registry, "_SCORERS", dict(registry._SCORERS))
    found = {"gardenpath.scorers": {"guess": Entry}}
    monkeypatch.setattr(plugins, "entry_points", lambda group: found.get(group, {}))
    return Entry


def test_a_scorer_of_another_package(entry):
    before = Settings().to_flat_dict()
    settings = Settings.of(scorer={"name": "guess", "chance": 0.25})
    assert (settings.scorer_name, settings.scorer_type, settings.scorer.chance) == ("guess", GUESS, 0.25)
    assert settings.tagger.tags == "gold"
    assert Settings.from_dict(settings.to_dict()) == settings
    assert settings.to_flat_dict()["chance"] == 0.25
    assert Settings().to_flat_dict() == before
    with pytest.raises(UsageError, match="chance is a setting of the guess, not of the perceptron"):
        Settings.of(chance=0.25)


@pytest.mark.parametrize("scorer", [3, dataclasses.replace(GUESS, name="other")])
def test_an_entry_point_that_is_no_scorer(entry, monkeypatch, scorer):
    monkeypatch.setattr(entry, "load", lambda: scorer)
    with pytest.raises(UsageError, match=r"the entry point 'guess' of gardenpath\.scorers must be a ScorerType"):
        scorers.get("guess")


def test_registering_a_scorer(entry):
    registry.register(GUESS)
    registry.register(GUESS)
    with pytest.raises(UsageError, match="there is already a scorer called guess"):
        registry.register(dataclasses.replace(GUESS, needs_torch=True))
    with pytest.raises(UsageError, match="3 is not a scorer"):
        registry.register(3)
    with pytest.raises(UsageError, match="must be StackLSTMSettings, not PerceptronSettings"):
        Settings(scorer_name=OTHER.name)
