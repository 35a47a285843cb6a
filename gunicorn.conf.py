"""Gunicorn's settings, all from the environment: `gunicorn`, from the folder of manage.py.

It imports nothing of the application, so that a reload (SIGHUP) runs new code in new processes only.
The access log is the app's own (rosters/web/http/request_log.py): without addresses, queries and tokens.
"""

import os
import re
import resource
import tempfile
from pathlib import Path
from shutil import rmtree
from typing import Any

from environs import Env, validate
from pythonjsonlogger.json import JsonFormatter


class ServerEnv(Env):
    """An environment in which an empty variable is not set: compose files and unit files often pass such."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        return os.environ.get(env_key, "").strip() or default


env = ServerEnv()


def number(name: str, default: int, least: int = 0, most: int = 1_000_000) -> int:
    """A whole number from the environment. Raises EnvValidationError."""
    error = f"must be a whole number from {least} to {most}, not {{input!r:.40}}"
    in_range = validate.Range(least, most, error=error)
    return env.int(name, default, validate=in_range, error_messages={"invalid": error, "too_large": error})


LEVELS = validate.Regexp(
    r"(debug|info|warning|error|critical)\Z",
    re.IGNORECASE,
    error="must be debug, info, warning, error or critical, not {input!r:.40}",
)


class LowercaseLevel(JsonFormatter):
    """Gunicorn's own messages, one JSON object a line, with the fields of the app's log."""

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return log_data | {"level": log_data["level"].lower()}


wsgi_app = "armybuilder.asgi:application"
bind = env.str("BIND", f"127.0.0.1:{number('PORT', 8000, most=65_535)}")
workers = number("WORKERS", 2, least=1)
threads = number("THREADS", 4, least=1)  # requests that a process works on at once; slow clients take none
worker_class = "armybuilder.server.Worker"
timeout = number("TIMEOUT", 60)  # seconds without a sign of life, then a process is replaced
graceful_timeout = number("GRACEFUL_TIMEOUT", 30)
keepalive = number("KEEPALIVE", 5)
max_requests = number("MAX_REQUESTS", 0)  # 0: a process is never replaced
max_requests_jitter = max_requests // 10
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a slow disk then kills no worker
control_socket_disable = True
proc_name = "armybuilder"

# PostgreSQL: a connection for each thread and for imports, and an end to a query that nobody waits for any more.
os.environ.setdefault("DATABASE_POOL", str(threads + 1))
if not env.bool("DATABASE_POOLER", False):  # pgbouncer refuses options; its own connect_query sets them
    os.environ.setdefault("PGOPTIONS", f"-c statement_timeout={number('STATEMENT_TIMEOUT', 30)}s")
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # a connection is a file, and so is a long body or answer

accesslog = None
errorlog = "-"
loglevel = env.str("LOG_LEVEL", "info", validate=LEVELS).lower()
logconfig_dict: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": LowercaseLevel,
            "fmt": ["levelname", "name", "message"],
            "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "error"},
            "timestamp": "time",
        },
        "text": {"format": "%(asctime)s %(levelname)s %(message)s"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": env.str("LOG_FORMAT", "json", validate=validate.OneOf(["json", "text"])),
            "stream": "ext://sys.stderr",
        },
    },
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {
        "gunicorn.error": {"level": loglevel.upper(), "handlers": ["stderr"], "propagate": False},
        "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
    },
}

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which prometheus-client adds up the numbers of all processes."""


def on_starting(server: Any) -> None:
    """Create an empty folder for the metrics; numbers of an earlier run do not count."""
    os.environ[METRICS_FOLDER] = tempfile.mkdtemp(prefix="armybuilder-metrics-")


def child_exit(server: Any, worker: Any) -> None:
    """Drop the requests in progress of a process that has ended; its counters remain."""
    for path in Path(os.environ[METRICS_FOLDER]).glob(f"gauge_live*_{worker.pid}.db"):
        path.unlink(missing_ok=True)


def on_exit(server: Any) -> None:
    rmtree(os.environ.get(METRICS_FOLDER, ""), ignore_errors=True)
