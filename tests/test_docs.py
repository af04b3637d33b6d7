"""Check the documentation: generated pages are up to date, tables match the code, examples run, links work."""

import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.core import storage
from gardenpath.core.settings import settings_of
from gardenpath.evaluation import METRICS
from gardenpath.features.templates import names, read_templates
from gardenpath.models import scorers
from gardenpath.models.setting_names import flat_settings
from scripts import load_script
from test_readme import REPOSITORY, run_blocks, workplace

__all__ = ["workplace"]

DOCS = REPOSITORY / "docs"
SOURCE = REPOSITORY / "src" / "gardenpath"
WRITTEN = [path for folder in (".", "tutorials", "howto") for path in sorted(DOCS.glob(f"{folder}/*.md"))]
PAGES = [
    *sorted(REPOSITORY.glob("*.md")),
    *WRITTEN,
    *sorted(DOCS.glob("systems/*.md")),
    *sorted(DOCS.glob("results/*.md")),
]
WITH_EXAMPLES = [
    path for path in WRITTEN if re.search(r"^```(python|console)$", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def short(path):
    """Return the id of a page in parametrised tests."""
    return path.relative_to(REPOSITORY).as_posix()


def script(name):
    """Import a script of docs/ as a module."""
    return load_script(DOCS / f"{name}.py")


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


def rows(name, header):
    """Return the rows of the table with this header, as lists of cells without backquotes."""
    table = re.search(rf"^\| {re.escape(header)} \|.*\n\|[-| ]+\|\n((?:\|.*\n)*)", text_of(name), re.MULTILINE)
    assert table, f"{name} has no table that begins with {header!r}"
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in table[1].splitlines()]


@pytest.mark.parametrize("name", gp.systems.names())
def test_pages_of_systems_are_up_to_date(name):
    assert text_of(f"systems/{name}.md") == script("make_systems").page(name), "run: python docs/make_systems.py"


def test_every_system_has_a_page_and_every_page_a_system():
    assert sorted(path.stem for path in (DOCS / "systems").iterdir()) == sorted(gp.systems.names())
    assert [row[0] for row in rows("index.md", "system")] == [
        f"[{name}](systems/{name}.md)" for name in gp.systems.names()
    ]


def test_the_page_of_the_command_line_is_up_to_date():
    assert text_of("cli.md") == script("make_cli").page(), "run: python docs/make_cli.py"


def test_the_page_of_the_python_api_is_up_to_date():
    assert text_of("reference.md") == script("make_reference").page(), "run: python docs/make_reference.py"


def test_the_page_of_the_python_api_has_every_public_name():
    described = {
        line.removeprefix("### gp.").split(".")[0]
        for line in text_of("reference.md").splitlines()
        if line.startswith("### gp.")
    }
    assert set(gp.__all__) <= described
    for part in ("systems", "oracles", "evaluation"):
        names = {name for name in getattr(gp, part).__all__ if not name.isupper()}
        assert names - {"evaluate", "compare", "diff"} <= set(
            re.findall(rf"^### gp\.{part}\.(\w+)$", text_of("reference.md"), re.MULTILINE)
        ), part


def test_the_code_that_pages_show_is_that_of_the_example():
    shown = re.findall(r"^```(?:cython|py)\n(.*?)^```$", text_of("adding-a-system.md"), re.MULTILINE | re.DOTALL)
    files = [path.read_text(encoding="utf-8") for path in sorted((DOCS / "examples" / "arc_hybrid").glob("*.py*"))]
    assert len(shown) > 5
    assert [block for block in shown if not any(block in file for file in files)] == []


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=short)
def test_examples_run(page, workplace):
    assert run_blocks(page) > 0


def defaults(page):
    """Return the default of each setting in the tables of a page."""
    tables = re.findall(r"^\| setting \|.*\n\|[-| ]+\|\n((?:\|.*\n)*)", text_of(page), re.MULTILINE)
    cells = [[cell.strip("| `") for cell in line.split(" | ")] for table in tables for line in table.splitlines()]
    return {row[0]: row[1] for row in cells}


def test_settings_and_their_defaults():
    """Those of the network have a page of their own."""
    def declared(*names):
        owners = {name: part for each in names for name, part in flat_settings(scorers.get(each)).items()}
        return {name: str(settings_of(part)[name].default) for name, part in owners.items()}

    assert defaults("training.md") == declared("perceptron", "stack-lstm")
    own = settings_of(scorers.get("network").settings)
    assert defaults("network.md") == {name: declared("network")[name] for name in own} | {"epochs": "by size"}


def test_every_package_is_described():
    text = text_of("architecture.md")
    packages = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
    assert sorted(re.findall(r"^\*\*(\w+)\*\* ", text, re.MULTILINE)) == packages
    picture = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    assert [name for name in packages if not re.search(rf"\b{name}\b", picture)] == []


def test_template_sets_and_limits():
    text = text_of("features.md")
    assert sorted(row[0] for row in rows("features.md", "set")) == names()
    assert f"the {len(read_templates('zhang-nivre'))} templates" in text
    files = ("perceptron/extractor.pxd", "perceptron/weights.pxd", "systems/addresses.pxd")
    declared = "".join((SOURCE / name).read_text(encoding="utf-8") for name in files)
    limits = dict(re.findall(r"(MAX_\w+) = (\d+)", declared))
    for limit, words in (
        ("MAX_KEYS", "templates"),
        ("MAX_ADDRESSES", "different addresses"),
        ("MAX_ATOMS", "different atoms"),
    ):
        assert f"{limits[limit]} {words}" in text


def test_the_model_file(workplace):
    assert f"the version of the file format: `{storage.FORMAT}`" in text_of("model-file.md")
    Path("clusters.txt").write_text("0\tthe\t2\n1\tdog\t2\n")
    model = gp.train(
        "data/sample/sample-train.conllu", dev="data/sample/sample-dev.conllu", epochs=1, clusters="clusters.txt"
    )
    described = [key.strip("`") for row in rows("model-file.md", "key") for key in row[0].split(", ")]
    assert sorted(described) == sorted(model.description)
    model.save("model.gp")
    patterns = [
        name.strip("`")
        for table in ("array", "arrays")
        for row in rows("model-file.md", table)
        for name in re.split("[,;] ", row[0])
    ]
    matched = {
        name: [pattern for pattern in patterns if fnmatchcase(name, pattern)] for name in storage.load("model.gp")[0]
    }
    assert all(len(found) == 1 for found in matched.values()), matched
    assert set(patterns) - {found[0] for found in matched.values()} == {"tokenizer.udpipe"}


def test_metrics():
    assert [name for row in rows("evaluation.md", "metric") for name in row[0].split(", ")] == list(METRICS)


def test_dependencies():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def bare(requirements):
        return [re.match(r"[\w.-]+(\[\w+\])?", requirement)[0] for requirement in requirements]

    assert sorted(row[0] for row in rows("dependencies.md", "package")) == sorted(bare(project["dependencies"]))
    described = {row[0]: [name.strip("`") for name in row[1].split(", ")] for row in rows("dependencies.md", "extra")}
    assert described == {extra: bare(requirements) for extra, requirements in project["optional-dependencies"].items()}


def test_the_changelog_knows_the_version():
    assert f"## [{gp.__version__}]" in (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_index_leads_to_every_page():
    """Every page has a table row in the index; reports are linked from their own page."""
    rows = set(re.findall(r"^\| \[.+?\]\(([^)#]+)", text_of("index.md"), re.MULTILINE))
    linked = rows | {f"results/{name}" for name in re.findall(r"\]\(([^)#]+)", text_of("results/README.md"))}
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if path.parent.name != "systems_text"} - {
        "index.md"
    } <= linked


def test_ready_made_experiments_are_described():
    names = {path.name for path in (REPOSITORY / "experiments").glob("*.toml")}
    assert {row[0] for row in rows("experiments.md", "experiment")} == names
    assert {f"{path.name}.toml" for path in (DOCS / "results").iterdir() if path.is_dir()} <= names


def anchors(path):
    """Return the anchors of the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=short)
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(path), f"{page.name}: {target}#{anchor}"


def test_no_page_has_a_blank_to_fill_in():
    pages = [*(page for page in DOCS.rglob("*.md") if page.parent.name != "systems_text"), *REPOSITORY.glob("*.md")]
    assert [str(page) for page in pages if "{{" in page.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("name", ["ci", "release"])
def test_actions_are_pinned_by_hash(name):
    """A tag can be moved to other code."""
    workflow = REPOSITORY / ".github" / "workflows" / f"{name}.yml"
    actions = re.findall(r"\buses: *(\S+)", workflow.read_text(encoding="utf-8"))
    assert actions
    assert [action for action in actions if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []
