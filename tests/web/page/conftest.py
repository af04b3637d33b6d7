"""A browser for the tests of the page: Debian's Chromium, or the one that GARDENPATH_CHROMIUM names."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium")
WIDE = {"width": 1280, "height": 900}
PATIENCE = 180_000       # milliseconds; only a page that hangs takes longer

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser():
    """One browser a file; it must be gone before tests that run an event loop of their own."""
    if not CHROMIUM:
        pytest.skip("there is no Chromium: `make .venv/browser` installs it, GARDENPATH_CHROMIUM names one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE)
        yield browser
        browser.close()


class Watched:
    """What a page does that it should not: errors in the console, requests that leave the server."""

    def __init__(self, page, server):
        self.errors, self.foreign = [], []
        page.on("console", lambda message: self.errors.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith((server.url + "/", "blob:", "data:")) else self.foreign.append(request.url))


def opened(browser, server, **options):
    """A page in a context of its own, watched."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page, Watched(page, server)


@pytest.fixture
def page(browser, server):
    """A new page. No test may end with an error in its console, or with a request to another server."""
    page, watched = opened(browser, server)
    yield page
    page.context.close()
    assert watched.errors == []
    assert watched.foreign == []


@pytest.fixture
def troubled_page(browser, server):
    """The same where the server refuses something, which browsers write to the console."""
    page, watched = opened(browser, server)
    yield page
    page.context.close()
    assert [error for error in watched.errors if "Failed to load resource" not in error] == []
    assert watched.foreign == []
