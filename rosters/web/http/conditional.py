"""Responses with an ETag, which answer 304 without being rendered where the client already has them."""

import hashlib
from collections.abc import Callable
from contextlib import suppress

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from redis.exceptions import RedisError

CACHE_SECONDS = 24 * 3600
"""Seconds for which a rendered file is cached; its key is a hash of its content, so it never becomes wrong."""


def conditional_response(request: HttpRequest, etag: str, render: Callable[[], HttpResponse]) -> HttpResponse:
    """``render()`` with this ETag, or 304. For the visitor's own cache alone, which asks again every time."""
    response: HttpResponse = get_conditional_response(request, etag=etag) or render()
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie"])
    return response


def file_response(request: HttpRequest, key: str, content_type: str, draw: Callable[[], bytes]) -> HttpResponse:
    """A file whose ETag is the hash of its input: 304, or cached, or rendered now. Never indexed."""
    etag = f'"{key}"'
    response = conditional_response(request, etag, lambda: HttpResponse(_draw_cached(key, draw), content_type))
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def body_response(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """A body that is quick to write, under its own hash. Never indexed."""
    etag = f'"{hashlib.sha256(body).hexdigest()}"'
    response = conditional_response(request, etag, lambda: HttpResponse(body, content_type))
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _draw_cached(key: str, draw: Callable[[], bytes]) -> bytes:
    """The cached file, or a newly rendered one; without a cache, rendered each time."""
    try:
        cached: bytes | None = caches["sheets"].get(key)
    except RedisError:
        return draw()
    if cached is not None:
        return cached
    rendered = draw()
    with suppress(RedisError):
        caches["sheets"].set(key, rendered, CACHE_SECONDS)
    return rendered
