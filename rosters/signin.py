"""What sign-in does otherwise than allauth."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from rosters.limits import MINUTE
from rosters.views.errors import too_many


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's own, but for who fails too often, and for an address to go on to that is none."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise the answer that everybody gets who asks too often; else let the password be looked at."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            response = too_many(request)
            response["Retry-After"] = str(5 * MINUTE)
            raise ImmediateHttpResponse(response) from None

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a browser may be sent on to ``url``; one whose host cannot be read, it may not."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
