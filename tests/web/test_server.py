"""The server as a process with misbehaving clients: other clients are still served, and resources are released."""

import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import repeat
from pathlib import Path

import pytest

from waiting import HANG, wait_until
from web.serving import running_server

pytestmark = pytest.mark.xdist_group("server")

LIMITS = ("--max-body", "0.125", "--max-requests", "3")
SLOW = ("--timeout", str(HANG))          # so that no request times out because the machine is busy
CONNECTIONS = Path("/proc/net/tcp")
PARAGRAPH = "The old man the boat. I saw Jack and Jill fall down the hill.\n\n"
WITHOUT = "import sys\nsys.modules['httptools'] = sys.modules['uvloop'] = None\n"


@pytest.fixture(scope="module", params=["httptools", "h11"])
def environment(request, tmp_path_factory):
    """Return the environment of a server with httptools and uvloop, and of a server without them."""
    if request.param == "httptools":
        return {}
    folder = tmp_path_factory.mktemp("without")
    (folder / "sitecustomize.py").write_text(WITHOUT)
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


@contextmanager
def quiet_server(*arguments, env):
    with running_server(*arguments, env=env) as running:
        yield running
        assert running.stderr().count("\n") == 1, running.stderr()


@pytest.fixture(scope="module")
def strict(environment):
    """A server that gives a request half a second. Under load, it may drop any request for that reason."""
    with quiet_server(*LIMITS, "--timeout", "0.5", env=environment) as running:
        yield running


@pytest.fixture(scope="module")
def narrow(environment):
    """A server with other narrow limits."""
    with quiet_server(*LIMITS, *SLOW, env=environment) as running:
        yield running


@contextmanager
def connected(server, **options):
    with socket.socket() as client:
        for name, value in options.items():
            client.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        client.settimeout(HANG)
        client.connect(("127.0.0.1", server.port))
        yield client


def read_all(client):
    """Read until the server closes the connection."""
    parts = []
    try:
        while part := client.recv(1 << 16):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def send_until_dropped(client, parts, pause=0.0):
    """Send the parts one after the other. The server must close the connection before the end."""
    try:
        for part in parts:
            client.sendall(part)
            time.sleep(pause)
    except ConnectionError:
        return
    pytest.fail("the server did not close the connection")


def answers_others(server):
    """Wait until another client gets a response."""
    return wait_until(lambda: parsed(server))


def parsed(server):
    """Return the sentences of a response, None if the server has dropped the request."""
    with suppress(OSError):          # also the errors of urllib
        return post(server, "/api/parse", {"text": "I fell."})["sentences"]


def post(server, path, value):
    request = urllib.request.Request(
        server.url + path, json.dumps(value).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=HANG) as response:
        return json.load(response)


def metric(server, name):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=HANG) as response:
        return sum(
            float(value)
            for value in re.findall(rf"^{re.escape(name)}(?:\{{.*\}})? (\S+)$", response.read().decode(), re.MULTILINE)
        )


def head(path, *headers, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def test_a_silent_client_is_disconnected(strict):
    with connected(strict) as client:
        assert answers_others(strict)
        assert read_all(client) == b""


def test_a_client_that_sends_its_head_byte_by_byte_is_disconnected(strict):
    with connected(strict) as client:
        send_until_dropped(
            client, [bytes([byte]) for byte in b"GET /health HTTP/1.1\r\nA: " + b"a" * 10_000], pause=0.05
        )
        assert answers_others(strict)


def test_a_second_head_has_the_same_time_limit(strict):
    with connected(strict) as client:
        with suppress(ConnectionError):
            client.sendall(head("/health", method="GET"))
            client.recv(1 << 16)
            client.sendall(b"GET /heal")
        read_all(client)


def test_a_body_that_does_not_arrive_gives_408(strict):
    def answer(path):
        with connected(strict) as client:
            client.sendall(head(path, "Content-Length: 100") + b"{")
            assert answers_others(strict)
            return read_all(client)

    for path, kind in (("/api/parse", b"application/json"), ("/process", b"text/plain")):
        refusal = wait_until(lambda path=path: answer(path))          # nothing, if the head itself came too late
        assert refusal.startswith(b"HTTP/1.1 408 ")
        assert b"--timeout" in refusal
        assert kind in refusal


def is_established(server, client):
    """Return whether the server's end of a connection is open."""
    ends = [f":{port:04X}" for port in (server.port, client.getsockname()[1])]
    lines = [line.split() for line in CONNECTIONS.read_text().splitlines()]
    return any(
        local.endswith(ends[0]) and remote.endswith(ends[1]) and state == "01"
        for _, local, remote, state, *_ in lines[1:]
    )


@pytest.mark.skipif(not CONNECTIONS.exists(), reason="the system does not list its connections")
def test_a_client_that_does_not_read_is_disconnected(strict):
    asked = 1000
    with connected(strict, SO_RCVBUF=4096) as client:
        with suppress(ConnectionError):
            client.sendall(head("/api/systems", method="GET") * asked)
        assert answers_others(strict)
        wait_until(lambda: not is_established(strict, client))
        assert read_all(client).count(b"HTTP/1.1 200 ") < asked


def test_many_idle_connections_do_not_block_others(strict):
    with ExitStack() as stack:
        clients = [stack.enter_context(connected(strict)) for _ in range(100)]
        for client in clients[:50]:
            with suppress(ConnectionError):
                client.sendall(head("/process", "Content-Length: 100"))
        assert answers_others(strict)
        for client in clients:
            read_all(client)


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"GET /health HT", head("/process", "Content-Length: 100") + b"data=",
        head("/api/parse", "Transfer-Encoding: chunked") + b"5\r\nab",
    ],
)
def test_clients_that_disconnect(narrow, sent):
    with connected(narrow) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # so that closing is a reset
        client.sendall(sent)
    assert answers_others(narrow)


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10, b"\x00" * 1000 + b"\r\n\r\n", b"hello\r\n\r\n",
        "GET /ü HTTP/1.1\r\n\r\n".encode(), head("/process", "Content-Length: many") + b"data=a",
        head("/process", "Content-Length: -1") + b"data=a",
        head("/process", "Transfer-Encoding: chunked") + b"zz\r\ndata\r\n0\r\n\r\n",
        head("/process", "Content-Length: 1", "Content-Length: 2") + b"da",
        head("/process", "Content-Length: 99999999999999999999999") + b"d",
    ],
)
def test_invalid_http_is_an_error(narrow, sent):
    with connected(narrow) as client:
        client.sendall(sent)
        answer = read_all(client)
        assert re.match(rb"HTTP/1.1 (400|408|413) ", answer) or not answer
    assert answers_others(narrow)


def test_a_body_longer_than_its_content_length_is_an_error(narrow):
    with connected(narrow) as client:
        client.sendall(
            head("/process", "Content-Length: 5", "Content-Type: application/x-www-form-urlencoded")
            + b"data=A man sleeps.\r\n\r\n"
        )
        assert b"HTTP/1.1 400 " in read_all(client)
    assert answers_others(narrow)


@pytest.mark.parametrize("size", [100_000, 2_000_000])
def test_a_head_has_a_limit(narrow, size):
    with connected(narrow) as client:
        with suppress(ConnectionError):
            client.sendall(
                b"GET /health HTTP/1.1\r\n"
                + b"".join(b"A%d: %b\r\n" % (number, b"a" * 1000) for number in range(size // 1000))
            )
        answer = read_all(client)
        assert re.match(rb"HTTP/1.1 4(31|00) ", answer) or not answer
    assert answers_others(narrow)


@pytest.mark.parametrize(
    ("path", "status"), [("/api/parse", 413), ("/process", 400), ("/weblicht/parse", 400), ("/models", 400)]
)
@pytest.mark.parametrize("form", ["length", "chunked", "expect"])
def test_a_body_has_a_limit(narrow, path, status, form):
    size = 300_000
    with connected(narrow) as client:
        if form == "chunked":
            client.sendall(
                head(path, "Transfer-Encoding: chunked")
                + b"2710\r\n%b\r\n" % (b"a" * 10_000) * (size // 10_000)
                + b"0\r\n\r\n"
            )
        elif form == "length":
            client.sendall(head(path, f"Content-Length: {size}") + b"a" * size)
        else:
            client.sendall(head(path, f"Content-Length: {size}", "Expect: 100-continue"))
        answer = client.recv(1 << 16)
        assert answer.startswith(b"HTTP/1.1 %d " % status)
        while b"--max-body" not in answer:
            answer += client.recv(1 << 16) or pytest.fail(f"the option is not in the response: {answer}")
    assert answers_others(narrow)


def test_an_endless_body_is_cut_off(narrow):
    with connected(narrow) as client:
        client.sendall(head("/api/parse", "Transfer-Encoding: chunked"))
        send_until_dropped(client, repeat(b"2710\r\n%b\r\n" % (b"a" * 10_000)))
    assert answers_others(narrow)


def test_a_request_that_takes_too_long_is_cancelled():
    body = {"text": PARAGRAPH * 20_000}
    with running_server("--timeout", "0.5") as server:
        assert answers_others(server)
        codes, sentences = [], []
        while 503 not in codes:          # 408 if the machine was too busy to read the body in time
            with pytest.raises(urllib.error.HTTPError) as caught:
                post(server, "/api/parse", body)
            codes.append(caught.value.code)
            sentences.append(json.load(caught.value)["error"])
        assert set(codes) <= {408, 503}
        assert all("--timeout" in sentence for sentence in sentences)
        assert answers_others(server)
        assert metric(server, "gardenpath_refused_total") >= 1


@contextmanager
def unread(server, body):
    """A request under way: its answer is larger than what the buffers hold, and is not read before `getresponse`."""
    with connected(server, SO_RCVBUF=4096) as client:
        connection = http.client.HTTPConnection("127.0.0.1")
        connection.sock = client
        connection.request("POST", "/api/parse", json.dumps(body), {"Content-Type": "application/json"})
        yield connection


def test_requests_above_the_limit_are_rejected():
    body = {"text": PARAGRAPH * 2_000}
    with (
        running_server("--max-requests", "2", *SLOW) as server,
        unread(server, body) as first,
        unread(server, body) as second,
    ):
        wait_until(lambda: metric(server, "gardenpath_requests_under_way") == 3)  # the two and the one for the metrics
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, "/api/parse", {"text": "I fell."})
        assert (caught.value.code, caught.value.headers["Retry-After"]) == (503, "1")
        assert "--max-requests" in json.load(caught.value)["error"]
        with urllib.request.urlopen(f"{server.url}/health", timeout=HANG) as health:
            assert health.status == 200
        for each in (first, second):
            each.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            assert len(json.load(each.getresponse())["sentences"]) == 4_000
        assert answers_others(server)


def test_bodies_above_the_limit_of_all_requests_are_rejected():
    limits = ("--max-bodies", "0.04", "--max-body", "0.04")
    with running_server(*limits, *SLOW) as server, connected(server) as client:
        client.sendall(head("/process", f"Content-Length: {38_000}") + b"x" * 30_000)
        wait_until(lambda: rejected(server, "x" * 20_000) == (503, "1"))
        assert parsed(server)
    with running_server(*limits, *SLOW) as server:
        for _ in range(5):               # the memory of a finished request is free again
            assert rejected(server, "I fell. " * 3_600) == (200, None)


def rejected(server, text):
    """Return the status and Retry-After of the response to a text."""
    try:
        post(server, "/api/parse", {"text": text})
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Retry-After"]
    return 200, None


def test_connections_above_the_limit_are_rejected():
    with running_server("--max-connections", "3", *SLOW) as server, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connected(server))
        with connected(server) as client:
            answer = read_all(client)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 1\r\n" in answer
        assert b"--max-connections" in answer
        stack.close()
        assert answers_others(server)


CR = "# \rx\n1\ta" + 8 * "\t_" + "\n\n"


@pytest.mark.parametrize("output", ["horizontal", "vertical", "plaintext", "matxin", "epe", "conllu=v1"])
def test_a_lone_carriage_return_does_not_stop_the_server(server, output):
    data = urllib.parse.urlencode({"data": CR, "input": "conllu", "output": output}).encode()
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server.url}/process", data, timeout=HANG)
    assert caught.value.code == 400
    assert "carriage return" in caught.value.read().decode()
    assert answers_others(server)


def test_no_new_work_starts_for_a_disconnected_client(server):
    body = json.dumps({"text": PARAGRAPH * 40_000}).encode()         # some 130 pieces
    gone = 'gardenpath_requests_total{path="/api/parse",method="POST",status="499"}'
    before = metric(server, gone)
    with connected(server) as client:
        client.sendall(head("/api/parse", f"Content-Length: {len(body)}", "Content-Type: application/json") + body)
    wait_until(lambda: metric(server, gone) == before + 1)
    assert metric(server, "gardenpath_jobs_waiting") == 0


def test_short_requests_are_answered_beside_long_ones(server):
    with ThreadPoolExecutor(4) as pool:
        long = [pool.submit(post, server, "/api/parse", {"text": PARAGRAPH * 1_000}) for _ in range(4)]
        while not all(each.done() for each in long):
            assert len(post(server, "/api/parse", {"text": "I fell."})["sentences"]) == 1
        assert all(len(each.result()["sentences"]) == 2_000 for each in long)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_finishes_current_requests_before_it_stops(number):
    with running_server(*SLOW) as server, unread(server, {"text": PARAGRAPH * 2_000}) as request, connected(server):
        wait_until(lambda: metric(server, "gardenpath_requests_under_way") == 2)
        server.process.send_signal(number)
        request.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        assert len(json.load(request.getresponse())["sentences"]) == 4_000
        assert server.process.wait(HANG) == 0
        assert server.stderr().count("\n") == 1, server.stderr()


def test_a_port_in_use_is_an_error(server):
    command = [sys.executable, "-m", "gardenpath", "serve", "--port", str(server.port)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert ended.returncode == 2
    assert re.fullmatch(
        rf"gardenpath: cannot serve on 127.0.0.1, port {server.port}: address already in use; "
        r"give another --host, or another --port.*\n",
        ended.stderr,
    )


def test_both_english_models_are_served_by_default():
    with running_server() as server, urllib.request.urlopen(f"{server.url}/models", timeout=HANG) as answer:
        served = json.load(answer)
    assert list(served["models"]) == ["en", "en-fast"]
    assert served["default_model"] == "en"


def test_a_public_address_gives_a_warning():
    with running_server("--host", "0.0.0.0") as server:
        assert "other machines can use this server" in server.stderr()
        assert answers_others(server)


def test_the_access_log_has_a_line_for_each_request(tmp_path):
    log = tmp_path / "access.log"
    with running_server("--access-log", log) as server:
        request = urllib.request.Request(
            f"{server.url}/health?secret=1", headers={"User-Agent": 'a "quoted" client', "Referer": "http://x/"}
        )
        with urllib.request.urlopen(request, timeout=HANG):
            pass
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{server.url}/a%0Ab", timeout=HANG)
    first, second = log.read_text(encoding="utf-8").splitlines()
    time_ = r"\[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]"
    assert re.fullmatch(
        rf'127\.0\.0\.1 - - {time_} "GET /health HTTP/1\.1" 200 \d+ "http://x/" "a \\x22quoted\\x22 client" \d+\.\d+',
        first,
    )
    assert re.fullmatch(
        rf'127\.0\.0\.1 - - {time_} "GET /a\\x0ab HTTP/1\.1" 404 \d+ "-" "Python-urllib/\S+" \d+\.\d+', second
    )
