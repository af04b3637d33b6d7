"""A browser for the tests of the page: Chromium from the PATH, or the program in GARDENPATH_CHROMIUM."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium")
WIDE = {"width": 1280, "height": 900}
PATIENCE = 180_000       # milliseconds; only a page that hangs takes longer

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server(fast_server):
    return fast_server


@pytest.fixture(scope="module")
def browser():
    """Start one browser per file. It must be closed before tests that run their own event loop."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed; run `make .venv/browser`, or set GARDENPATH_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE)
        yield browser
        browser.close()


class Watched:
    """Records errors in the console and requests to other servers."""

    def __init__(self, page, server):
        self.errors, self.foreign = [], []
        page.on(
            "console",
            lambda message: self.errors.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((server.url + "/", "blob:", "data:"))
                else self.foreign.append(request.url)
            ),
        )


def opened(browser, server, **options):
    """Open a page in its own context, and watch it."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page, Watched(page, server)


@pytest.fixture
def page(browser, server):
    """Open a page, and check that it has no errors in the console and sends no requests to other servers."""
    page, watched = opened(browser, server)
    yield page
    page.context.close()
    assert watched.errors == []
    assert watched.foreign == []


@pytest.fixture
def troubled_page(browser, server):
    """Open a page for tests with error responses, which browsers write to the console."""
    page, watched = opened(browser, server)
    yield page
    page.context.close()
    assert [error for error in watched.errors if "Failed to load resource" not in error] == []
    assert watched.foreign == []
