"""Middleware: language, port, the browser cookie, the size of requests, the count of queries."""

import codecs
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, DisallowedHost
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.translation import activate

from rosters.web.http.errors import too_large
from rosters.web.http.permissions import renew_browser_cookie

View = Callable[[HttpRequest], HttpResponse]


def language(get_response: View) -> View:
    """Activate the site's language: while none is active, Django takes three times as long to look up each text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        activate(settings.LANGUAGE_CODE)
        return get_response(request)

    return middleware


def refuse_other_ports(get_response: View) -> View:
    """With https, refuse a Host with another port than HTTPS_PORT.

    ALLOWED_HOSTS ignores ports, and a proxy may pass on what the client sent: a stranger could have the link of a
    password reset lead to a port of their own.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.HTTPS and split_domain_port(request.get_host())[1] not in ("", str(settings.HTTPS_PORT)):
            raise DisallowedHost("The port is not HTTPS_PORT.")
        return get_response(request)

    return middleware


def drop_nul_cookies(get_response: View) -> View:
    """Drop cookies with NUL, quoted as \\000, which no browser sends and PostgreSQL refuses to look for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if "\0" not in value}
        return get_response(request)

    return middleware


def browser_cookie(get_response: View) -> View:
    """Renew the cookie by which this browser edits its rosters."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        renew_browser_cookie(request, response)
        return response

    return middleware


def form_redirect(get_response: View) -> View:
    """Answer a form that unsent.js sends with the URL to go to instead of a redirect.

    The script's request would follow a redirect itself, and the messages for the page would be lost.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "X-Form" in request.headers and "Location" in response.headers:
            response.status_code = 204
            response["X-Location"] = response["Location"]
            del response["Location"]
        return response

    return middleware


def limit_body_size(get_response: View) -> View:
    """Answer 413 to a request larger than MOST_SENT before its body is read, and 400 to a form that is not UTF-8.

    Django refuses only some of those, and fails if the charset is no text encoding.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if settings.MOST_SENT and length.isdecimal() and int(length.lstrip("0")[:15] or "0") > settings.MOST_SENT:
            return too_large(request)
        charset = request.encoding if request.content_type == "multipart/form-data" else None
        if charset and codecs.lookup(charset).name != "utf-8":
            raise BadRequest("Forms are read as UTF-8.")
        return get_response(request)

    return middleware


class QueryCounter:
    """Counts database queries, as an execute wrapper."""

    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.queries += 1
        return execute(*arguments)


def query_count(get_response: View) -> View:
    """With DEBUG_HEADERS=1, report the number of database queries in the header ``X-Queries``."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not settings.DEBUG_HEADERS:
            return get_response(request)
        counter = QueryCounter()
        with connection.execute_wrapper(counter):
            response = get_response(request)
        response["X-Queries"] = str(counter.queries)
        return response

    return middleware
