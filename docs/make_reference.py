"""Make docs/reference.md, the page of the Python API, from signatures and docstrings.

    python docs/make_reference.py [FILE]

Signatures are read from the source, or from the stub beside a compiled module; docstrings from the source, or from the compiled module itself.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "gardenpath"
NOTE = "<!-- Made by docs/make_reference.py from the code; change that and run it again. -->"
INTRO = """# The Python API

Every public name with its signature and what its docstring says. `gp` is `import gardenpath as gp`; parts such as `gp.systems` are loaded when they are \
first used. What is not here is for the inside of the library and may change with any version. Why things are as they are, with examples, is on the pages that \
each part names."""
WIDE = 110             # characters that a line of code may have


class Part(NamedTuple):
    """A section of the page: where its names are found, as `module: names`, and what to say of it."""

    title: str
    prefix: str
    names: dict[str, tuple[str, ...]]
    text: str


PARTS = (
    Part("Loading, training, scoring", "gp.", {
        "models.model": ("load",), "learning.run": ("train",), "evaluation.run": ("evaluate", "compare"),
    }, "The settings that `train` takes, with their defaults: [training](training.md#settings)."),
    Part("Reading and writing", "gp.", {
        "formats.conllu": ("read_conllu", "write_conllu"), "formats.conllup": ("read_conllup",), "formats.conllx": ("read_conllx",),
        "formats.arrow": ("read_parquet", "write_parquet"),
    }, "See [formats](formats.md)."),
    Part("Models", "gp.", {"models.model": ("Model",)}, "What `load` and `train` give."),
    Part("Documents", "gp.", {
        "document": ("Document", "Sentence", "Word", "Token", "EmptyNode"),
    }, "What travels from text to trees. See [formats](formats.md#conll-u) and [exports](exports.md)."),
    Part("Errors", "gp.", {
        "errors": ("GardenpathError", "InputError", "UsageError", "GardenpathWarning"),
    }, "Their messages name the thing, the place and the remedy."),
    Part("Systems", "gp.systems.", {
        "systems/__init__": ("names", "is_known", "get", "for_parsing", "register"), "systems.base": ("TransitionSystem", "Configuration"),
        "systems.python": ("PythonSystem",),
    }, "To walk by hand, or to [add one](adding-a-system.md)."),
    Part("Oracles", "gp.oracles.", {
        "oracles/__init__": ("kinds", "get", "of", "class_of", "option_limits", "bounds", "explores", "is_fixed", "register"), "oracles.base": ("Oracle",),
        "oracles.python": ("PythonOracle",),
    }, "See [oracles](oracles.md)."),
    Part("Evaluation", "gp.evaluation.", {
        "evaluation.result": ("Evaluation",), "evaluation.scores": ("Score",), "evaluation.attachment": ("Attachment",), "evaluation.breakdown": ("ArcScore",),
        "evaluation.comparison": ("Comparison",), "evaluation.significance": ("Contrast", "compare_runs", "holm"), "evaluation.wilcoxon": ("wilcoxon",),
        "evaluation.bootstrap": ("bootstrap_interval",),
    }, "See [evaluation](evaluation.md)."),
    Part("Traces", "gardenpath.search.trace.", {"search.trace": ("TraceStep",)}, "The steps that `model.trace` gives."),
    Part("Guides", "gardenpath.search.guides.", {
        "search.guides": ("by_moves", "by_oracle"),
    }, "`model.trace` takes a guide: who says which move is made next, in place of the parser. [An example](tutorials/researcher.md#2-what-a-move-costs)."),
    Part("Treebanks", "gp.treebank.", {"treebank.checking": ("check", "Report"), "treebank.statistics": ("describe",)}, "See [treebanks](treebanks.md)."),
    Part("Corpora", "gardenpath.corpus.", {"corpus.corpus": ("Corpus",), "corpus.plan": ("CorpusSettings",)}, "See [a corpus](corpus.md)."),
    Part("spaCy", "gardenpath.integrations.spacy.", {"integrations.spacy": ("load", "Component", "SpacyTokenizer")}, "See [spaCy](spacy.md)."),
)


def main(path: Path) -> None:
    """Write the page."""
    path.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page."""
    return "\n\n".join([NOTE, INTRO, *(section(part) for part in PARTS)]) + "\n"


def section(part: Part) -> str:
    """One part: each of its names."""
    entries = [_entry(part.prefix, Module(home), name) for home, names in part.names.items() for name in names]
    return "\n\n".join([f"## {part.title}", part.text, *entries])


class Module:
    """A module as its source, or the stub of its compiled form, describes it."""

    def __init__(self, name: str) -> None:
        path = SOURCE / name.replace(".", "/")
        self.is_compiled = path.with_suffix(".pyi").exists()
        self.runtime = import_module(f"gardenpath.{name.removesuffix('/__init__')}") if self.is_compiled else None
        tree = ast.parse(path.with_suffix(".pyi" if self.is_compiled else ".py").read_text(encoding="utf-8"))
        self.nodes = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}

    def docstring(self, node: ast.FunctionDef | ast.ClassDef, *path: str) -> str:
        """What is said of a node, found at this path of names; of compiled ones without the signature that Cython puts first."""
        if not self.is_compiled:
            return ast.get_docstring(node) or ""
        found = self.runtime
        for name in path:
            found = getattr(found, name)
        text = inspect.cleandoc(found.__doc__ or "")
        return text.split("\n", 1)[-1].strip() if text.startswith((f"{'.'.join(path)}(", f"{path[-1]}(")) else text


def _entry(prefix: str, module: Module, name: str) -> str:
    node = module.nodes[name]
    if isinstance(node, ast.FunctionDef):
        return "\n\n".join([f"### {prefix}{name}", f"```py\n{_folded(_call(name, node))}\n```", module.docstring(node, name)])
    attributes = [ast.unparse(field) for field in node.body if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_")]
    parts = [f"### {prefix}{name}", module.docstring(node, name), f"```py\n{chr(10).join(attributes)}\n```" if attributes else "", _members(module, node)]
    return "\n\n".join(part for part in parts if part)


def _members(module: Module, owner: ast.ClassDef) -> str:
    """The public methods and properties of a class, one item each."""
    methods = [node for node in owner.body if isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__call__")]
    items = [(_call(node.name, node), module.docstring(node, owner.name, node.name)) for node in methods]
    return "\n".join(f"- `{call}`" + (f": {_indented(text)}" if text else "") for call, text in items)


def _call(name: str, node: ast.FunctionDef) -> str:
    """How it is called and what it gives; of a property, its name and what it is."""
    gives = ast.unparse(node.returns) if node.returns else "None"
    if any(ast.unparse(each).endswith(("property", ".setter")) for each in node.decorator_list):
        return f"{name}: {gives}"
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix("cls").removeprefix(", ")
    return f"{name}({re.sub(r'=(?! )', ' = ', arguments)}) -> {gives}"


def _folded(call: str) -> str:
    """A long call with a line for each argument."""
    opening, arguments, closing = re.fullmatch(r"(.*?\()(.*)(\) -> .*)", call).groups()  # type: ignore[union-attr]
    return call if len(call) <= WIDE else "\n".join([opening, *(f"    {each}," for each in re.split(r", (?![^\[]*\])", arguments)), closing])


def _indented(text: str) -> str:
    """A docstring as part of a list item."""
    return text.replace("\n", "\n  ").replace("  \n", "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference.md")
