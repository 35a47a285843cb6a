"""What sign-in does otherwise than allauth."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from rosters.web.http.errors import mail_unavailable, too_many
from rosters.web.http.rate_limit import MINUTE

log = logging.getLogger("armybuilder.mail")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's own, but for who fails too often, a mail server that is gone, and an address to go on to that is none.

    A failure to send is an OSError: smtplib's own faults are of that kind.
    """

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise the answer that everybody gets who asks too often; else let the password be looked at."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            raise ImmediateHttpResponse(too_many(request, 5 * MINUTE)) from None

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail that somebody waits for. Raise the answer to them when it cannot be sent; the next try counts."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            log.error("A mail was not sent: %s", error)
            ratelimit.clear(self.request, action="confirm_email", key=email.lower())
            raise ImmediateHttpResponse(mail_unavailable(self.request)) from None

    def send_notification_mail(self, *arguments: Any, **more: Any) -> None:
        """Tell of a change that is made already: whether the mail goes out or not."""
        try:
            super().send_notification_mail(*arguments, **more)
        except ImmediateHttpResponse:
            return

    def is_safe_url(self, url: str | None) -> bool:
        """Whether a browser may be sent on to ``url``; one whose host cannot be read, it may not."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
