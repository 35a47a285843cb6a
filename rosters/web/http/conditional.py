"""Values in the shared cache, and files with an ETag, rendered once for the same content."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from rosters import registry
from rosters.web.http.errors import cache_errors

CACHE_SECONDS = 24 * 3600
"""Seconds for which a value is cached; its key is a hash of all that it depends on, so it never becomes wrong."""


@cache
def release() -> str:
    """A hash of what every page depends on besides a roster: our code, templates, style sheets, fixtures."""
    package = Path(registry.__file__).parent
    folders = [package, *(settings.BASE_DIR / name for name in ("templates", "static", "fixtures"))]
    paths = (path for folder in folders for path in sorted(folder.rglob("*")))
    files = (path for path in paths if path.is_file() and path.suffix != ".pyc")
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()


def file_response(request: HttpRequest, key: str, content_type: str, draw: Callable[[], bytes]) -> HttpResponse:
    """A file whose ETag is the hash of its input: 304, or cached, or rendered now. Never indexed.

    Private to the visitor's browser, which revalidates it every time.
    """
    etag = f'"{key}"'
    response: HttpResponse = get_conditional_response(request, etag=etag) or HttpResponse(
        _draw_cached(key, draw), content_type
    )
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    patch_vary_headers(response, ["Cookie"])
    return response


def _draw_cached(key: str, draw: Callable[[], bytes]) -> bytes:
    cached: bytes | None = cached_value(key)
    if cached is not None:
        return cached
    rendered = draw()
    cache_value(key, rendered)
    return rendered


def cached_value(key: str) -> Any:
    """The value in the cache; None without one, and without a cache."""
    try:
        return caches["responses"].get(key)
    except cache_errors():
        return None


def cache_value(key: str, value: Any) -> None:
    """Put a value into the cache, if there is one."""
    try:
        caches["responses"].set(key, value, CACHE_SECONDS)
    except cache_errors():
        return
