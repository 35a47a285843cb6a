"""The metrics for Prometheus at /metrics: requests by route and status, their duration, and requests in progress.

By hand on prometheus-client: three metrics are all that is needed, where django-prometheus brings two middlewares and
dozens. With several processes, gunicorn.conf.py names a folder where each writes its numbers, and any adds up all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import REGISTRY as PROCESS_REGISTRY
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
"""The methods with a label of their own; clients can invent others, which are counted together."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

requests = Counter("armybuilder_requests", "Requests answered.", ["method", "route", "status"])
durations = Histogram("armybuilder_request_seconds", "Seconds to answer a request.", ["route"], buckets=BUCKETS)
requests_in_progress = Gauge("armybuilder_requests_under_way", "Requests in progress.", multiprocess_mode="livesum")


@contextmanager
def in_progress() -> Iterator[None]:
    """Count a request as in progress."""
    requests_in_progress.inc()
    try:
        yield
    finally:
        requests_in_progress.dec()


def observe_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count an answered request."""
    requests.labels(method if method in METHODS else "other", route, str(status)).inc()
    durations.labels(route).observe(seconds)


def metrics_text() -> bytes:
    """All metrics in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(PROCESS_REGISTRY)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
