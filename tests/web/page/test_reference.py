"""The page /api: every operation is shown, and its example can be sent."""

import json
import urllib.request

import pytest

from waiting import HANG

pytestmark = pytest.mark.xdist_group("server")


def described(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json", timeout=HANG) as response:
        return json.load(response)


def test_every_operation_can_be_tried(page, server):
    page.goto(f"{server.url}/api")
    page.wait_for_selector(".operation")
    operations = [operation for item in described(server)["paths"].values() for operation in item.values()]
    assert page.locator(".operation").count() == len(operations)
    for operation in operations:
        shown = page.locator(f"#{operation['operationId']}")
        shown.locator("summary").click()
        shown.get_by_role("button", name="Send").click()
        shown.locator("pre").wait_for()
        assert shown.get_by_role("status").inner_text().startswith("200 OK"), operation["operationId"]


def test_a_response_is_shown_and_schemas_are_linked(page, server):
    page.goto(f"{server.url}/api")
    shown = page.locator("#parse")
    shown.locator("summary").click()
    shown.get_by_label("Body").fill('{"text": "I fell.", "model": "sample"}')
    shown.get_by_role("button", name="Send").click()
    shown.locator("pre").wait_for()
    assert json.loads(shown.locator("pre").inner_text())["model"] == "sample"
    shown.get_by_role("link", name="ParseResponse").click()
    page.locator("#schema-ParseResponse table").wait_for()
    assert set(page.locator("#schemas summary code:first-child").all_inner_texts()) == set(
        described(server)["components"]["schemas"]
    )


def test_an_error_is_shown(troubled_page, server):
    troubled_page.goto(f"{server.url}/api")
    shown = troubled_page.locator("#parse")
    shown.locator("summary").click()
    shown.get_by_label("Body").fill("{")
    shown.get_by_role("button", name="Send").click()
    shown.locator("pre").wait_for()
    assert shown.get_by_role("status").inner_text().startswith("400 ")
    assert "the body is not JSON" in shown.locator("pre").inner_text()
