"""Make the pictures of docs/page.md with Chromium, from the page that `gardenpath serve` gives.

    python docs/make_screenshots.py [NAME ...]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent / "images"
WON = "The coach remembered the players won the game."


def _conllu(*rows: str) -> str:
    """CoNLL-U of rows `FORM UPOS HEAD DEPREL`."""
    return "".join(f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n" for i, (form, upos, head, deprel) in enumerate(map(str.split, rows), 1))


FALL = _conllu("I PRON 2 nsubj", "saw VERB 0 root", "Jack PROPN 6 nsubj", "and CCONJ 3 cc", "Jill PROPN 3 conj", "fall VERB 2 ccomp")
HEARING = _conllu(
    "A DET 2 det", "hearing NOUN 4 nsubj:pass", "is AUX 4 aux:pass", "scheduled VERB 0 root", "on ADP 7 case", "the DET 7 det", "issue NOUN 2 nmod",
    "today NOUN 4 obl", ". PUNCT 4 punct",
)


@dataclass(frozen=True)
class Shot:
    """A picture: what the address holds, which part of the page is taken, how wide and in which colours."""

    text: str
    state: dict[str, object] = field(default_factory=dict)
    part: str = "body"
    width: int = 1200
    colours: str = "light"


def _mistake(system: str) -> dict[str, object]:
    """The panel of an oracle that has attached Jack too early."""
    return {"": f"system:{system}", ".step": 9, ".moves": "shift left-arc(nsubj) shift right-arc(obj)", ".chosen": 3}


SHOTS = {
    "page": Shot(WON, {"a.step": 8}),
    "repair": Shot(WON, {"a.step": 9}, part=".panel"),
    "gold": Shot(FALL, {"gold": 1, "gold-arcs": 1, "a.step": 7}, part=".panel"),
    "what-if": Shot(
        FALL,
        {"gold": 1, "a": "model:en", "a.step": 5, "a.moves": "shift left-arc(nsubj) shift shift right-arc(cc)", "a.chosen": "3 4", "a.then": "parser"},
        part=".panel",
    ),
    "side-by-side": Shot(
        FALL,
        {"gold": 1} | {f"{panel}{key}": value for panel, system in (("a", "arc-eager"), ("b", "arc-eager-nml")) for key, value in _mistake(system).items()},
        part="#steps",
        width=1280,
    ),
    "covington": Shot(HEARING, {"gold": 1, "a": "system:covington", "a.step": 34}, part=".panel"),
    "dark": Shot(HEARING, {"gold": 1, "a": "system:swap", "a.oracle": "lazy", "a.step": 13}, part=".panel", colours="dark"),
    "narrow": Shot(WON, {"a.step": 9}, part=".panel", width=400),
}


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    with _server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
        for name in names or SHOTS:
            shot = SHOTS[name]
            page = browser.new_page(viewport={"width": shot.width, "height": 900}, color_scheme=shot.colours, reduced_motion="reduce")
            _take(page, url, shot, FOLDER / f"{name}.png")
            page.close()
        browser.close()


def _take(page: Page, url: str, shot: Shot, path: Path) -> None:
    page.goto(f"{url}/#{urlencode({'text': shot.text, **shot.state})}")
    page.wait_for_selector("[data-part=count]:not(:empty)")
    if "b" in shot.state:
        page.locator("#comparison-body > *").nth(2).wait_for()
    page.locator(shot.part).first.screenshot(path=path)


@contextmanager
def _server() -> Iterator[str]:
    """A server with the shipped model, on a free port."""
    process = subprocess.Popen([sys.executable, "-m", "gardenpath", "serve", "en", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        if found is None:
            raise RuntimeError("the server does not start; see what `gardenpath serve` says")
        yield found[0]
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
