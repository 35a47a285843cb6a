"""Middleware: renew the browser cookie, keep messages out of caches, limit the size of requests, count queries."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from rosters.web.http.errors import too_large
from rosters.web.http.permissions import renew_browser_cookie

View = Callable[[HttpRequest], HttpResponse]


def browser_cookie(get_response: View) -> View:
    """Renew the cookie by which this browser edits its rosters."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        renew_browser_cookie(request, response)
        return response

    return middleware


        return response

    return middleware


def messages_not_stored(get_response: View) -> View:
    """Forbid to store a page that shows messages: one of them may be an edit link, which is shown once."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if get_messages(request).used:  # type: ignore[union-attr]
            add_never_cache_headers(response)
