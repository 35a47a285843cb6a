"""The client's address behind reverse proxies."""

from collections.abc import Callable
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


IPV6_PREFIX = 64
"""Bits of an IPv6 address that name one customer; allauth counts by the same."""


def client_address(remote: str, forwarded_for: str) -> str:
    """The client's address as the outermost of our proxies saw it; anything before it in the header can be forged."""
    proxies, forwarded = settings.TRUST_PROXY_HEADERS, forwarded_for.split(",")
    try:
        address = ip_address(forwarded[-proxies].strip() if 0 < proxies <= len(forwarded) else remote)
    except ValueError:
        return remote
    # A socket for both protocols reports all IPv4 clients in one IPv6 network, and limits count networks.
    return str(getattr(address, "ipv4_mapped", None) or address)


def network_of(client: str) -> str:
    """An IPv4 address as it is, or the /64 network of an IPv6 address, which belongs to one customer."""
    try:
        address = ip_address(client)
    except ValueError:  # "" behind a socket, unless a proxy's header is trusted
        return client
    return client if address.version == 4 else str(ip_network((int(address), IPV6_PREFIX), strict=False))


def trust_proxy(get_response: View) -> View:
    """Set REMOTE_ADDR to the client's address; with TRUST_PROXY_HEADERS, instead of the proxy's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        remote, forwarded_for = str(request.META.get("REMOTE_ADDR", "")), request.headers.get("X-Forwarded-For", "")
        request.META["REMOTE_ADDR"] = client_address(remote, forwarded_for)
        return get_response(request)

    return middleware
