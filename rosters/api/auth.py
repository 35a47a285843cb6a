"""Authentication and permissions of the API. Cookies are ignored."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from ninja import Path
from ninja.errors import HttpError
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle
from ninja.utils import contribute_operation_args, contribute_operation_callback

from rosters.core.documents import Fault
from rosters.models import Roster, TokenScope
from rosters.store import api_tokens
from rosters.store.access import Access
from rosters.web.http import permissions, rate_limit
from rosters.web.http.json_responses import error_response
from rosters.web.http.permissions import Permission, View, ViewPermission


class ApiError(HttpError):
    """An error response; ``extra`` are further keys of its JSON."""

    def __init__(self, status: int, message: str, path: str = "", **extra: Any) -> None:
        super().__init__(status, message)
        self.path, self.extra = path, extra


class TokenError(ApiError):
    """A token that is invalid or lacks a scope; ``code`` is that of RFC 6750, section 3.1."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, message)
        self.code = code


# ---------------------------------------------------------------- bearer tokens


class AccountToken(HttpBearer):
    """An API token of an account, issued on the account's page."""

    openapi_description = (
        "An API token of an account. One for reading only is refused with 403 by whatever changes something, one that "
        "has expired with 401 by everything."
    )

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """The account of the token, or None. Raises TokenError."""
        known = api_tokens.token_for(token.strip())
        if known is None:
            return None
        if known.has_expired:
            raise TokenError(401, "invalid_token", "this API token has expired: create another on the account's page")
        if known.scope == TokenScope.READ and request.method != "GET":
            raise TokenError(403, "insufficient_scope", "this API token is for reading only")
        request.user = known.user
        return known.user


class EditSecret(HttpBearer):
    """The edit secret of a roster; `requires` checks that it belongs to the roster of the request."""

    openapi_description = (
        "The secret of a roster's owner link, which may do everything, or of an edit link, which may change the "
        "document: the last part of the link."
    )

    def authenticate(self, request: HttpRequest, token: str) -> str | None:
        request.bearer = token.strip()  # type: ignore[attr-defined]
        return token.strip() or None


def anonymous(request: HttpRequest) -> AnonymousUser:
    """A client without a bearer token."""
    return AnonymousUser()


AUTHENTICATORS = [AccountToken(), EditSecret(), anonymous]
"""These only authenticate. `requires` enforces permissions: a roster that the client may not read is 404."""


# ---------------------------------------------------------------- permissions and limits


class RosterRequest(HttpRequest):
    """A request to an operation on one roster, with what `requires` adds to it."""

    roster: Roster
    editable: bool
    """Whether the sender may change the roster's document."""


def requires(permission: Permission) -> Callable[[View], View]:
    """Record the permission of an operation and enforce it.

    READ, BEARER and OWNER_BEARER are permissions on the roster of the address: it is resolved into ``request.roster``.
    """
    needs_bearer = permission in (Permission.BEARER, Permission.OWNER_BEARER)
    of_roster = needs_bearer or permission == Permission.READ

    def decorate(operation: View) -> View:
        @wraps(operation)
        def guarded(request: RosterRequest, **values: Any) -> HttpResponse:
            if of_roster:
                request.roster, access = permissions.roster_for(request, values.pop("token"))
                request.editable = access >= Access.EDIT
                if access < permissions.NEEDED_ACCESS[permission]:
                    raise _refused(request, permission)
            return operation(request, **values)

        def record(ninja_operation: Any) -> None:
            without_bearer: dict[str, Any] = {} if needs_bearer else {"security": [{}]}
            extra = ninja_operation.openapi_extra or {}
            ninja_operation.openapi_extra = {**extra, **without_bearer, "x-who": permission}

        contribute_operation_callback(guarded, record)
        if of_roster:
            token: Any = Path(description="The roster's token: the last part of its share link.")  # type: ignore[type-arg]
            contribute_operation_args(guarded, "token", str, token)
        return guarded

    return decorate


def _refused(request: HttpRequest, permission: Permission) -> ApiError:
    sent_bearer = permissions.account_of(request) or permissions.bearer_token(request)
    secret = "of its owner link" if permission == Permission.OWNER_BEARER else "of its owner link or of an edit link"
    message = f"needs a bearer token: the roster's secret {secret}, or an API token of the account that owns it"
    return ApiError(403 if sent_bearer else 401, message)


class ClientThrottle(BaseThrottle):
    """A limit of requests per client and minute, from a setting, counted by `rate_limit` as for pages.

    ninja's own throttles trust any X-Forwarded-For, do not count atomically, and fail with the cache.
    """

    def __init__(self, setting: str) -> None:
        self.setting = setting

    def allow_request(self, request: HttpRequest) -> bool:
        return not rate_limit.is_over_limit(request, self.setting, getattr(settings, self.setting))

    def wait(self) -> float:
        return rate_limit.seconds_left()


API_THROTTLE = ClientThrottle("API_A_MINUTE")


# ---------------------------------------------------------------- around every address


def api_view(view: View, permission: ViewPermission) -> View:
    """Wrap a view: cookies are ignored, its permission is recorded, and 405 is JSON."""

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.COOKIES, request.user = {}, AnonymousUser()
        if request.method not in permission.methods:
            allowed = ", ".join(permission.methods)
            response = error_response(405, [Fault("", f"{request.method} is not allowed. Use one of: {allowed}.")])
            response["Allow"] = allowed
        else:
            if request.method == "HEAD":
                request.method = "GET"  # the server leaves the body out, as for a page
            response = view(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        patch_vary_headers(response, ["Authorization"])
        return response

    guarded.permission = permission  # type: ignore[attr-defined]
    return guarded
