"""Whom a request comes from when proxies stand in front."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]


def client_address(request: HttpRequest, proxies: int) -> str:
    """The address that the outermost of so many proxies of ours saw; what stands before it, a visitor can invent."""
    seen = request.headers.get("X-Forwarded-For", "").split(",")
    try:
        return str(ip_address(seen[-proxies].strip()))
    except (IndexError, ValueError):
        return str(request.META.get("REMOTE_ADDR", ""))


def trust_proxy(get_response: View) -> View:
    """Under TRUST_PROXY_HEADERS, let everything behind this see the visitor's address instead of the proxy's."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.TRUST_PROXY_HEADERS:
            request.META["REMOTE_ADDR"] = client_address(request, settings.TRUST_PROXY_HEADERS)
        return get_response(request)

    return middleware
