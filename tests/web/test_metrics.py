"""The metrics of the server."""

import re

import pytest
from starlette.testclient import TestClient

import gardenpath as gp
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.metrics import Metrics
from gardenpath.web.served import Served, ServedModels
from gardenpath.web.work import Workers
from test_docs import rows

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\n]*",?)*)\})? (\S+)')


@pytest.fixture
def client():
    app = create_app(ServedModels([Served("en", gp.load("en"))]), Limits(threads=1, body=1000))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


def metrics(client):
    """Return the values by name and labels, and check the format of every line."""
    values = {}
    for line in client.get("/metrics").text.splitlines():
        if not line.startswith("# "):
            name, labels, value = LINE.fullmatch(line).groups()
            values[name, labels or ""] = float(value)
    return values


def test_requests_are_counted_by_route_method_and_status(client):
    for path in ("/health", "/api/systems/swap", "/api/systems/nothing", "/nothing", '/%22%0A'):
        client.get(path)
    client.post("/process", data={"data": "I fell.", "tokenizer": ""})
    client.request("BREW", "/health")
    values = metrics(client)
    counted = {labels: value for (name, labels), value in values.items() if name == "gardenpath_requests_total"}
    assert counted == {
        'path="/api/systems/{name}",method="GET",status="200"': 1,
        'path="/api/systems/{name}",method="GET",status="404"': 1, 'path="/health",method="GET",status="200"': 1,
        'path="/health",method="other",status="405"': 1, 'path="/process",method="POST",status="200"': 1,
        'path="other",method="GET",status="404"': 2,
    }
    assert values["gardenpath_requests_under_way", ""] == 1          # the request for the metrics
    assert values["gardenpath_jobs_total", ""] == values["gardenpath_batches_total", ""] == 1
    assert values["gardenpath_info", f'version="{gp.__version__}"'] == 1


def test_rejected_requests_are_counted_by_limit(client):
    client.post("/api/parse", json={"text": "a" * 2000})
    assert metrics(client)["gardenpath_refused_total", 'limit="body"'] == 1


def test_the_histogram_adds_up():
    counts = Metrics(Workers(1))
    for seconds in (0.0005, 0.001, 0.002, 0.2, 100):
        counts.count("/x", "GET", 200, seconds)
    buckets = dict(re.findall(r'_bucket\{path="/x",le="([^"]+)"\} (\d+)', counts.text()))
    assert (buckets["0.001"], buckets["0.0025"], buckets["0.25"], buckets["30.0"], buckets["+Inf"]) == (
        "2", "3", "4", "4", "5",
    )
    assert 'gardenpath_request_seconds_count{path="/x"} 5\n' in counts.text()
    assert 'gardenpath_request_seconds_sum{path="/x"} 100.203500\n' in counts.text()


def test_every_metric_is_described(client):
    declared = re.findall(r"^# TYPE (\S+) ", client.get("/metrics").text, re.MULTILINE)
    assert [row[0] for row in rows("serve.md", "metric")] == declared
