"""Sphinx configuration: `make docs` builds the site from the Markdown files of the repository.

The navigation is generated from the tables of docs/index.md, one part per section, and from docs/results/README.md.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from pygments.lexers.shell import BashSessionLexer
from sphinx.application import Sphinx

REPOSITORY = Path(__file__).parents[2]

project = "gardenpath"
author = "the authors of gardenpath"
version = release = runpy.run_path(str(REPOSITORY / "src/gardenpath/version.py"))["__version__"]

root_doc = "docs/index"
CONTENTS = (root_doc, "docs/results/README")          # pages whose tables link to others
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
    """Commands start with `$` only: a line that starts with `#` is output, for instance CoNLL-U."""

    _ps1rgx = re.compile(r"^(\$ )(.*\n?)")


def setup(app: Sphinx) -> None:
    """Add the navigation and the lexer for console blocks."""
    app.add_lexer("console", Console)
    app.connect("source-read", add_contents)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Add a hidden table of contents to a page for each section that links to pages."""
    if page in CONTENTS:
        sections = ["", *re.split(r"^## (.+)$", source[0], flags=re.MULTILINE)]
        source[0] += "".join(contents(title, text) for title, text in zip(sections[::2], sections[1::2], strict=True))


def contents(title: str, text: str) -> str:
    """Return a table of contents of the pages that the table rows of a section start with."""
    pages = re.findall(r"^\| \[.+?\]\(([^)#]+\.md)\)", text, re.MULTILINE)
    caption = [f":caption: {title}"] if title else []
    return "\n".join(["\n```{toctree}", ":hidden:", *caption, "", *pages, "```\n"]) if pages else ""
