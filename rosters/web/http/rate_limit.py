"""Rate limits of views, per client and minute; 0 turns one off, and while the cache fails none applies.

By hand: django-ratelimit answers 403; the status, Retry-After and the page that keeps the form would still be ours.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from time import thread_time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from rosters.store.revisions import bytes_packed
from rosters.web.http.errors import cache_errors, too_many
from rosters.web.http.proxy import network_of

View = Callable[..., HttpResponse]
MINUTE = 60
CREATION_BYTES = 200_000
"""An import, a copy or an API request counts once more for each so many bytes; the largest sample roster has 7,000."""
HISTORY_BYTES = 200_000
"""So many bytes of compressed revisions that a request adds count as a second of the processor."""
log = logging.getLogger("armybuilder.limits")


def client_network(request: HttpRequest) -> str:
    """The key of a client."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


def is_over_limit(request: HttpRequest, what: str, limit: int, times: int = 1) -> bool:
    """Count a request of the kind ``what``, as if it were sent so many ``times``; True if this client has sent more
    than ``limit`` in this minute.
    """
    if not limit:
        return False
    try:
        return count(f"limit:{what}:{client_network(request)}:{int(time.time()) // MINUTE}", times) > limit
    except cache_errors(ValueError) as error:  # the cache is unavailable, or has just evicted the key
        log.warning("%s is not counted: %s", what, type(error).__name__)
        return False


def count(key: str, number: int = 1) -> int:
    """One more under this key, or another number. Raises RedisError, or ValueError if the key is dropped meanwhile."""
    cache.add(key, 0, 2 * MINUTE)
    return int(cache.incr(key, number))


def rate_limited(setting: str, *methods: str) -> Callable[[View], View]:
    """Answer 429 with Retry-After beyond the setting named ``setting``, such as PDFS_A_MINUTE.

    With ``methods``, requests by these alone are counted.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            counts = not methods or request.method in methods
            if counts and is_over_limit(request, setting, getattr(settings, setting)):
                return too_many_response(request)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


processor_seconds: dict[int, defaultdict[str, float]] = {}
"""What this process has worked for each client, in the current minute."""


class ProcessorTime:
    """Middleware that answers 429 to a client for whom this process has worked PROCESSOR_SECONDS_A_MINUTE.

    It bounds what has no limit of its own, such as saving a large roster over and over. What is added to histories
    counts too: undoing and redoing a change of 200 kB takes 20 ms, and could fill a disk. Not counted in the cache:
    each process has its own time, and pages must not wait for a cache that is gone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start, packed = thread_time(), bytes_packed.get()
        response = self.get_response(request)
        worked = thread_time() - start + (bytes_packed.get() - packed) / HISTORY_BYTES
        self._seconds()[client_network(request)] += worked
        return response

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Refuse before the view, but after the check of the form's token: the page for too many sends it again."""
        limit = settings.PROCESSOR_SECONDS_A_MINUTE
        is_over = limit and self._seconds()[client_network(request)] > limit
        return too_many_response(request) if is_over else None

    def _seconds(self) -> defaultdict[str, float]:
        minute = int(time.time()) // MINUTE
        if minute not in processor_seconds:
            processor_seconds.clear()
        return processor_seconds.setdefault(minute, defaultdict(float))


def count_created(request: HttpRequest, size: int) -> None:
    """Count a creation of so many bytes once more for each CREATION_BYTES, but let it succeed.

    An import of 15 MB takes 41 MB of disk, and 60 of these a minute would fill one within an hour.
    """
    is_over_limit(request, "CREATIONS_A_MINUTE", settings.CREATIONS_A_MINUTE, size // CREATION_BYTES)


def too_many_response(request: HttpRequest) -> HttpResponse:
    """429 until the minute is over."""
    return too_many(request, seconds_left())


def seconds_left() -> int:
    """Seconds until the next minute begins, in which requests are counted from 0."""
    return MINUTE - int(time.time()) % MINUTE
