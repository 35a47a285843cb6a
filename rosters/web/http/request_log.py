"""Each request's id and its line in the log, as JSON or text, without anything that identifies the client.

No address, query, cookie or form of a visitor is logged; tokens are shortened and e-mail addresses removed.
"""

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
from pythonjsonlogger import json

from rosters.web.http import metrics

View = Callable[[HttpRequest], HttpResponse]
HEADER = "X-Request-ID"
VALID_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""A request id that a proxy may set."""
QUIET_ROUTES = {"static", "/health", "/ready", "/metrics"}
"""Requested so often that they are logged at LOG_LEVEL=DEBUG only."""

LONG_WORD = re.compile(r"[A-Za-z0-9_=-]{20,}")
"""As long as a token: 22 characters of a share link, 43 of an edit link."""
EMAIL = re.compile(r"(?<![^\s@<>\"'()/])[^\s@<>\"'()/]++@[^\s@<>\"'()/]+\.[^\s@<>\"'()/]+")
"""Anchored at word boundaries and without backtracking: a long path would take seconds."""
ADDRESS = re.compile(
    r"\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}:?[0-9a-f]{0,4}\b", re.I
)

log = logging.getLogger("armybuilder.access")
current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered."""


def request_log(get_response: View) -> View:
    """Give the request an id, time it, count it, and log it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        new_id = request_id(request)
        reset_token, start = current_request_id.set(new_id), time.perf_counter()
        try:
            with metrics.in_progress():
                response = get_response(request)
            response[HEADER] = new_id
            log_request(request, response, time.perf_counter() - start)
        finally:
            current_request_id.reset(reset_token)
        return response

    return middleware


def request_id(request: HttpRequest) -> str:
    """The valid id that a proxy has set, or a new one."""
    given = request.headers.get(HEADER, "")
    return given if VALID_REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def route_of(request: HttpRequest) -> str:
    """The URL pattern of a request: unlike its path it has no token, and there are few of them."""
    match = request.resolver_match
    if match is not None:
        return f"/{match.route}"
    if request.path_info in QUIET_ROUTES:
        return request.path_info
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count and log a request that was answered."""
    method, route, status = request.method or "", route_of(request), response.status_code
    metrics.observe_request(method, route, status, seconds)
    fields = {
        "method": method[:10],
        "path": "".join(c if c.isprintable() else "?" for c in anonymize(request.path_info)[:200]),
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "bytes": None if response.streaming else len(response.content),
    }
    level = logging.DEBUG if route in QUIET_ROUTES and status < 500 else logging.INFO
    log.log(level, "%(method)s %(path)s %(status)d, %(ms)s ms", fields, extra={"fields": fields})


def anonymize(text: str) -> str:
    """Text with tokens shortened, and e-mail and network addresses removed."""
    text = ADDRESS.sub("(address)", EMAIL.sub("(e-mail)", text))
    return LONG_WORD.sub(lambda word: f"{word[0][:4]}…", text)


def error_fields(error: BaseException) -> dict[str, Any]:
    """An exception as fields: only the first line of its message, because databases print rows in the others."""
    lines = anonymize(str(error)).splitlines() or [""]
    frames = [
        f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}" for frame, line in walk_tb(error.__traceback__)
    ]
    return {"type": type(error).__qualname__, "message": lines[0][:500], "frames": frames[-25:]}


def record_fields(record: logging.LogRecord) -> dict[str, Any]:
    """The fields of a log record, and no others: Django, for one, adds the whole request to some records."""
    fields: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": anonymize(record.getMessage()),
    }
    if number := current_request_id.get():
        fields["request_id"] = number
    fields |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[1]:
        fields["error"] = error_fields(record.exc_info[1])
    return fields


class JsonFormatter(json.JsonFormatter):
    """One JSON object per line."""

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        log_data.update(record_fields(record))


class TextFormatter(logging.Formatter):
    """The fields of `record_fields` as lines for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        fields = record_fields(record)
        error = fields.get("error")
        lines = [f"{fields['time'][11:19]} {fields['level']} {fields['message']}"]
        if error:
            lines += [*(f"    {frame}" for frame in error["frames"]), f"    {error['type']}: {error['message']}"]
        return "\n".join(lines)
