"""Take the pictures of docs/page.md with Chromium, from the page of `gardenpath serve`.

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

import gardenpath as gp

FOLDER = Path(__file__).parent / "images"
MODEL = "en-fast"                                              # makes a repair in this sentence, unlike `en`
PLAN = "The president admitted the plan will change."
PLAN_GOLD = gp.load(MODEL)(PLAN).sentences[0].to_conllu()      # the prediction is correct


def _conllu(*rows: str) -> str:
    """Return CoNLL-U of rows `FORM UPOS HEAD DEPREL`."""
    words = enumerate(map(str.split, rows), 1)
    return "".join(f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n" for i, (form, upos, head, deprel) in words)


FALL = _conllu(
    "I PRON 2 nsubj",
    "saw VERB 0 root",
    "Jack PROPN 6 nsubj",
    "and CCONJ 3 cc",
    "Jill PROPN 3 conj",
    "fall VERB 2 ccomp",
)
HEARING = _conllu(
    "A DET 2 det", "hearing NOUN 4 nsubj:pass", "is AUX 4 aux:pass", "scheduled VERB 0 root", "on ADP 7 case",
    "the DET 7 det", "issue NOUN 2 nmod", "today NOUN 4 obl", ". PUNCT 4 punct",
)


@dataclass(frozen=True)
class Shot:
    """A picture: the state in the address, the part of the page, the size of the window and the colours.

    Without a part, it shows the window.
    """

    text: str
    state: dict[str, object] = field(default_factory=dict)
    part: str | None = None
    width: int = 1280
    height: int = 900
    colours: str = "light"


def _mistake(system: str) -> dict[str, object]:
    """Return the panel of an oracle after an error: Jack is attached too early."""
    return {"": f"system:{system}", ".step": 9, ".moves": "shift left-arc(nsubj) shift right-arc(obj)", ".chosen": 3}


_REDUCED = (
    "shift left-arc(det) shift left-arc(nsubj) shift shift left-arc(det) right-arc(obj) shift left-arc(aux) reduce"
)
SHOTS = {
    "page": Shot(PLAN, {"a.step": 10}, height=720),
    "confidence": Shot("I know the words to that song are wrong.", {"confidence": 1}, part="#trees-section"),
    "reasons": Shot(PLAN, {"a.step": 7, "a.why": 1}, part=".panel"),
    "repair": Shot(PLAN, {"a.step": 11}, part=".panel"),
    "gold": Shot(PLAN_GOLD, {"gold": 1, "gold-arcs": 1, "a": f"model:{MODEL}", "a.step": 10}, part=".panel"),
    "what-if": Shot(
        PLAN_GOLD,
        {"gold": 1, "a": f"model:{MODEL}", "a.step": 11, "a.moves": _REDUCED, "a.chosen": 10, "a.then": "parser"},
        part=".panel",
    ),
    "side-by-side": Shot(
        FALL,
        {
            "gold": 1,
            **{f"a{key}": value for key, value in _mistake("arc-eager").items()},
            **{f"b{key}": value for key, value in _mistake("arc-eager-nml").items()},
        },
        part="#steps",
    ),
    "covington": Shot(HEARING, {"gold": 1, "a": "system:covington", "a.step": 34}, part=".panel"),
    "dark": Shot(
        HEARING, {"gold": 1, "a": "system:swap", "a.oracle": "lazy", "a.step": 13}, part=".panel", colours="dark",
    ),
    "search": Shot(
        "The committee published its report yesterday. They quickly found that nobody liked the report.",
        {"view": "search", "pattern": "pattern {\n  V [upos=VERB];\n  e: V -[1=nsubj]-> S\n}", "by": "V.lemma"},
    ),
    "narrow": Shot(PLAN, {"a.step": 11}, part=".panel", width=400),
}


def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    FOLDER.mkdir(exist_ok=True)
    with _server() as url, sync_playwright() as playwright:
        chromium = os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names or SHOTS:
            shot = SHOTS[name]
            size = {"width": shot.width, "height": shot.height}
            page = browser.new_page(viewport=size, color_scheme=shot.colours, reduced_motion="reduce")
            _take(page, url, shot, FOLDER / f"{name}.png")
            page.close()
        browser.close()


def _take(page: Page, url: str, shot: Shot, path: Path) -> None:
    page.goto(f"{url}/#{urlencode({'text': shot.text, **shot.state})}")
    page.wait_for_selector("#search-matches li" if "view" in shot.state else "[data-part=count]:not(:empty)")
    if "b" in shot.state:
        page.locator("#comparison-body > *").nth(2).wait_for()
    if "a.why" in shot.state:
        page.locator("[data-part=reasons] table").wait_for()
    if shot.part is None:
        page.screenshot(path=path)
    else:
        page.locator(shot.part).first.screenshot(path=path)


@contextmanager
def _server() -> Iterator[str]:
    """Run a server with a shipped model on a free port."""
    command = [sys.executable, "-m", "gardenpath", "serve", MODEL, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        if found is None:
            raise RuntimeError("The server does not start. Run `gardenpath serve` to see the reason.")
        yield found[0]
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
