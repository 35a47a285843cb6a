"""The client's address behind reverse proxies."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


def client_address(request: HttpRequest, proxies: int) -> str:
    """The client's address as the outermost of our proxies saw it; anything before it in the header can be forged."""
    addresses = request.headers.get("X-Forwarded-For", "").split(",")
    try:
        return str(ip_address(addresses[-proxies].strip()))
    except (IndexError, ValueError):
        return str(request.META.get("REMOTE_ADDR", ""))


def trust_proxy(get_response: View) -> View:
    """With TRUST_PROXY_HEADERS, set REMOTE_ADDR to the client's address instead of the proxy's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.TRUST_PROXY_HEADERS:
            request.META["REMOTE_ADDR"] = client_address(request, settings.TRUST_PROXY_HEADERS)
        return get_response(request)

    return middleware
