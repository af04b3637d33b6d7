"""The server as a process with misbehaving clients: other clients are still served, and resources are released."""

import json
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
from contextlib import contextmanager, suppress
from itertools import repeat

import pytest

from web.serving import running_server

pytestmark = pytest.mark.xdist_group("server")

SECONDS = 0.5            # time limit of the strict server for a request
LATE = 4                 # maximum seconds until a misbehaving client is disconnected; less than the keep-alive time
SOON = 2                 # maximum seconds until other clients get a response, even on a busy machine
LIMITS = ("--timeout", str(SECONDS), "--max-body", "0.125", "--max-requests", "3")
PARAGRAPH = "The old man the boat. I saw Jack and Jill fall down the hill.\n\n"
WITHOUT = "import sys\nsys.modules['httptools'] = sys.modules['uvloop'] = None\n"


@pytest.fixture(scope="module", params=["httptools", "h11"])
def strict(request, tmp_path_factory):
    """Run a server with tight limits, with and without httptools and uvloop."""
    env = {}
    if request.param == "h11":
        folder = tmp_path_factory.mktemp("without")
        (folder / "sitecustomize.py").write_text(WITHOUT)
        env = {"PYTHONPATH": str(folder)}
    with running_server(*LIMITS, env=env) as running:
        yield running
        assert running.stderr().count("\n") == 1, running.stderr()


@contextmanager
def connected(server, **options):
    with socket.socket() as client:
        for name, value in options.items():
            client.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        client.settimeout(20)
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


def seconds_until_closed(client):
    begin = time.monotonic()
    read_all(client)
    return time.monotonic() - begin


def answers_others(server):
    """Return whether another client gets a response in time."""
    begin = time.monotonic()
    assert post(server, "/api/parse", {"text": "I fell."})["sentences"]
    return time.monotonic() - begin < SOON


def post(server, path, value):
    request = urllib.request.Request(
        server.url + path, json.dumps(value).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def metric(server, name):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=20) as response:
        return sum(
            float(value)
            for value in re.findall(rf"^{re.escape(name)}(?:\{{.*\}})? (\S+)$", response.read().decode(), re.MULTILINE)
        )


def head(path, *headers, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def test_a_silent_client_is_disconnected(strict):
    with connected(strict) as client:
        assert answers_others(strict)
        assert seconds_until_closed(client) < LATE


def test_a_client_that_sends_its_head_byte_by_byte_is_disconnected(strict):
    with connected(strict) as client:
        begin = time.monotonic()
        send_until_dropped(client, [bytes([byte]) for byte in b"GET /health HTTP/1.1\r\nA: " + b"a" * 1000], pause=0.05)
        assert time.monotonic() - begin < LATE
        assert answers_others(strict)


def test_a_second_head_has_the_same_time_limit(strict):
    with connected(strict) as client:
        client.sendall(head("/health", method="GET"))
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 200")
        client.sendall(b"GET /heal")
        assert seconds_until_closed(client) < LATE


def test_a_body_that_does_not_arrive_gives_408(strict):
    for path, kind in (("/api/parse", b"application/json"), ("/process", b"text/plain")):
        with connected(strict) as client:
            client.sendall(head(path, "Content-Length: 100") + b"{")
            assert answers_others(strict)
            answer = read_all(client)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"--timeout" in answer
            assert kind in answer


def test_a_client_that_does_not_read_is_disconnected(strict):
    asked = 1000
    with connected(strict, SO_RCVBUF=4096) as client:
        client.sendall(head("/api/systems", method="GET") * asked)
        assert answers_others(strict)
        time.sleep(4 * SECONDS)
        begin = time.monotonic()
        answer = read_all(client)
    assert time.monotonic() - begin < LATE
    assert 0 < answer.count(b"HTTP/1.1 200 ") < asked


def test_many_idle_connections_do_not_block_others(strict):
    clients = [socket.create_connection(("127.0.0.1", strict.port), timeout=20) for _ in range(100)]
    for client in clients[:50]:
        client.sendall(head("/process", "Content-Length: 100"))
    assert answers_others(strict)
    assert all(seconds_until_closed(client) < LATE for client in clients)
    for client in clients:
        client.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"GET /health HT", head("/process", "Content-Length: 100") + b"data=",
        head("/api/parse", "Transfer-Encoding: chunked") + b"5\r\nab",
    ],
)
def test_clients_that_disconnect(strict, sent):
    with connected(strict) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # so that closing is a reset
        client.sendall(sent)
    assert answers_others(strict)


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
def test_invalid_http_is_an_error(strict, sent):
    with connected(strict) as client:
        client.sendall(sent)
        answer = read_all(client)
        assert re.match(rb"HTTP/1.1 (400|408|413) ", answer) or not answer
    assert answers_others(strict)


def test_a_body_longer_than_its_content_length_is_an_error(strict):
    with connected(strict) as client:
        client.sendall(
            head("/process", "Content-Length: 5", "Content-Type: application/x-www-form-urlencoded")
            + b"data=A man sleeps.\r\n\r\n"
        )
        assert b"HTTP/1.1 400 " in read_all(client)
    assert answers_others(strict)


@pytest.mark.parametrize("size", [100_000, 2_000_000])
def test_a_head_has_a_limit(strict, size):
    with connected(strict) as client:
        with suppress(ConnectionError):
            client.sendall(
                b"GET /health HTTP/1.1\r\n"
                + b"".join(b"A%d: %b\r\n" % (number, b"a" * 1000) for number in range(size // 1000))
            )
        answer = read_all(client)
        assert re.match(rb"HTTP/1.1 4(31|00) ", answer) or not answer
    assert answers_others(strict)


@pytest.mark.parametrize(
    ("path", "status"), [("/api/parse", 413), ("/process", 400), ("/weblicht/parse", 400), ("/models", 400)]
)
@pytest.mark.parametrize("form", ["length", "chunked", "expect"])
def test_a_body_has_a_limit(strict, path, status, form):
    size = 300_000
    with connected(strict) as client:
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
    assert answers_others(strict)


def test_an_endless_body_is_cut_off(strict):
    with connected(strict) as client:
        client.sendall(head("/api/parse", "Transfer-Encoding: chunked"))
        send_until_dropped(client, repeat(b"2710\r\n%b\r\n" % (b"a" * 10_000)))
    assert answers_others(strict)


def test_a_request_that_takes_too_long_is_cancelled():
    with running_server("--timeout", "0.5") as server:
        assert answers_others(server)
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, "/api/parse", {"text": PARAGRAPH * 40_000})
        assert caught.value.code == 503
        assert "--timeout" in json.load(caught.value)["error"]
        assert answers_others(server)
        assert metric(server, "gardenpath_refused_total") == 1


def test_requests_above_the_limit_are_rejected():
    with running_server("--max-requests", "2") as server, ThreadPoolExecutor(8) as pool:
        started = [pool.submit(post, server, "/api/parse", {"text": PARAGRAPH * 2_000}) for _ in range(2)]
        while metric(server, "gardenpath_requests_under_way") < 3:  # the two requests and the one for the metrics
            time.sleep(0.01)
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, "/api/parse", {"text": "I fell."})
        assert (caught.value.code, caught.value.headers["Retry-After"]) == (503, "1")
        assert "--max-requests" in json.load(caught.value)["error"]
        with urllib.request.urlopen(f"{server.url}/health", timeout=20) as health:
            assert health.status == 200
        assert all(len(each.result()["sentences"]) == 4_000 for each in started)
        assert answers_others(server)


def test_no_new_work_starts_for_a_disconnected_client(server):
    body = json.dumps({"text": PARAGRAPH * 40_000}).encode()         # some 130 pieces
    with connected(server) as client:
        before = metric(server, "gardenpath_jobs_total")
        client.sendall(head("/api/parse", f"Content-Length: {len(body)}", "Content-Type: application/json") + body)
        while metric(server, "gardenpath_jobs_total") == before:
            time.sleep(0.01)
    time.sleep(1)
    done = metric(server, "gardenpath_jobs_total") - before
    time.sleep(0.5)
    assert metric(server, "gardenpath_jobs_total") - before == done < 100
    assert metric(server, 'gardenpath_requests_total{path="/api/parse",method="POST",status="499"}') == 1


def test_long_requests_do_not_keep_short_ones_waiting(server):
    with ThreadPoolExecutor(4) as pool:
        long = [pool.submit(post, server, "/api/parse", {"text": PARAGRAPH * 1_500}) for _ in range(4)]
        waits = []
        while not all(each.done() for each in long):
            begin = time.monotonic()
            post(server, "/api/parse", {"text": "I fell."})
            waits.append(time.monotonic() - begin)
        assert max(waits) < SOON
        assert all(len(each.result()["sentences"]) == 3_000 for each in long)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_finishes_current_requests_before_it_stops(number):
    with running_server() as server, ThreadPoolExecutor(1) as pool, connected(server):
        request = pool.submit(post, server, "/api/parse", {"text": PARAGRAPH * 2_000})
        while metric(server, "gardenpath_jobs_total") == 0:
            time.sleep(0.01)
        server.process.send_signal(number)
        assert len(request.result()["sentences"]) == 4_000
        assert server.process.wait(30) == 0
        assert server.stderr().count("\n") == 1, server.stderr()
        with pytest.raises(OSError):                                     # noqa: PT011
            socket.create_connection(("127.0.0.1", server.port), timeout=5)


def test_a_port_in_use_is_an_error(server):
    command = [sys.executable, "-m", "gardenpath", "serve", "--port", str(server.port)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert re.fullmatch(
        rf"gardenpath: cannot serve on 127.0.0.1, port {server.port}: address already in use; "
        r"give another --host, or another --port.*\n",
        ended.stderr,
    )


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
        with urllib.request.urlopen(request, timeout=20):
            pass
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{server.url}/a%0Ab", timeout=20)
    first, second = log.read_text(encoding="utf-8").splitlines()
    time_ = r"\[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]"
    assert re.fullmatch(
        rf'127\.0\.0\.1 - - {time_} "GET /health HTTP/1\.1" 200 \d+ "http://x/" "a \\x22quoted\\x22 client" 0\.\d+',
        first,
    )
    assert re.fullmatch(
        rf'127\.0\.0\.1 - - {time_} "GET /a\\x0ab HTTP/1\.1" 404 \d+ "-" "Python-urllib/\S+" 0\.\d+', second
    )
