"""Confidence as colour in the finished trees."""

import pytest

from web.page.steering import address, ask, visit

pytestmark = pytest.mark.xdist_group("server")

DOUBTFUL = "The old man the boat."


def test_confidence_is_shown_on_request(page, server):
    visit(page, server, DOUBTFUL)
    line = page.locator("#trees .gp-arc[class*=gp-doubt-] .gp-line").first
    plain = line.evaluate("line => getComputedStyle(line).stroke")
    assert page.locator(".doubts").is_hidden()
    page.get_by_label("show confidence").check()
    assert line.evaluate("line => getComputedStyle(line).stroke") != plain
    words = ask(server, "/api/parse", {"text": DOUBTFUL})["sentences"][0]["words"]
    shares = {word["form"]: word["confidence"]["head"] * word["confidence"]["label"] for word in words}
    least = min(shares, key=shares.get)
    assert page.locator(".doubts").inner_text().startswith(f"Least certain: {least} (head ")
    assert "confidence=1" in address(page)
    page.reload()
    page.locator(".doubts").wait_for()
    assert page.get_by_label("show confidence").is_checked()
