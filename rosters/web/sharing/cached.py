"""Shared pages and files: the same bytes for everybody who may read a roster, rendered once and cached.

A request is answered before there is a session: the middleware reads the state of the roster in one query, and the
bytes rendered from this state are in the memory of the process or in the shared cache. So every process shows a change,
or what its owner hides, from the next request on. Requests for other rosters, such as private ones, continue to their
view.
"""

import gzip
import hashlib
import re
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import wraps
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.http.request import HttpHeaders
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.http import parse_etags
from django.utils.translation import get_language

from rosters import registry
from rosters.core.cache import MemoryCache, cached
from rosters.store.access import Access
from rosters.store.consistency import read_snapshot
from rosters.store.shared import shared_state
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.conditional import cache_value, cached_value, release
from rosters.web.http.memory_cache import MemoryCacheBackend
from rosters.web.http.permissions import READ, View
from rosters.web.http.rate_limit import is_over_limit, too_many_response

CACHED_HEADERS = ("Content-Type", "Content-Disposition", "X-Robots-Tag")
"""The headers of a view that belong to its bytes."""
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


# ---------------------------------------------------------------- views


def shared_view(*names: str, ordinary: str = "") -> Callable[[View], View]:
    """Decorate a view of a shared roster: it gets the access of an anonymous visitor, even if an editor sends the
    request.

    Of the query, it gets these ``names``. A request that has ``ordinary`` in its query is not cached.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def as_reader(ctx: RosterContext, **rest: Any) -> HttpResponse:
            response = view(replace(ctx, access=Access.READ), **rest)
            response["Cache-Control"] = "private, no-cache"  # the middleware replaces it where everybody may read
            return response

        guarded = roster_view(READ, "GET", from_replica=True)(as_reader)
        guarded.shared = names, ordinary  # type: ignore[attr-defined]
        return guarded

    return decorate


@cached(2 << 20)
def shared_match(path: str) -> ResolverMatch | Literal[False]:
    """The view of a path, which may be long, and its arguments; False unless it is a `shared_view`."""
    try:
        match = resolve(path)
    except Resolver404:
        return False
    return match if hasattr(match.func, "shared") else False


# ---------------------------------------------------------------- cached responses


class CachedResponse(NamedTuple):
    """The response of a view: its headers, and its body, compressed if that makes it smaller."""

    headers: dict[str, str]
    body: bytes
    compressed: bool


_responses = MemoryCache[str, CachedResponse](32 << 20)
"""The rendered responses by `response_key`."""


def response_key(request: HttpRequest, query: str, state: tuple[Any, ...]) -> str:
    """A hash of everything that the response to a request depends on."""
    match = request.resolver_match  # not the path, in which a number may have zeros before it
    view = (match.view_name, sorted(match.kwargs.items())) if match else request.path
    address = (request.scheme, request.get_host(), view, query)  # pages show addresses of their own
    edition = registry.SYSTEMS[state[0]].rules.EDITION
    parts = (state, address, edition, get_language(), release())
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def cached_response(key: str) -> CachedResponse | None:
    """The rendered response in the memory of this process or, if processes share a cache, in that."""
    cached = _responses.get(key)
    if cached is None and _processes_share_cache() and (stored := cached_value(key)):
        cached = CachedResponse(*stored)
        _responses.set(key, cached, len(cached.body))
    return cached


def cache_response(key: str, response: HttpResponse, *, shared: bool) -> CachedResponse:
    """Store a rendered response in the memory of this process and, if ``shared``, in the cache of all processes."""
    packed = gzip.compress(response.content, 6, mtime=0)
    compressed = len(packed) < 0.9 * len(response.content)
    headers = {name: response[name] for name in CACHED_HEADERS if name in response}
    cached = CachedResponse(headers, packed if compressed else response.content, compressed)
    _responses.set(key, cached, len(cached.body))
    if shared and _processes_share_cache():
        cache_value(key, tuple(cached))
    return cached


def _processes_share_cache() -> bool:
    return not isinstance(caches["responses"], MemoryCacheBackend)


def clear_responses() -> None:
    """Empty this process's memory, as if it had just started."""
    _responses.clear()


# ---------------------------------------------------------------- requests


def shared_pages(get_response: View) -> View:
    """Answer requests for shared views with the response for everybody, before sessions, messages and CSRF tokens."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_read = request.method in ("GET", "HEAD") and request.path_info.startswith("/s/")
        match = is_read and shared_match(request.path_info)
        if not match:
            return get_response(request)
        names, ordinary = match.func.shared  # type: ignore[attr-defined]
        read_at = time.time()
        state = shared_state(match.kwargs["token"])
        if state is None or (ordinary and ordinary in request.GET):
            return get_response(request)
        request.resolver_match = match
        query = _known_query(request.GET, names)
        key = response_key(request, query, state)
        response: HttpResponse = HttpResponseNotModified()
        known = {tag.removeprefix("W/") for tag in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))}
        if f'"{key}"' not in known:
            cached = cached_response(key)
            if cached is None:
                return _render(get_response, request, query)
            response = _response(request, cached)
        return _with_headers(response, key, read_at)

    return middleware


def _render(get_response: View, request: HttpRequest, query: str) -> HttpResponse:
    """Render for an anonymous visitor, from one state: settings may change meanwhile, and change back."""
    if is_over_limit(request, "DRAWINGS_A_MINUTE", settings.DRAWINGS_A_MINUTE):
        return too_many_response(request)
    read_at = time.time()
    with read_snapshot():
        state = shared_state(request.resolver_match.kwargs["token"])  # type: ignore[union-attr]
        if state is not None:
            response = get_response(_anonymous(request, query))
    if state is None:
        return get_response(request)
    if response.status_code != 200:
        response["Cache-Control"] = "no-cache"
        return response
    key = response_key(request, query, state)
    # Clients can send any number of queries: their responses must not evict others from the cache of all processes.
    cached = cache_response(key, response, shared=not query)
    return _with_headers(_response(request, cached), key, read_at)


def _anonymous(request: HttpRequest, query: str) -> HttpRequest:
    """A GET request without anything that identifies its sender, except the address by which clients are limited."""
    anonymous = copy(request)
    names = {"HTTP_HOST", *(settings.SECURE_PROXY_SSL_HEADER or ())[:1]}
    own = {name: value for name, value in request.META.items() if not name.startswith("HTTP_") or name in names}
    anonymous.META = own | {"QUERY_STRING": query, "REQUEST_METHOD": "GET"}
    anonymous.headers = HttpHeaders(anonymous.META)
    anonymous.method, anonymous.GET, anonymous.COOKIES = "GET", QueryDict(query), {}
    return anonymous


def _known_query(sent: QueryDict, names: tuple[str, ...]) -> str:
    """The query without parameters that the view does not read, sorted."""
    if not sent:
        return ""
    known = QueryDict(mutable=True)
    for name in names:
        if name in sent:
            known.setlist(name, sent.getlist(name))
    return known.urlencode()


def _response(request: HttpRequest, cached: CachedResponse) -> HttpResponse:
    """A rendered response in an encoding that the client accepts."""
    headers, body = dict(cached.headers), cached.body
    if cached.compressed:
        if ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            headers["Content-Encoding"] = "gzip"
        else:
            body = gzip.decompress(body)
    return HttpResponse(body, headers=headers)


def _with_headers(response: HttpResponse, key: str, read_at: float) -> HttpResponse:
    """Let every cache store a response, and revalidate it before each use, unless SHARED_CACHE_SECONDS allows more.

    ``read_at`` is the time before the state was read.
    """
    seconds = settings.SHARED_CACHE_SECONDS
    response["ETag"] = f'W/"{key}"'  # weak: one for the compressed and the plain bytes
    response["Vary"] = "Accept-Encoding"
    response["Cache-Control"] = f"public, max-age=0, s-maxage={seconds}" if seconds else "public, no-cache"
    if seconds:
        # nginx counts whole seconds and would keep it for up to one more. It takes this instead, for itself alone.
        response["X-Accel-Expires"] = f"@{int(read_at) + seconds - 1}"
    return response
