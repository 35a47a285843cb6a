"""Gunicorn's settings, all from the environment: gunicorn armybuilder.wsgi, from the folder of manage.py.

It imports nothing of the project, so that a reload (SIGHUP) runs new code in new processes only.
The access log is the app's own (rosters/web/http/request_log.py): without addresses, queries and tokens.
"""

import json
import os
import tempfile
from datetime import UTC, datetime
from logging import Formatter, LogRecord
from pathlib import Path
from shutil import rmtree
from typing import Any

LEVELS = ["debug", "info", "warning", "error", "critical"]


def number(name: str, default: int, least: int = 0, most: int = 1_000_000) -> int:
    """A whole number from the environment. Raises ValueError with a sentence."""
    given = os.environ.get(name, "").strip() or str(default)
    if not (given.isascii() and given.isdecimal() and len(given) <= 15 and least <= int(given) <= most):
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {given[:40]!r}.")
    return int(given)


def level(name: str, default: str) -> str:
    """A level of the log from the environment. Raises ValueError with a sentence."""
    given = os.environ.get(name, "").strip().lower() or default
    if given not in LEVELS:
        raise ValueError(f"{name} is one of {', '.join(LEVELS)}, not {given[:40]!r}.")
    return given


class Json(Formatter):
    """Gunicorn's own messages, a JSON object a line."""

    def format(self, record: LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said)


wsgi_app = "armybuilder.wsgi"
bind = os.environ.get("BIND") or f"127.0.0.1:{number('PORT', 8000, most=65_535)}"
workers = number("WORKERS", 2, least=1)
threads = number("THREADS", 4, least=1)  # so that a slow visitor holds up a thread and not a process
worker_class = "gthread"
timeout = number("TIMEOUT", 60)  # seconds: the largest PDF takes a fraction of it
graceful_timeout = number("GRACEFUL_TIMEOUT", 30)
keepalive = number("KEEPALIVE", 5)
max_requests = number("MAX_REQUESTS", 0)  # 0: a process is never replaced
max_requests_jitter = max_requests // 10
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a slow disk then kills no worker
control_socket_disable = True
proc_name = "armybuilder"

accesslog = None
errorlog = "-"
loglevel = level("LOG_LEVEL", "info")
as_json = os.environ.get("LOG_FORMAT", "json") != "text"
logconfig_dict: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"said": {"()": Json} if as_json else {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "said", "stream": "ext://sys.stderr"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {
        "gunicorn.error": {"level": loglevel.upper(), "handlers": ["stderr"], "propagate": False},
        "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
    },
}

KEPT = "PROMETHEUS_MULTIPROC_DIR"
"""Where each process keeps its numbers, and any of them reads those of all."""


def on_starting(server: Any) -> None:
    """Begin with a folder of our own for the numbers; those of a former run do not count."""
    os.environ[KEPT] = tempfile.mkdtemp(prefix="armybuilder-metrics-")


def child_exit(server: Any, worker: Any) -> None:
    """What a process that has ended was busy with is over; what it has counted stays."""
    for path in Path(os.environ[KEPT]).glob(f"gauge_live*_{worker.pid}.db"):
        path.unlink(missing_ok=True)


def on_exit(server: Any) -> None:
    rmtree(os.environ.get(KEPT, ""), ignore_errors=True)
