"""What Prometheus reads at /metrics: requests by route and status, how long they took, how many are under way.

With several processes, gunicorn.conf.py names a folder where each keeps its numbers, and any of them adds up all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import REGISTRY as OF_THIS_PROCESS
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
"""A stranger may invent others: they are counted as one."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

requests = Counter("armybuilder_requests", "Requests answered.", ["method", "route", "status"])
durations = Histogram("armybuilder_request_seconds", "Seconds to answer a request.", ["route"], buckets=SECONDS)
requests_in_progress = Gauge(
    "armybuilder_requests_under_way", "Requests being answered now.", multiprocess_mode="livesum"
)


@contextmanager
def in_progress() -> Iterator[None]:
    """Count a request while it is being answered."""
    requests_in_progress.inc()
    try:
        yield
    finally:
        requests_in_progress.dec()


def observe_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    requests.labels(method if method in METHODS else "other", route, str(status)).inc()
    durations.labels(route).observe(seconds)


def exposition() -> bytes:
    """All numbers, in the form that Prometheus reads."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(OF_THIS_PROCESS)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
