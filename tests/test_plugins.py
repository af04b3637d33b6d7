"""Code from outside: files and entry points are loaded when a name is unknown, and worker processes load the same."""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from multiprocessing import get_context

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath import oracles, plugins, systems
from gardenpath.cli.main import _with_code_first, app_with
from gardenpath.oracles.arc_standard import ArcStandardOracle
from gardenpath.systems.arc_standard import ArcStandard
from sample import SAMPLE, small

EXAMPLE = SAMPLE.parents[1] / "docs" / "examples" / "arc_hybrid" / "arc_hybrid_python.py"
NAME = "arc-hybrid-python"


@pytest.fixture(autouse=True)
def registries(monkeypatch):
    """Registries that forget what a test adds, and know nothing of arc-standard."""
    monkeypatch.setattr(
        systems, "_SYSTEMS", {name: each for name, each in systems._SYSTEMS.items() if name != "arc-standard"}
    )
    monkeypatch.setattr(
        oracles, "_ORACLES", {name: each for name, each in oracles._ORACLES.items() if name != "arc-standard"}
    )
    monkeypatch.setattr(plugins, "_loaded", set())
    monkeypatch.setenv(plugins.CODE, "")


@pytest.fixture
def installed(monkeypatch):
    """Entry points of an installed package; returns a function to add one."""
    found = {"gardenpath.systems": {}, "gardenpath.oracles": {}}
    monkeypatch.setattr(plugins, "entry_points", lambda group: found[group])

    def add(group, name, value):
        found[group][name] = EntryPoint(name, value, group)

    return add


def file(tmp_path, text, name="mine.py"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_executed_once(tmp_path, capsys):
    path = file(tmp_path, "print('executed', __name__)")
    plugins.load_code([path, str(path)])
    plugins.load_code([path])
    assert capsys.readouterr().out.count("executed gardenpath_code_mine_") == 1
    assert os.environ[plugins.CODE] == str(path)
    assert plugins.environment() == {plugins.CODE: str(path)}


def test_files_of_the_same_name_are_two_modules(tmp_path):
    (tmp_path / "other").mkdir()
    plugins.load_code([file(tmp_path, "x = 1"), file(tmp_path / "other", "x = 2")])
    assert sorted(
        module.x
        for name, module in sys.modules.items()
        if name.startswith("gardenpath_code_mine_") and hasattr(module, "x")
    )[-2:] == [1, 2]
    assert len(os.environ[plugins.CODE].split(os.pathsep)) == 2


def test_a_file_can_import_what_is_beside_it(tmp_path):
    file(tmp_path, "value = 3", "a_module_beside_it.py")
    plugins.load_code([file(tmp_path, "from a_module_beside_it import value\nassert value == 3")])


@pytest.mark.parametrize("text, message", [
    ("x = 1\n\ny = x / 0\n", "line 3: ZeroDivisionError: division by zero"),
    ("def f():\n    raise KeyError('x')\n\nf()\n", "line 2: KeyError: 'x'"),
    ("def f(:\n", "line 1: SyntaxError: invalid syntax"),
    ("import gardenpath as gp\ngp.systems.get('nonsense')", "line 2: UsageError: no system is called 'nonsense'"),
])
def test_an_error_names_file_and_line(tmp_path, text, message):
    path = file(tmp_path, text)
    for _ in range(2):
        with pytest.raises(gp.UsageError) as raised:
            plugins.load_code([path])
        assert str(raised.value).startswith(f"{path}, {message}")
    assert plugins.CODE not in plugins.environment()


def test_files_that_cannot_be_executed(tmp_path):
    with pytest.raises(gp.UsageError, match="there is no such file to load code from"):
        plugins.load_code([tmp_path / "nothing.py"])
    with pytest.raises(gp.UsageError, match=r"its name must end with \.py"):
        plugins.load_code([file(tmp_path, "", "mine.txt")])


def test_the_environment_is_read_when_a_name_is_unknown(monkeypatch):
    monkeypatch.setenv(plugins.CODE, str(EXAMPLE))
    systems.get("arc-eager")
    assert NAME not in systems._SYSTEMS
    assert isinstance(oracles.get(NAME), oracles.PythonOracle)


def test_the_environment_is_read_for_a_listing(monkeypatch):
    monkeypatch.setenv(plugins.CODE, str(EXAMPLE))
    assert NAME in systems.names()


def test_entry_points(installed):
    installed("gardenpath.systems", "arc-standard", "gardenpath.systems.arc_standard:ArcStandard")
    installed("gardenpath.oracles", "arc-standard", "gardenpath.oracles.arc_standard:ArcStandardOracle")
    assert "arc-standard" not in systems._SYSTEMS
    assert isinstance(systems.get("arc-standard", single_root=True), ArcStandard)
    assert isinstance(oracles.get("arc-standard"), ArcStandardOracle)


def test_a_listing_has_all_entry_points(installed):
    installed("gardenpath.systems", "arc-standard", "gardenpath.systems.arc_standard:ArcStandard")
    assert systems.names()[-1] == "arc-standard"
    assert oracles.kinds("arc-standard") == ["exact"]


def test_only_the_entry_point_that_is_asked_for_is_loaded(installed):
    installed("gardenpath.systems", "broken", "gardenpath.nonsense:System")
    installed("gardenpath.systems", "arc-standard", "gardenpath.systems.arc_standard:ArcStandard")
    assert systems.get("arc-standard").name == "arc-standard"
    with pytest.raises(
        gp.UsageError,
        match=r"the entry point broken = gardenpath\.nonsense:System of gardenpath.systems cannot be loaded",
    ):
        systems.get("broken")
    with pytest.raises(gp.UsageError, match="no system is called 'nonsense'"):
        systems.get("nonsense")


@pytest.mark.parametrize(
    "arguments, code, others",
    [
        ([], [], []),
        (["train", "x"], [], ["train", "x"]),
        (["--code", "x.py", "train", "--code", "y.py"], ["--code", "x.py", "--code", "y.py"], ["train"]),
        (["--code=x.py", "--code", "train", "parse"], ["--code=x.py", "--code", "train"], ["parse"]),
        (["parse", "-m", "x", "--code", "y.py", "z"], ["--code", "y.py"], ["parse", "-m", "x", "z"]),
        (["parse", "--", "--code", "y.py"], [], ["parse", "--", "--code", "y.py"]),
    ],
)
def test_code_is_found_among_the_arguments(arguments, code, others):
    assert _with_code_first(arguments) == (code, others)


@pytest.mark.parametrize("arguments", [["systems", "--code"], ["systems", "--code", "--help"]])
def test_code_needs_a_file(arguments):
    done = subprocess.run(
        [sys.executable, "-m", "gardenpath", *arguments], capture_output=True, text=True, check=False,
    )
    assert (done.returncode, done.stderr) == (2, "gardenpath: `--code` needs a file: gardenpath COMMAND --code FILE\n")


def test_the_option_comes_before_or_after_the_command(tmp_path):
    result = CliRunner().invoke(app_with(("systems",)), ["--code", str(EXAMPLE), "systems"])
    assert NAME in result.stdout
    after = [sys.executable, "-m", "gardenpath", "systems", "--code", EXAMPLE]
    assert NAME in subprocess.run(after, capture_output=True, text=True, check=True).stdout
    failed = subprocess.run(
        [sys.executable, "-m", "gardenpath", "--code", file(tmp_path, "1 / 0"), "systems"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (failed.returncode, failed.stderr) == (
        2,
        f"gardenpath: {tmp_path / 'mine.py'}, line 1: ZeroDivisionError: division by zero\n",
    )


def test_a_spawned_process_finds_it(monkeypatch):
    plugins.load_code([EXAMPLE])
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(systems.is_known, [NAME])


def test_an_experiment_with_worker_processes(tmp_path):
    (tmp_path / "sample").mkdir()
    for part in ("train", "dev", "test"):
        small(tmp_path, 20).rename(tmp_path / "sample" / f"sample-{part}.conllu")
    plan = file(
        tmp_path,
        f'title = "t"\ntreebanks = ["sample"]\n[settings]\ntags = "gold"\nepochs = 1\n[[grid]]\nsystem = ["{NAME}"]\n',
        "plan.toml",
    )
    run = [
        sys.executable,
        "-m",
        "gardenpath",
        "--code",
        EXAMPLE,
        "experiment",
        plan,
        "--output",
        tmp_path / "results",
        "--workers",
        "1",
    ]
    result = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (result.returncode, NAME in result.stdout) == (0, True), result.stderr
