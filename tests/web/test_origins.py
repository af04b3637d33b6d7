"""The hosts that a server answers to, and the pages that may use it."""

import pytest
from starlette.testclient import TestClient

import gardenpath as gp
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.origins import OriginPolicy, name_of
from gardenpath.web.served import Served, ServedModels

PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}


@pytest.fixture(scope="module")
def models():
    return ServedModels([Served("en", gp.load("en-fast"))])


@pytest.fixture(scope="module")
def asked(models):
    """Send a request with these headers to a server with a policy, and return the response."""
    def ask(policy=OriginPolicy(), method="POST", path="/api/parse", base="http://localhost:8001", **headers):
        app = create_app(models, Limits(threads=1), policy=policy)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with TestClient(app, base_url=base) as client:
            return client.request(method, path, headers=named, json={"text": "I fell."} if method == "POST" else None)

    return ask


@pytest.mark.parametrize("host, name", [
    ("localhost", "localhost"), ("LocalHost:8001", "localhost"), ("127.0.0.1:80", "127.0.0.1"), ("[::1]:8001", "::1"),
    ("[::1]", "::1"), ("::1", "::1"), ("example.org.", "example.org"), ("example.org.:80", "example.org"), ("", ""),
])
def test_names(host, name):
    assert name_of(host) == name


@pytest.mark.parametrize("bound, host, allowed", [
    ("127.0.0.1", "localhost:8001", True), ("127.0.0.1", "127.0.0.1:8001", True), ("127.0.0.1", "[::1]:8001", True),
    ("127.0.0.1", "127.9.9.9", True), ("127.0.0.1", "app.localhost", True), ("127.0.0.1", "evil.example", False),
    ("127.0.0.1", "127.0.0.1.evil.example", False), ("127.0.0.1", "192.168.1.5", False), ("127.0.0.1", "", False),
    ("127.0.0.1", "localhost.evil.example", False), ("192.168.1.5", "192.168.1.5:8001", True),
    ("192.168.1.5", "localhost", True), ("192.168.1.5", "192.168.1.6", False), ("parser.lan", "parser.lan", True),
    ("0.0.0.0", "192.168.1.5:8001", True), ("0.0.0.0", "evil.example", False), ("::", "[fe80::1]:8001", True),
])
def test_hosts(bound, host, allowed):
    assert OriginPolicy.of(bound).allows_host(host) is allowed
    assert OriginPolicy.of(bound, ["*"]).allows_host(host)
    assert OriginPolicy.of(bound, ["Evil.Example"]).allows_host("evil.example:80")


def test_a_rebound_name_gets_no_results(asked):
    response = asked(base="http://evil.example:8001", Origin="http://evil.example:8001")
    assert response.status_code == 403
    assert response.json()["error"] == (
        "This server does not answer to the host 'evil.example:8001' (server option --allow-host)."
    )
    assert asked(path="/process", base="http://evil.example", method="GET").status_code == 403
    assert asked(OriginPolicy.of("127.0.0.1", ["evil.example"]), base="http://evil.example").status_code == 200


@pytest.mark.parametrize("headers, status", [
    ({}, 200), ({"Origin": "http://localhost:8001"}, 200), ({"Origin": "https://localhost:8001"}, 200),
    ({"Origin": "http://localhost:3000"}, 403), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
    ({"Origin": "ftp://localhost:8001"}, 403), ({"Origin": "http://[localhost:8001"}, 403), ({"Origin": ""}, 403),
    ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}, 403),
    ({"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "cors"}, 200),
    ({"Sec_Fetch_Site": "none", "Sec_Fetch_Mode": "navigate"}, 200),
])
def test_only_pages_of_the_server_may_use_it(asked, headers, status):
    response = asked(**headers)
    assert response.status_code == status
    assert "access-control-allow-origin" not in response.headers


def test_a_link_on_another_page_can_be_followed(asked):
    assert asked(method="GET", path="/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status_code == 200


def test_allowed_origins(asked):
    policy = OriginPolicy.of("127.0.0.1", (), ["https://Example.org/"])
    response = asked(policy, Origin="https://example.org")
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "https://example.org"
    assert "origin" in response.headers["vary"]
    assert asked(policy, Origin="https://example.com").status_code == 403
    preflight = asked(policy, "OPTIONS", Origin="https://example.org", **PREFLIGHT)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "https://example.org"
    assert "POST" in preflight.headers["access-control-allow-methods"]


def test_all_origins(asked):
    policy = OriginPolicy.of("127.0.0.1", (), ["*"])
    for headers in ({}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}):
        response = asked(policy, **headers)
        assert (response.status_code, response.headers["access-control-allow-origin"]) == (200, "*")
    assert asked(policy, "OPTIONS", Origin="http://x", **PREFLIGHT).status_code == 204


def test_a_preflight_of_another_page_is_refused(asked):
    response = asked(method="OPTIONS", Origin="http://x", **PREFLIGHT)
    assert response.status_code == 403
    assert "access-control-allow-methods" not in response.headers
