"""JSON answers: one line of data, or why there is none, always as {"errors": [{"path", "message"}]}."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse

from rosters.core.documents import Fault, dumps

ROOT = "/api/v1/"


class ApiError(Exception):
    """A request that is refused: with which status, why, and what else its sender should know."""

    def __init__(self, status: int, message: str, path: str = "", **more: Any) -> None:
        super().__init__(message)
        self.status, self.faults, self.more = status, [Fault(path, message)], more


def json_response(data: Any, status: int = 200) -> HttpResponse:
    """``data`` as one line of JSON, as the command line prints it."""
    body = f"{dumps(data)}\n".encode("utf-8", "replace")
    response = HttpResponse(body, status=status, content_type="application/json")
    response["Cache-Control"] = "private, no-cache"
    return response


def error_response(status: int, faults: Iterable[Fault], **more: Any) -> HttpResponse:
    """Why a request is refused: every fault with its place, "" where it concerns the whole."""
    return json_response({"errors": [fault._asdict() for fault in faults], **more}, status)


def wants_json(request: HttpRequest) -> bool:
    """Whether whoever sent this request reads JSON: everything under the API's root does."""
    return request.path_info.startswith(ROOT)
