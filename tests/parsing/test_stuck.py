"""A system that gets stuck or does not end raises an error, in parsing and in training."""

from typing import ClassVar

import pytest

import gardenpath as gp
from gardenpath import oracles, systems
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.python_scorer import PythonScorer
from gardenpath.systems.classes import Classes
from sample import DEV

SENTENCES = list(gp.read_conllu(DEV))[:4]


class Stuck(systems.PythonSystem):
    """Shifts words, and then has nothing to do."""

    name = "stuck"
    transitions: ClassVar = {"shift": None, "left-arc": ("N0", "S0")}

    def initial(self, n):
        return self.configuration(n, stack=[], buffer=range(1, n + 1))

    def valid(self, c):
        return [*(["shift"] if c.buffer else []), *(["left-arc"] if c.stack and c.buffer else [])]

    def apply(self, c, transition, label=None):
        if transition == "shift":
            c.stack, c.buffer = c.stack + c.buffer[:1], c.buffer[1:]
        else:
            c.add_arc(*self.arc(c, transition), label)
            c.stack = c.stack[:-1]

    def is_final(self, c):
        return False


class Endless(Stuck):
    """Moves a word from the buffer to the stack and back."""

    name = "endless"
    transitions: ClassVar = {"shift": None, "unshift": None, "left-arc": ("N0", "S0")}

    def valid(self, c):
        return [*(["shift"] if c.buffer else []), *(["unshift"] if c.stack else [])]

    def apply(self, c, transition, label=None):
        if transition == "shift":
            c.stack, c.buffer = c.stack + c.buffer[:1], c.buffer[1:]
        else:
            c.stack, c.buffer = c.stack[:-1], c.stack[-1:] + c.buffer


class ShiftOracle(oracles.PythonOracle):
    """All transitions are free."""

    def costs(self, c, gold):
        return dict.fromkeys(self.system.valid(c), 0)


class Equal(PythonScorer):
    """All scores are equal."""

    def score(self, words, configuration, transitions):
        return [0.0] * len(transitions)


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The systems are known during a test only."""
    monkeypatch.setattr(systems, "_SYSTEMS", dict(systems._SYSTEMS))
    monkeypatch.setattr(oracles, "_ORACLES", dict(oracles._ORACLES))
    for system in (Stuck, Endless):
        systems.register(system)
        oracles.register(system.name, ShiftOracle)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("name", ["stuck", "endless"])
def test_parsing_ends_with_an_error(name, width):
    system = systems.for_parsing(name, single_root=True)
    classes = Classes.of_trees(system, [(s.heads, [w.deprel for w in s]) for s in SENTENCES])
    with pytest.raises(gp.UsageError, match=rf"{name} .*words"):
        Parser(Equal(system, classes), width=width).parse([SENTENCES[0].words])


@pytest.mark.parametrize("name", ["stuck", "endless"])
def test_training_ends_with_an_error(name):
    settings = Settings.of(system=name, oracle="dynamic", tags="gold", epochs=1, nonprojective="lift")
    with pytest.raises(gp.GardenpathError, match=name):
        list(training(SENTENCES, None, settings))
