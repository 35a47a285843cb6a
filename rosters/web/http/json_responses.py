"""JSON responses: one line of data, or the errors, always as {"errors": [{"path", "message"}]}."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse

from rosters.core.documents import Fault, dumps

API_ROOT = "/api/v1/"


def json_response(data: Any, status: int = 200) -> HttpResponse:
    """``data`` as one line of JSON, as the commands print it."""
    body = f"{dumps(data)}\n".encode("utf-8", "replace")
    response = HttpResponse(body, status=status, content_type="application/json")
    response["Cache-Control"] = "private, no-cache"
    return response


def error_response(status: int, faults: Iterable[Fault], **more: Any) -> HttpResponse:
    """The errors of a request, each with its path: "" for the request itself."""
    return json_response({"errors": [fault._asdict() for fault in faults], **more}, status)


def wants_json(request: HttpRequest) -> bool:
    """Whether the request is one to the API."""
    return request.path_info.startswith(API_ROOT)
