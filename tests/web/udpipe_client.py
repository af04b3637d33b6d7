"""Clients of UDPipe's REST API for tests: request bodies, requests and responses."""

from __future__ import annotations

import email.mime.multipart
import email.mime.nonmultipart
import email.policy
import http.client
import json
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from waiting import HANG

URL_ENCODED = "application/x-www-form-urlencoded"


def multipart(parameters: dict[str, str], encoding: str = "8bit") -> tuple[str, bytes]:
    """Return Content-Type and body in the form of UDPipe's own client, made with Python's package `email`."""
    message = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in parameters.items():
        part = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        if encoding == "8bit":
            part.add_header("Content-Transfer-Encoding", "8bit")
            part.set_payload(value, charset="utf-8")
        else:
            part.set_payload(value, charset=_charset(encoding))
        message.attach(part)
    _, _, body = message.as_bytes().partition(b"\r\n\r\n")      # as_bytes chooses the boundary
    return message["Content-Type"], body


def _charset(encoding: str) -> email.charset.Charset:
    charset = email.charset.Charset("utf-8")
    charset.body_encoding = {"quoted-printable": email.charset.QP, "base64": email.charset.BASE64}[encoding]
    return charset


@dataclass(frozen=True)
class Reply:
    """A response of the server."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def result(self) -> str:
        """The result of `/process`. The rest of the response is checked."""
        assert self.status == 200, self.text
        assert self.headers["Content-Type"] == "application/json"
        assert list(self.json) == ["model", "acknowledgements", "result"]
        return self.json["result"]

    @property
    def error(self) -> str:
        """The message of an error response."""
        assert self.status == 400, self.text
        assert self.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert "Access-Control-Allow-Origin" not in self.headers
        return self.text.removesuffix("\n")


def request(server, method: str, path: str, body: bytes | None = None, content_type: str | None = None) -> Reply:
    """Send a request and return the response."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=HANG)
    try:
        connection.request(method, path, body, {"Content-Type": content_type} if content_type else {})
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read())
    finally:
        connection.close()


def get(server, parameters: dict[str, str]) -> Reply:
    """Send the parameters in the query."""
    return request(server, "GET", f"/process?{urlencode(parameters)}")


def post(server, parameters: dict[str, str]) -> Reply:
    """Send the parameters in a URL-encoded body."""
    return request(server, "POST", "/process", urlencode(parameters).encode(), URL_ENCODED)


def post_multipart(server, parameters: dict[str, str]) -> Reply:
    """Send the parameters like UDPipe's client."""
    content_type, body = multipart(parameters)
    return request(server, "POST", "/process", body, content_type)


def post_mixed(server, parameters: dict[str, str]) -> Reply:
    """Send the data in the body, and the other parameters and ignored data in the query."""
    query = parameters | {"data": "Nobody reads this."}
    content_type, body = multipart({name: parameters[name] for name in parameters if name == "data"})
    return request(server, "POST", f"/process?{urlencode(query)}", body, content_type)


WAYS = {"get": get, "post": post, "multipart": post_multipart, "mixed": post_mixed}
