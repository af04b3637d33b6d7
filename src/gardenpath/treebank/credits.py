"""The licence and the citation of a treebank, read from the files of its folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gardenpath.catalogue.entries import NON_COMMERCIAL

HEADING = re.compile(r"^(#+)\s*(.*?)\s*$", re.MULTILINE)
CITING = re.compile(r"\b(citations?|citing|cite|references?|publications?)\b", re.IGNORECASE)
COLLECTION = """\
Joakim Nivre, Marie-Catherine de Marneffe, Filip Ginter, Jan Hajič, Christopher D. Manning, Sampo Pyysalo, Sebastian \
Schuster, Francis Tyers and Daniel Zeman. \
2020. Universal Dependencies v2: An Evergrowing Multilingual Treebank Collection. LREC."""


@dataclass(frozen=True, slots=True)
class Credits:
    """The licence, whether it forbids commercial use, and the citation from the README. An unknown value is None."""

    licence: str | None
    is_non_commercial: bool
    citation: str | None


def read_credits(folder: Path) -> Credits:
    """Read the README and LICENSE files in the folder of a treebank."""
    readme, terms = _text(folder, "README"), _text(folder, "LICENSE")
    stated = readme_field(readme, "Licen[sc]e")
    licence = stated or next((line.strip() for line in terms.splitlines() if line.strip()), None)
    return Credits(licence, bool(NON_COMMERCIAL.search(stated or terms)), _citation(readme))


def readme_field(readme: str, name: str) -> str | None:
    """Return a field of the machine-readable part of a README, such as `Genre`. The name is a regular expression."""
    found = re.search(rf"^{name}:[ \t]*(\S.*?)\s*$", readme, re.MULTILINE)
    return found[1] if found else None


def _text(folder: Path, name: str) -> str:
    for ending in (".md", ".txt", ""):
        if (folder / f"{name}{ending}").is_file():
            return (folder / f"{name}{ending}").read_text(encoding="utf-8", errors="replace")
    return ""


def _citation(readme: str) -> str | None:
    """Return the first section of a README whose heading mentions citing."""
    headings = list(HEADING.finditer(readme))
    for heading in headings:
        if CITING.search(heading[2]):
            following = (
                other.start()
                for other in headings
                if other.start() > heading.start() and len(other[1]) <= len(heading[1])
            )
            text = readme[heading.end():next(following, len(readme))].partition("=== Machine-readable")[0]
            return text.strip(" \n`") or None
    return None
