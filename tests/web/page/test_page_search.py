"""The view of the page that searches trees."""

import pytest
from playwright.sync_api import expect

from web.page.steering import CROSSING, address, open_page

pytestmark = pytest.mark.xdist_group("server")


def show_search(page, server):
    open_page(page, server)
    page.get_by_role("button", name="Search").first.click()
    page.locator("#search-matches li").first.wait_for()


def search(page, pattern, text=None, by=""):
    page.get_by_label("Pattern").fill(pattern)
    if text is not None:
        page.locator("#search-text").fill(text)
    page.get_by_label("Count by").fill(by)
    page.locator("#search-pattern").press("Control+Enter")


def test_the_view_opens_with_matches(page, server):
    show_search(page, server)
    assert page.get_by_role("heading", name="Search trees").is_visible()
    assert not page.locator("#steps").is_visible()
    assert page.locator("#search-matches mark").count() == 2 * page.locator("#search-matches li").count()
    assert page.locator("#search-counts tbody tr").count() > 3
    page.get_by_role("button", name="Step by step").click()
    assert page.locator("#steps").is_visible()
    assert "view=search" not in page.url


def test_matches_are_highlighted_and_counted(page, server):
    show_search(page, server)
    search(page, "pattern { e: X -[nsubj|nmod]-> Y }", CROSSING, "e.label")
    expect(page.locator("#search-summary")).to_have_text("2 matches in 1 of 1 sentence, 6 words.")
    assert page.locator("#search-counts td, #search-counts tbody th").all_inner_texts() == ["nmod", "1", "nsubj", "1"]
    first = page.locator("#search-matches li").first
    assert first.locator(".gp-word.gp-match").count() == 2
    assert first.locator(".gp-arc.gp-match").count() == 1
    assert first.locator(".gp-name").all_text_contents() == ["X", "Y"]
    assert "columns-of-text" in page.locator("#search-text").get_attribute("class")


def test_examples_and_links(page, server):
    show_search(page, server)
    page.get_by_label("Example").locator("visible=true").select_option(label="Crossing edges (CoNLL-U)")
    expect(page.locator("#search-summary")).to_contain_text("of 1 sentence")
    link = address(page)
    assert "view=search" in link
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#search-summary")).to_contain_text("3 matches in 1 of 1 sentence")
    assert page.locator("#search-pattern").input_value().startswith("global { is_not_projective }")


def test_errors_keep_the_matches(troubled_page, server):
    page = troubled_page
    show_search(page, server)
    search(page, "pattern { V [upos=VERB; }")
    expect(page.locator("#search-error")).to_contain_text("pattern, line 1, column 23")
    assert page.locator("#search-matches li").count() > 0
    search(page, "pattern { V [upos=VERB] }")
    expect(page.locator("#search-error")).to_be_hidden()
