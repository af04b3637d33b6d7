"""The hosts that a server answers to, and the web pages that may use it.

Any web page that a user visits can send requests to a server on the user's own machine. Two checks keep other pages
away. The header `Origin` names the page that sends a request; it must be a page of this server. The header `Host` must
be a name of this server, because a page can make a name of its own resolve to 127.0.0.1 (DNS rebinding). Programs such
as curl send no `Origin`, and the `Host` that the user gave them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

Headers = Iterable[tuple[bytes, bytes]]
ANY = "*"
_ALLOW = b"access-control-allow-origin"


@dataclass(frozen=True, slots=True)
class OriginPolicy:
    """The names of a server besides those of the loopback interface, and the origins of other allowed pages.

    `*` allows all. `addresses` allows every IP address as a name, for a server that listens on all its addresses.
    """

    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    addresses: bool = False

    @classmethod
    def of(cls, bound: str, hosts: Iterable[str] = (), origins: Iterable[str] = ()) -> OriginPolicy:
        """Return the policy of a server that is bound to this host."""
        address = _address(bound)
        everywhere = address is not None and address.is_unspecified
        named = {bound, *hosts} if not everywhere else {*hosts}
        return cls(
            frozenset(name_of(host) for host in named), frozenset(origin.lower().rstrip("/") for origin in origins),
            everywhere,
        )

    def refusal(self, headers: Headers) -> str | None:
        """Return why a request with these headers is refused, or None."""
        found = {name: value.decode("latin-1") for name, value in headers}
        hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
        for host in hosts:
            if not self.allows_host(host):
                return f"This server does not answer to the host {host!r} (server option --allow-host)."
        origin = found.get(b"origin")
        if origin is not None and not self.allows_origin(origin) and not _is_same(origin, hosts):
            return f"Web pages of {origin!r} may not use this server (server option --allow-origin)."
        is_foreign = found.get(b"sec-fetch-site") == "cross-site" and found.get(b"sec-fetch-mode") != "navigate"
        if origin is None and is_foreign and ANY not in self.origins:
            return "Other web sites may not use this server (server option --allow-origin)."
        return None

    def allows_host(self, host: str) -> bool:
        """Return whether the server answers to this value of `Host`."""
        name = name_of(host)
        address = _address(name)
        if ANY in self.hosts or name in self.hosts or name == "localhost" or name.endswith(".localhost"):
            return True
        return address is not None and (self.addresses or address.is_loopback)

    def allows_origin(self, origin: str) -> bool:
        """Return whether pages of another server with this origin may use this server."""
        return ANY in self.origins or origin.lower() in self.origins

    def response_headers(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        """Return the headers that let a page read the response to a request with these headers."""
        if ANY in self.origins:
            return [(_ALLOW, b"*")]
        if not self.origins:
            return []
        origin = next((value for name, value in headers if name == b"origin"), b"")
        vary = (b"vary", b"origin")
        return [(_ALLOW, origin), vary] if self.allows_origin(origin.decode("latin-1")) else [vary]


def name_of(host: str) -> str:
    """Return the name or address in a value of `Host`, without the port."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.rstrip(".") if name.count(":") > 1 else name.partition(":")[0].rstrip(".")


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _is_same(origin: str, hosts: list[str]) -> bool:
    """Return whether a page comes from this server. The scheme may differ, if a proxy adds TLS."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and [parts.netloc.lower()] == [host.strip().lower() for host in hosts]
