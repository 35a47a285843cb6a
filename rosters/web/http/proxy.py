"""The client's address behind reverse proxies."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


def client_address(request: HttpRequest, proxies: int) -> str:
    """The client's address as the outermost of our proxies saw it; anything before it in the header can be forged."""
    remote, forwarded = str(request.META.get("REMOTE_ADDR", "")), request.headers.get("X-Forwarded-For", "").split(",")
    try:
        address = ip_address(forwarded[-proxies].strip() if 0 < proxies <= len(forwarded) else remote)
    except ValueError:
        return remote
    # A socket for both protocols reports all IPv4 clients in one IPv6 network, and limits count networks.
    return str(getattr(address, "ipv4_mapped", None) or address)


def trust_proxy(get_response: View) -> View:
    """Set REMOTE_ADDR to the client's address; with TRUST_PROXY_HEADERS, instead of the proxy's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.META["REMOTE_ADDR"] = client_address(request, settings.TRUST_PROXY_HEADERS)
        return get_response(request)

    return middleware
