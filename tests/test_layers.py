"""Packages depend on lower packages only."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

import gardenpath
from gardenpath import systems
from gardenpath.models import scorers

ROOT = Path(gardenpath.__file__).parent
# From the lowest layer to the highest; packages of one line do not depend on each other unless the line says so.
LAYERS = """
errors interruption signals version
plugins batches files machine threads trees catalogue
formats
pseudo evaluation
queries
core
features
systems
oracles
constraints
parsing
perceptron neural
pipeline
segmentation tagging clusters
network
models
crews analysis
experiments
report
treebank corpus
making
integrations web
cli
__init__ __main__
"""
RANK = {name: rank for rank, line in enumerate(LAYERS.strip().splitlines()) for name in line.split()}
IMPORT = re.compile(
    r"^\s*(?:from gardenpath((?:\.\w+)*) c?import (\([^)]*\)|[^#\n]*)|c?import gardenpath((?:\.\w+)*))", re.MULTILINE
)


def modules():
    return [path for path in ROOT.rglob("*") if path.suffix in {".py", ".pyx", ".pxd", ".pyi"}]


def package_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else path.stem


def imported(text):
    """Return the packages that the imports and cimports of a module name, whether they are executed or not."""
    for found in IMPORT.finditer(text):
        package = (found[1] or found[3] or "").strip(".").split(".")[0]
        if package:
            yield package
        else:
            names = re.split(r"[,()\n]", found[2] or "__init__")
            yield from (name.split(" as ")[0].strip() for name in names if name.strip())


def edges():
    found = defaultdict(set)
    for path in modules():
        own = package_of(path)
        for other in imported(path.read_text(encoding="utf-8")):
            if other != own:
                found[own, other].add(str(path.relative_to(ROOT)))
    return found


def test_every_package_has_a_layer():
    assert {package_of(path) for path in modules()} == RANK.keys()
    assert len(edges()) > 100


def test_packages_depend_on_lower_ones_only():
    assert {edge: files for edge, files in edges().items() if RANK[edge[1]] >= RANK[edge[0]]} == {}


@pytest.mark.parametrize("line, packages", [
    ("from gardenpath.parsing.parser cimport Parser", ["parsing"]),
    ("    from gardenpath import oracles, systems as s", ["oracles", "systems"]),
    ("import gardenpath.core.storage", ["core"]),
    ("from gardenpath import (\n    web,\n    cli,\n)", ["web", "cli"]),
    ("import gardenpath", ["__init__"]),
])
def test_imports_are_found(line, packages):
    assert list(imported(line)) == packages


def test_only_the_package_of_a_scorer_names_it():
    """Names in strings and in comparisons; prose may mention a scorer."""
    homes = {"perceptron", "network", "neural"}
    named = re.compile("|".join(f"[\"'`]{re.escape(name)}[\"'`]" for name in scorers.names()))
    places = [
        str(path) for path in modules()
        if package_of(path) not in homes and named.search(path.read_text(encoding="utf-8"))
    ]
    assert places == []


def test_only_systems_oracles_and_constraints_name_a_system():
    names = [name for name in systems.names() if name != "swap"]        # `swap` is a transition, too
    named = re.compile("|".join(f"[\"'`]{re.escape(name)}[\"'`]" for name in [*names, "swap"]))
    allowed = {"systems", "oracles", "constraints"}
    places = [
        str(path.relative_to(ROOT)) for path in modules()
        if package_of(path) not in allowed and named.search(path.read_text(encoding="utf-8"))
    ]
    assert [place for place in places if place != "core/moves.pyx"] == []
