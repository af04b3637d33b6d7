"""Systems and oracles in plain Python: the documented example is exact and works everywhere; mistakes raise errors."""

import json
import threading
import urllib.request

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from brute import projective_trees
from gardenpath import oracles, plugins, systems
from gardenpath.cli.main import COMMANDS, app_with
from gardenpath.oracles import PythonOracle
from gardenpath.systems import PythonSystem
from gardenpath.trees import is_tree
from sample import DEV, SAMPLE, TEST, TRAIN, small
from web.serving import running_server

EXAMPLE = SAMPLE.parents[1] / "docs" / "examples" / "arc_hybrid" / "arc_hybrid_python.py"
NAME = "arc-hybrid-python"
MODES = pytest.mark.parametrize("single_root", [False, True])


@pytest.fixture(autouse=True)
def registries(monkeypatch):
    """Registries that forget what a test adds."""
    monkeypatch.setattr(systems, "_SYSTEMS", dict(systems._SYSTEMS))
    monkeypatch.setattr(oracles, "_ORACLES", dict(oracles._ORACLES))
    monkeypatch.setattr(plugins, "_loaded", set())
    monkeypatch.setenv(plugins.CODE, "")


@pytest.fixture
def example():
    plugins.load_code([EXAMPLE])


def reachable(system, n):
    found, waiting = {}, [system.initial(n)]
    while waiting:
        c = waiting.pop()
        if c.key() not in found:
            found[c.key()] = c
            for move in system.valid(c):
                after = c.copy()
                system.apply(after, move)
                waiting.append(after)
    return list(found.values())


@MODES
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_example_is_exact(example, single_root, n):
    """Losses and costs equal those of the search, in every configuration and for every projective tree."""
    kinds = ("dynamic", "static", "exact")
    oracle, static, search = (gp.oracles.get(NAME, kind, single_root=single_root) for kind in kinds)
    configurations = reachable(oracle.system, n)
    for gold in projective_trees(n, single_root):
        assert static.derives(gold)
        for c in configurations:
            assert oracle.loss(c, gold) == search.loss(c, gold), (c, gold)
            assert oracle.costs(c, gold) == search.costs(c, gold), (c, gold)


@MODES
def test_the_example_builds_every_projective_tree(example, single_root):
    system = gp.systems.get(NAME, single_root=single_root)
    ends = {tuple(c.heads) for c in reachable(system, 4) if system.is_final(c)}
    assert ends == set(projective_trees(4, single_root))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"beam": 3},
        {"oracle": "static"},
        {"oracle": "nondet"},
        {"prefer": "gold-first"},
        {"prefer": "any"},
        {"single_root": False},
    ],
    ids=str,
)
def test_training_and_parsing(example, settings):
    model = gp.train(TRAIN, dev=DEV, system=NAME, tags="gold", epochs=2, **settings)
    assert gp.evaluate(TEST, model.parse(gp.read_conllu(TEST), threads=2)).las > 85


def test_saving_and_tracing(example, tmp_path):
    gp.train(TRAIN, system=NAME, tags="gold", epochs=1).save(tmp_path / "model.gp")
    model = gp.load(tmp_path / "model.gp")
    sentence = next(iter(gp.read_conllu(TEST)))
    steps = list(model.trace(sentence))
    assert len(steps) == 2 * len(sentence)
    assert steps[0].text == "SHIFT"
    assert [step.configuration.stack for step in steps[:2]] == [[0], [0, 1]]
    assert any(step.label for step in steps)


def test_the_network(example, tmp_path):
    chosen = {"scorer": "network", "layers": 1, "hidden_size": 16, "tokenizer": "none"}
    model = gp.train(small(tmp_path, 10), system=NAME, epochs=1, **chosen)
    model.save(tmp_path / "model.gp")
    for sentence in gp.load(tmp_path / "model.gp").parse(list(gp.read_conllu(TEST))[:5]):
        assert is_tree(sentence.heads, single_root=True)


def test_the_command_line(example, tmp_path):
    def run(*arguments):
        result = CliRunner().invoke(app_with(COMMANDS), ["--code", str(EXAMPLE), *map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert NAME in run("systems")
    run("train", small(tmp_path), "--system", NAME, "--tags", "gold", "--epochs", 1, "--output", tmp_path / "model.gp")
    assert "SHIFT" in run("trace", TEST, "--system", NAME, "--gold")
    assert "loss" in run("trace", TEST, "--model", tmp_path / "model.gp", "--gold", "--what-if", "1=shift")
    run("parse", "--model", tmp_path / "model.gp", TEST, "--output", tmp_path / "parsed.conllu")
    assert len(list(gp.read_conllu(tmp_path / "parsed.conllu"))) == len(list(gp.read_conllu(TEST)))


def test_the_page(example, tmp_path):
    gp.train(small(tmp_path), system=NAME, tags="gold", epochs=1).save(tmp_path / "model.gp")
    sentence = next(iter(gp.read_conllu(TEST)))
    with running_server("en", f"hybrid={tmp_path / 'model.gp'}", env={plugins.CODE: str(EXAMPLE)}) as server:
        with urllib.request.urlopen(f"{server.url}/api/systems/{NAME}") as answer:
            assert json.load(answer)["moves"] == ["shift", "left-arc", "right-arc"]
        for who in ({"system": NAME}, {"model": "hybrid"}):
            content = json.dumps({"conllu": sentence.to_conllu(), "gold": True, **who}).encode()
            asked = urllib.request.Request(f"{server.url}/api/trace", content, {"Content-Type": "application/json"})
            with urllib.request.urlopen(asked) as answer:
                steps = json.load(answer)["steps"]
            assert len(steps) == 2 * len(sentence)
            assert steps[1]["moves"][0]["cost"] is not None


class Chain(PythonSystem):
    """Every word becomes the head of the next one: one transition with a name of its own."""

    name = "chain"
    transitions = (("read", None), ("link", ("S0", "N0")), ("end", None))
    single_root = True

    def initial(self, n):
        return self.configuration(n, buffer=range(1, n + 1))

    def valid(self, c):
        return ["read"] if not c.stack else ["link"] if c.buffer else [] if c.flag else ["end"]

    def apply(self, c, move, label=None):
        if move == "end":
            c.flag = True
            return
        if move == "read":
            c.add_arc(0, c.buffer[0])
        else:
            c.add_arc(c.stack[-1], c.buffer[0], label)
        c.marks = c.marks | {c.buffer[0]}
        c.stack, c.buffer = c.stack + c.buffer[:1], c.buffer[1:]

    def is_final(self, c):
        return c.flag


class ChainOracle(PythonOracle):
    """Nothing can be done about any arc."""

    def costs(self, c, gold):
        return dict.fromkeys(self.system.valid(c), 0)


def chain(**changes):
    """A class like Chain with other methods, registered."""
    definition = type("Chain", (Chain,), changes)
    systems.register(definition)
    oracles.register("chain", ChainOracle)
    return systems.get("chain")


def test_transitions_with_names_of_their_own():
    system = chain()
    c = system.initial(3)
    assert (system.moves, system.single_root, system.is_projective) == (["read", "link", "end"], True, True)
    for move, label in (("read", None), ("link", "x"), ("link", "y"), ("end", None)):
        assert list(system.valid(c)) == [move]
        system.apply(c, move, label)
    assert (c.heads, c.labels, c.marks, c.flag, system.is_final(c)) == (
        [0, 1, 2],
        [None, "x", "y"],
        {1, 2, 3},
        True,
        True,
    )
    c.remove_arc(2)
    assert c.heads == [0, -1, 2]


def test_labels_are_learnt_for_them(tmp_path):
    chain()
    model = gp.train(small(tmp_path), system="chain", tags="gold", epochs=1, nonprojective="lift")
    parsed = next(iter(model.parse(gp.read_conllu(TEST))))
    assert parsed.heads == list(range(len(parsed)))
    assert parsed.words[0].deprel == "root"
    assert all(word.deprel not in ("root", "_") for word in parsed.words[1:])


def test_only_its_own_transitions_change_a_configuration():
    c = gp.systems.get("arc-eager").initial(2)
    for change in (
        lambda: setattr(c, "stack", [1]),
        lambda: setattr(c, "buffer", []),
        lambda: c.add_arc(0, 1),
        lambda: c.remove_arc(1),
        lambda: setattr(c, "flag", True),
        lambda: setattr(c, "marks", [1]),
    ):
        with pytest.raises(gp.UsageError, match=r"changes only by `system.apply`"):
            change()


def test_impossible_changes():
    c = chain().initial(2)
    for words in ([1, 1], [3], [-1]):
        with pytest.raises(gp.UsageError, match="must be different words from 0"):
            c.stack = words
    for head, dependent in ((3, 1), (1, 1), (-1, 1), (0, 0), (0, 3)):
        with pytest.raises(gp.UsageError):
            c.add_arc(head, dependent)


def test_a_configuration_that_was_kept_is_empty_later(tmp_path):
    """The native core lends its configurations; they are not to be used after the call."""
    kept = []

    def valid(self, c):
        kept.append(c)
        return Chain.valid(self, c)

    chain(valid=valid)
    gp.train(small(tmp_path, 1), system="chain", tags="gold", epochs=1)
    for c in kept[:5]:
        assert (c.stack, c.buffer, c.heads, c.labels, c.marks, len(c)) == ([], [], [], [], set(), 0)
        assert c.key()
        for use in (c.copy, lambda c=c: c.children(0), lambda c=c: c.add_arc(0, 1)):
            with pytest.raises(gp.UsageError):
                use()


# ---- mistakes --------------------------------------------------------------------------------------------------------


def broken(method):
    def fails(self, *_):
        raise ZeroDivisionError(method)

    return {method: fails}


@pytest.mark.parametrize("method", ["initial", "valid", "apply", "is_final", "max_transitions", "arc"])
@pytest.mark.parametrize("kind", ["static", "exact"])
def test_errors_in_a_system_are_raised(method, kind):
    chain(**broken(method))
    if (method, kind) == ("arc", "exact"):
        assert oracles.get("chain", kind).derives([0, 1, 2])       # the search only applies transitions
        return
    with pytest.raises(ZeroDivisionError, match=method):
        oracles.get("chain", kind).derives([0, 1, 2])


def test_errors_in_an_oracle_are_raised():
    system = chain()
    oracles._ORACLES["chain"] = type("Broken", (PythonOracle,), broken("costs"))
    for use in (
        lambda oracle, c: oracle.training(c, [0, 1]),
        lambda oracle, c: oracle.derives([0, 1]),
        lambda oracle, c: oracle.loss(c, [0, 1]),
    ):
        for kind in ("static", "dynamic"):
            with pytest.raises(ZeroDivisionError, match="costs"):
                use(oracles.get("chain", kind), system.initial(2))


def test_an_error_belongs_to_its_thread():
    here = threading.get_ident()

    def apply(self, c, move, label=None):
        if threading.get_ident() != here:
            raise ZeroDivisionError
        Chain.apply(self, c, move, label)

    chain(apply=apply)
    oracle, raised = oracles.get("chain", "static"), []

    def derive():
        try:
            oracle.derives([0, 1])
        except ZeroDivisionError:
            raised.append(True)

    other = threading.Thread(target=derive)
    other.start()
    other.join()
    assert oracle.derives([0, 1])
    assert raised == [True]


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"valid": lambda self, c: ["jump"]}, "chain: `valid` names 'jump'; the transitions are read, link, end"),
        (
            {"initial": lambda self, n: systems.get("arc-eager").initial(n)},
            "belongs to arc-eager, not to <system chain>",
        ),
        ({"initial": lambda self, n: self.configuration(n + 1)}, "`initial` was asked for 2 words and returned 3"),
        ({"valid": lambda self, c: []}, "chain is stuck on a sentence of 2 words: no transition is valid"),
        (
            {"is_final": lambda self, c: False, "valid": lambda self, c: ["end"]},
            "chain has made 144 transitions on a sentence of 2 words",
        ),
    ],
)
def test_mistakes_of_a_system(changes, message):
    chain(**changes)
    with pytest.raises(gp.UsageError, match=message):
        oracles.get("chain", "static").derives([0, 1])


def test_costs_that_are_missing():
    system = chain()
    oracles._ORACLES["chain"] = type("Short", (PythonOracle,), {"costs": lambda self, c, gold: {}})
    with pytest.raises(gp.UsageError, match="Short: `costs` lacks read, valid in Configuration"):
        oracles.get("chain").training(system.initial(2), [0, 1])


@pytest.mark.parametrize("changes, message", [
    ({"transitions": {}}, "has 0 transitions; 1 to 16 are possible"),
    ({"transitions": {str(i): None for i in range(17)}}, "has 17 transitions"),
    ({"transitions": {str(i): None for i in range(14)}}, "has more than 13 transitions with names of its own"),
    ({"transitions": {"go": ("S0", "X1")}}, "'X1' is not an address such as S0 or N0"),
    ({"name": ""}, "Chain has no name; set `name` in the class"),
    ({"name": "swap"}, "there is already a system called swap, Swap; give Chain another name"),
])
def test_definitions_that_are_refused(changes, message):
    with pytest.raises(gp.UsageError, match=message):
        systems.register(type("Chain", (Chain,), changes))


def test_what_is_not_defined():
    class Nothing(PythonSystem):
        name, transitions = "nothing", {"shift": None}

    with pytest.raises(NotImplementedError, match="Nothing does not define `initial`"):
        Nothing().initial(1)
    with pytest.raises(gp.UsageError, match="nothing has no transition called 'reduce'; there are shift"):
        Nothing().arc(Nothing().configuration(1), "reduce")
    assert Nothing().definition == "nothing"
