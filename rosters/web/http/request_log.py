"""Each request's number and its line in the log, as text or JSON, with nothing in it that tells who asked.

No visitor's address, query, cookie or form is logged; tokens are cut short and e-mail addresses blotted out.
"""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from traceback import walk_tb
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from rosters.web.http import metrics

View = Callable[[HttpRequest], HttpResponse]
HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""A request's number, as a proxy may give it."""
QUIET_ROUTES = {"static", "/health", "/ready", "/metrics"}
"""What is asked for so often that it is logged under LOG_LEVEL=DEBUG alone."""

LONG_WORD = re.compile(r"[A-Za-z0-9_=-]{20,}")
"""As long as a token: 22 characters of a share link, 43 of an edit link."""
MAIL = re.compile(r"[^\s@<>\"'()/]+@[^\s@<>\"'()/]+\.[^\s@<>\"'()/]+")
ADDRESS = re.compile(
    r"\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f]{0,4}\b", re.I
)

log = logging.getLogger("armybuilder.access")
current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The number of the request that is being answered."""


def request_log(get_response: View) -> View:
    """Number the request, time it, count it, and write its line in the log."""

    def middleware(request: HttpRequest) -> HttpResponse:
        number = request_id(request)
        token, begun = current_request_id.set(number), time.perf_counter()
        try:
            with metrics.in_progress():
                response = get_response(request)
            response[HEADER] = number
            log_request(request, response, time.perf_counter() - begun)
        finally:
            current_request_id.reset(token)
        return response

    return middleware


def request_id(request: HttpRequest) -> str:
    """The number that a proxy gave the request, where it is well formed; else a new one."""
    given = request.headers.get(HEADER, "")
    return given if WELL_FORMED.fullmatch(given) else secrets.token_hex(8)


def route_of(request: HttpRequest) -> str:
    """The pattern of the address: of these there are few, and they hold no tokens."""
    match = request.resolver_match
    if match is not None:
        return f"/{match.route}"
    if request.path_info in QUIET_ROUTES:
        return request.path_info
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count a request that was answered, and write its line."""
    method, route, status = request.method or "", route_of(request), response.status_code
    metrics.observe_request(method, route, status, seconds)
    facts = {
        "method": method[:10],
        "path": "".join(c if c.isprintable() else "?" for c in anonymize(request.path_info)[:200]),
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "bytes": None if response.streaming else len(response.content),
    }
    level = logging.DEBUG if route in QUIET_ROUTES and status < 500 else logging.INFO
    log.log(level, "%(method)s %(path)s %(status)d, %(ms)s ms", facts, extra={"facts": facts})


def anonymize(text: str) -> str:
    """Text with its tokens cut short, and e-mail and network addresses blotted out."""
    text = ADDRESS.sub("(address)", MAIL.sub("(e-mail)", text))
    return LONG_WORD.sub(lambda word: f"{word[0][:4]}…", text)


def error_data(error: BaseException) -> dict[str, Any]:
    """An exception as data: its first line only, because databases print rows in the others."""
    lines = anonymize(str(error)).splitlines() or [""]
    frames = [
        f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}" for frame, line in walk_tb(error.__traceback__)
    ]
    return {"type": type(error).__qualname__, "message": lines[0][:500], "frames": frames[-25:]}


def record_data(record: logging.LogRecord) -> dict[str, Any]:
    """A line of the log as data."""
    facts: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": anonymize(record.getMessage()),
    }
    number = current_request_id.get() or getattr(getattr(record, "request", None), "request_id", "")
    if number:
        facts["request_id"] = number
    facts |= getattr(record, "facts", {})
    if record.exc_info and record.exc_info[1]:
        facts["error"] = error_data(record.exc_info[1])
    return facts


class JsonFormatter(logging.Formatter):
    """One JSON object for each line of the log."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(record_data(record))


class TextFormatter(logging.Formatter):
    """The same for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        facts = record_data(record)
        error = facts.get("error")
        lines = [f"{facts['time'][11:19]} {facts['level']} {facts['message']}"]
        if error:
            lines += [*(f"    {frame}" for frame in error["frames"]), f"    {error['type']}: {error['message']}"]
        return "\n".join(lines)
