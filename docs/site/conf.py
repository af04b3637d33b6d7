"""How the documentation becomes a site: `make docs` builds it from the repository, whose Markdown stays as it reads there.

The list of pages beside the text is made from the tables of docs/index.md, one part a section, and from that of docs/results/README.md.
"""

from __future__ import annotations

import re
from pathlib import Path

from pygments.lexers.shell import BashSessionLexer
from sphinx.application import Sphinx

REPOSITORY = Path(__file__).parents[2]

project = "gardenpath"
author = "the authors of gardenpath"
version = release = re.search(r'^__version__ = "(.+)"$', (REPOSITORY / "src/gardenpath/__init__.py").read_text(encoding="utf-8"), re.MULTILINE)[1]  # type: ignore[index]

root_doc = "docs/index"
CONTENTS = (root_doc, "docs/results/README")          # the pages whose tables lead to others
include_patterns = ["*.md", "benchmarks/README.md", "docs/**.md"]
exclude_patterns = ["docs/systems_text"]

extensions = ["myst_parser"]
myst_heading_anchors = 4
smartquotes = False
nitpicky = True

html_theme = "furo"
html_title = f"gardenpath {version}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_extra_path = ["index.html"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"


class Console(BashSessionLexer):
    """Commands begin with `$` alone: a line that begins with `#` is output, as CoNLL-U has it."""

    _ps1rgx = re.compile(r"^(\$ )(.*\n?)")


def setup(app: Sphinx) -> None:
    """Add the lists of pages when the pages that have them are read, and how console blocks are coloured."""
    app.add_lexer("console", Console)
    app.connect("source-read", add_contents)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Give a page a hidden table of contents for each of its sections that has links to pages."""
    if page in CONTENTS:
        sections = ["", *re.split(r"^## (.+)$", source[0], flags=re.MULTILINE)]
        source[0] += "".join(contents(title, text) for title, text in zip(sections[::2], sections[1::2], strict=True))


def contents(title: str, text: str) -> str:
    """The pages that the rows of a section's tables begin with."""
    pages = re.findall(r"^\| \[.+?\]\(([^)#]+\.md)\)", text, re.MULTILINE)
    caption = [f":caption: {title}"] if title else []
    return "\n".join(["\n```{toctree}", ":hidden:", *caption, "", *pages, "```\n"]) if pages else ""
