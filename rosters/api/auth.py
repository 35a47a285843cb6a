"""What every request to the API passes first: its method, its limit, and whom its bearer speaks for.

Cookies count for nothing here: a browser that is signed in, or that may edit, has no rights by that.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from rosters.core.documents import Fault
from rosters.store import api_tokens
from rosters.web.http.json_answers import error_response
from rosters.web.http.permissions import Rights
from rosters.web.http.rate_limit import is_over_limit, too_many_response

View = Callable[..., HttpResponse]


def api_view(view: View, rights: Rights) -> View:
    """``view`` for programs: by bearer alone, within the limit, with these methods."""

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.COOKIES = {}
        response = _is_allowed(view, rights, request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        patch_vary_headers(response, ["Authorization"])
        return response

    guarded.rights = rights  # type: ignore[attr-defined]
    return guarded


def _is_allowed(view: View, rights: Rights, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    if request.method not in rights.methods:
        allowed = ", ".join(rights.methods)
        response = error_response(405, [Fault("", f"{request.method} is not allowed here; there are {allowed}")])
        response["Allow"] = allowed
        return response
    if is_over_limit(request, "API_A_MINUTE", settings.API_A_MINUTE):
        return too_many_response(request)
    authenticate(request)
    if request.method == "HEAD":
        request.method = "GET"  # as for a page: the server leaves the body out
    return view(request, *args, **kwargs)


def authenticate(request: HttpRequest) -> None:
    """Take the bearer's secret: an account's token makes the request that account's, any other may open a roster."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    bearer = secret.strip() if scheme.lower() == "bearer" else ""
    request.bearer = bearer  # type: ignore[attr-defined]
    request.user = api_tokens.account_for(bearer) or AnonymousUser()
