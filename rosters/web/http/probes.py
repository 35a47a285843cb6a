"""Addresses for machines: whether the process is alive, whether it can serve, and its numbers."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare, get_random_string
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST

from rosters.web.http import metrics as numbers
from rosters.web.http.permissions import Permission, public_view

View = Callable[[HttpRequest], HttpResponse]
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP")


@public_view("GET")
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Alive: the process answers. It asks nothing of the database, so that a database that is gone restarts nobody."""
    return JsonResponse({"status": "alive"})


@public_view("GET")
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Ready: the database and its migrations are there. 503 says which is not, and nothing more.

    A cache that is gone is told, and no reason to send visitors away: every process would miss it.
    """
    found = {name: is_working(check) for name, check in CHECKS.items()}
    well = all(found[name] for name in NEEDED)
    said = {name: "ok" if fine else "failed" for name, fine in found.items()}
    return JsonResponse({"status": "ready" if well else "not ready", **said}, status=200 if well else 503)


@public_view("GET", permission=Permission.METRICS)
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers for Prometheus: with METRICS_TOKEN; without one, on this machine alone and never in production."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
            return HttpResponse("A token is required.\n", "text/plain", 401, headers={"WWW-Authenticate": "Bearer"})
    elif settings.PRODUCTION or not direct(request):
        return HttpResponse("Page not found.\n", "text/plain", 404)
    return HttpResponse(numbers.exposition(), content_type=CONTENT_TYPE_LATEST)


def direct(request: HttpRequest) -> bool:
    """Whether this machine asks, without a proxy in between."""
    try:
        near = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    return near and not any(name in request.headers for name in FORWARDED)


def is_working(check: Callable[[], bool]) -> bool:
    """Whether a check passes; whatever it raises is a no."""
    try:
        return check()
    except Exception:
        return False


def database() -> bool:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def migrations() -> bool:
    """Whether every migration of this code has been applied. Once they are, they stay so for this process."""
    if not MIGRATED:
        executor = MigrationExecutor(connection)
        MIGRATED.extend([] if executor.migration_plan(executor.loader.graph.leaf_nodes()) else [True])
    return bool(MIGRATED)


def cache() -> bool:
    """Whether what is put into the caches comes out again."""
    word = get_random_string(8)
    for each in caches:
        caches[each].set("ready", word, 60)
    return all(caches[each].get("ready") is not None for each in caches)


MIGRATED: list[bool] = []
"""Holds one value when the migrations were seen to be applied."""
CHECKS = {"database": database, "migrations": migrations, "cache": cache}
NEEDED = ("database", "migrations")
PROBES: dict[str, View] = {"/health": health, "/ready": ready, "/metrics": metrics}


def probes(get_response: View) -> View:
    """Answer them here, before hosts, sessions and the database are looked at: a machine asks by any name."""

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        return probe(request) if probe else get_response(request)

    return middleware
