"""Run the examples of the README and compare their output.

A console block has commands (`$ ...`), each followed by lines of its output; `...` stands for omitted lines. A python
block is executed; the comment after a `print` is its expected output.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
FENCED = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^\s*print\(.*\)\s+# (.*)$", re.MULTILINE)
NOT_RUN = ("make ", "pip ")


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """Provide a folder with the sample treebank, its experiment and the sources that pages compile."""
    (tmp_path / "data" / "sample").mkdir(parents=True)
    sample = REPOSITORY / "data" / "sample"
    for path in (*sample.glob("*.conllu"), *sample.glob("*.toml")):
        shutil.copy(path, tmp_path / "data" / "sample")
    shutil.copytree(
        REPOSITORY / "docs" / "examples",
        tmp_path / "docs" / "examples",
        ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.cpp", "build"),
    )
    shutil.copy(REPOSITORY / "LICENSE", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_blocks(page):
    """Run the blocks of a page in order, in the same folder. Return the number of blocks."""
    text = page.read_text(encoding="utf-8")
    blocks = list(FENCED.finditer(text))
    for block in blocks:
        place = f"{page.name}:{text.count(chr(10), 0, block.start()) + 1}"
        (run_python if block[1] == "python" else run_console)(block[2], place)
    return len(blocks)


def run_python(code, place):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, place, "exec"), {"__name__": "__main__"})
    see_in_order(PRINTED.findall(code), printed.getvalue(), place)


def run_console(block, place):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = example.splitlines()
        if command.startswith(NOT_RUN):
            continue
        result = subprocess.run(
            command, shell=True, capture_output=True, encoding="utf-8", env=os.environ | {"PATH": path}, check=False
        )
        assert result.returncode == 0, f"{place}: {command}: {result.stderr}"
        see_in_order([line for line in shown if line != "..."], result.stdout, place)


def see_in_order(wanted, printed, place):
    """Check that the wanted lines were printed in this order, ignoring spaces and large numbers (scores)."""
    lines = iter([plain(line) for line in printed.splitlines()])
    for line in wanted:
        assert plain(line) in lines, f"{place}: {line!r} was not printed here:\n{printed}"


def plain(line):
    return re.sub(r"\d{1,3}(,\d{3})+", "N", " ".join(line.split()))


def test_the_examples_run(workplace):
    assert run_blocks(REPOSITORY / "README.md") >= 8


def test_repairs_depend_on_the_seed(workplace):
    """One seed leads to a repair, the other to a correct parse without one."""
    import gardenpath as gp
    from gardenpath.parsing.trace import trace_parser

    sentence = next(
        sentence
        for sentence in gp.read_conllu("data/sample/sample-test.conllu")
        if sentence.sent_id == "sample-test-043"
    )
    gold = sentence.heads
    for seed, repairs in ((9, ["LEFT-ARC(nsubj)"]), (3, [])):
        model = gp.train(
            "data/sample/sample-train.conllu",
            tags="gold",
            features="zhang-nivre",
            margin=0,
            min_updates=1,
            epochs=5,
            seed=seed,
        )
        assert [step.text for step in trace_parser(model.parser, sentence.words) if step.repair] == repairs
        model.parse([sentence])
        assert sentence.heads == gold
