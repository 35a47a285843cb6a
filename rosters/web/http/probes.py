"""Probes for monitoring: liveness, readiness and metrics."""

from collections.abc import Callable
from contextlib import closing
from ipaddress import ip_address
from sqlite3 import OperationalError

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare, get_random_string
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST

from rosters.store import replica
from rosters.web.http import metrics as metrics_module
from rosters.web.http.permissions import Permission, public_view

View = Callable[[HttpRequest], HttpResponse]
PROXY_HEADERS = ("X-Forwarded-For", "Forwarded", "X-Real-IP")


@never_cache
@public_view("GET")
def health(request: HttpRequest) -> JsonResponse:
    """Liveness: the process answers. A failing database is no reason to restart the process, so it is not queried."""
    return JsonResponse({"status": "alive"})


@never_cache
@public_view("GET")
def ready(request: HttpRequest) -> JsonResponse:
    """Readiness: the database answers, is writable and migrated; otherwise 503, with the name of the failed check, but
    no reason.

    A failing cache or replica is reported but is no reason for 503: every process misses it alike, and the site works
    without.
    """
    working = {name: is_working(check) for name, check in CHECKS.items()}
    is_ready = all(working[name] for name in REQUIRED)
    results = {name: "ok" if works else "failed" for name, works in working.items()}
    return JsonResponse({"status": "ready" if is_ready else "not ready", **results}, status=200 if is_ready else 503)


@never_cache
@public_view("GET", permission=Permission.METRICS)
def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus: for the bearer of METRICS_TOKEN; without one, outside production, for this machine."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        if not constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}"):
            return HttpResponse("A token is required.\n", "text/plain", 401, headers={"WWW-Authenticate": "Bearer"})
    elif settings.PRODUCTION or not is_local(request):
        return HttpResponse("Page not found.\n", "text/plain", 404)
    return HttpResponse(metrics_module.metrics_text(), content_type=CONTENT_TYPE_LATEST)


def is_local(request: HttpRequest) -> bool:
    """Whether the request comes from this machine without a proxy."""
    try:
        is_loopback = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    return is_loopback and not any(name in request.headers for name in PROXY_HEADERS)


def is_working(check: Callable[[], bool]) -> bool:
    """Whether a check passes; any exception means that it does not."""
    try:
        return check()
    except Exception:
        return False


def database() -> bool:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def writable() -> bool:
    """Whether the database can be changed; it can if another writer holds the lock of SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_read_only")
            return bool(cursor.fetchone() == ("off",))
    with closing(connection.get_new_connection(connection.get_connection_params() | {"timeout": 0})) as own:
        try:
            own.execute("DELETE FROM django_migrations WHERE id IS NULL")  # no row; BEGIN alone would not fail
        except OperationalError as error:
            return "locked" in str(error)
    return True


def migrations() -> bool:
    """Whether all migrations are applied, and no newer ones; once it is so, it is not checked again in this process."""
    if not migrations_applied:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        migrations_applied.extend([] if missing or newer_migrations(executor.loader) else [True])
    return bool(migrations_applied)


def newer_migrations(loader: MigrationLoader) -> list[str]:
    """The names of our migrations that the database has and this version does not know."""
    applied = loader.applied_migrations or {}
    return sorted(name for app, name in applied if app == "rosters" and (app, name) not in loader.disk_migrations)


def cache() -> bool:
    """Whether every cache returns what was just written to it."""
    value = get_random_string(8)
    for each in caches:
        caches[each].set("ready", value, 60)
    return all(caches[each].get("ready") is not None for each in caches)


def recent_replica() -> bool:
    """Whether the replica is recent enough to be read."""
    replica.age.measure()
    return replica.age.is_recent()


migrations_applied: list[bool] = []
"""Not empty once all migrations are applied."""
CHECKS = {"database": database, "writable": writable, "migrations": migrations, "cache": cache}
if replica.REPLICA in settings.DATABASES:
    CHECKS["replica"] = recent_replica
REQUIRED = ("database", "writable", "migrations")
PROBES: dict[str, View] = {"/health": health, "/ready": ready, "/metrics": metrics}


def probes(get_response: View) -> View:
    """Answer probes before ALLOWED_HOSTS, sessions and https redirects apply: monitoring uses any host name."""

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        return probe(request) if probe else get_response(request)

    return middleware
