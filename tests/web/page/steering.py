"""Helpers for the tests of the page: open it, step, and read what it shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from waiting import HANG

SAW = "I saw Jack and Jill fall."
FALL_HEADS = [2, 0, 6, 3, 3, 2]


def conllu(*rows: str) -> str:
    """Create CoNLL-U from rows `FORM UPOS HEAD DEPREL`."""
    lines = [
        f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_"
        for i, (form, upos, head, deprel) in enumerate(map(str.split, rows), 1)
    ]
    return "\n".join([*lines, "", ""])


FALL = conllu(
    "I PRON 2 nsubj", "saw VERB 0 root", "Jack PROPN 6 nsubj", "and CCONJ 3 cc", "Jill PROPN 3 conj",
    "fall VERB 2 ccomp",
)
CROSSING = conllu(
    "A DET 2 det", "hearing NOUN 3 nsubj", "starts VERB 0 root", "on ADP 5 case", "it PRON 2 nmod", "today NOUN 3 obl"
)


def visit(page, server, text: str, **fields) -> None:
    """Open the page with fields in its address (`a_step` for `a.step`), and wait until a panel shows its steps."""
    named = {name.replace("_", "."): value for name, value in fields.items()}
    page.goto("about:blank")
    page.goto(f"{server.url}/#{urlencode({'text': text, **named})}")
    page.wait_for_selector("[data-part=count]:not(:empty)")


def open_page(page, server) -> None:
    """Open the page without parameters. Wait until it shows its first example, because it ignores input before."""
    page.goto(server.url)
    page.wait_for_selector("[data-part=count]:not(:empty)")


@contextmanager
def reloading(page, panel: int = 0) -> Iterator[None]:
    """Wait until a panel shows the new derivation that the body asks for. Its strip of steps is a new one."""
    strip = page.locator("[data-part=strip]").nth(panel)
    strip.evaluate("strip => { strip.firstElementChild.dataset.old = ''; }")
    yield
    strip.locator("[data-old]").wait_for(state="detached")


def stop_clock(page) -> None:
    """Let no timer of the page fire any more, except by `page.clock`, which must be installed."""
    page.clock.pause_at(page.evaluate("Date.now()") + 3_600_000)


def address(page) -> str:
    """Return the address of the page. It writes its address after a pause, and at once if the link is copied."""
    page.get_by_role("button", name="Copy link").click()
    return page.evaluate("location.href")


def step(page, panel: int = 0) -> int:
    """Return the current step of a panel."""
    return int(page.locator("[data-part=slider]").nth(panel).input_value())


def go(page, to: int, panel: int = 0) -> None:
    """Move the slider to a step."""
    page.locator("[data-part=slider]").nth(panel).fill(str(to))


def arcs(page, kind: str = "", panel: int = 0) -> list[tuple[int, int]]:
    """Return head and dependent of the arcs with a class, or of all arcs of the current step."""
    chosen = f".gp-arc.{kind}" if kind else ".gp-arc:not(.is-hidden):not(.is-broken):not(.is-gold)"
    stage = page.locator("[data-part=stage]").nth(panel)
    return sorted(
        map(
            tuple,
            stage.evaluate(
                f"box => [...box.querySelectorAll('{chosen}')].map(arc => [+arc.dataset.head, +arc.dataset.dependent])"
            ),
        )
    )


def tree(heads: list[int]) -> list[tuple[int, int]]:
    """Return the arcs of a tree."""
    return sorted((head, i) for i, head in enumerate(heads, 1))


def words(page, place: str, panel: int = 0) -> list[str]:
    """Return the words in a list: `stack`, `lambda2` or `buffer`."""
    return page.locator(".panel").nth(panel).locator(f".list.{place} li").all_inner_texts()


def made(page, panel: int = 0) -> str:
    """Return the text of the last transition."""
    return page.locator("[data-part=made] strong").nth(panel).inner_text()


def ask(server, path: str, body: dict) -> dict:
    """Send a request to the API and return the response."""
    request = Request(f"{server.url}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=HANG) as response:
        return json.load(response)
