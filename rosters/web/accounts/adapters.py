"""The differences of our sign-in from allauth's."""

import logging
from contextlib import suppress
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from rosters.web.http.errors import mail_unavailable, too_many
from rosters.web.http.rate_limit import MINUTE

STRANGERS_MAILS = ("account_already_exists", "email_confirmation_signup", "password_reset_key", "unknown_account")
"""The emails that anybody can send to any address, by the names of their templates."""
log = logging.getLogger("armybuilder.mail")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's adapter with answers of ours for too many attempts, mail that cannot be sent, and malformed next URLs.

    Errors of sending are OSErrors, smtplib's own among them.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        f"{login}_password_mismatch": _("Wrong email address or password.") for login in ("email", "username")
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raise the site's 429 response after too many failed attempts."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            raise ImmediateHttpResponse(too_many(request, 5 * MINUTE)) from None

    def clean_email(self, email: str) -> str:
        """Refuse what cannot be the header of an email.

        Django takes control characters in quotes, and email.message takes some of them for the end of a line; and not
        every domain that Django takes has a name in ASCII.
        """
        try:
            email.rpartition("@")[2].encode("idna")
        except UnicodeError:
            raise ValidationError(validate_email.message) from None
        if not email.isprintable():
            raise ValidationError(validate_email.message)
        cleaned: str = super().clean_email(email)
        return cleaned

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> HttpResponse | None:
        """Ask to confirm the address; not staff, who go on, because createsuperuser confirms none."""
        return None if user and user.is_staff else super().respond_email_verification_sent(request, user)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email that the visitor waits for, or raise the 503 response to them, so that they can try again.

        Few an hour that anybody can send go to one mailbox, with whatever tag ("anna+x@"): the response is the same,
        and the links sent before work.

        The address is checked again, because no form has seen one that came from the admin or an old backup.
        """
        name, _at, domain = email.lower().rpartition("@")
        mailbox = f"{name.partition('+')[0]}@{domain}"
        by_strangers = template_prefix.removeprefix("account/email/") in STRANGERS_MAILS
        if by_strangers and not ratelimit.consume(self.request, action="strangers_mail", key=mailbox):
            return
        try:
            self.clean_email(email)
            super().send_mail(template_prefix, email, context)
        except (OSError, ValidationError) as error:
            log.error("An email was not sent: %s", error)
            ratelimit.clear(self.request, action="confirm_email", key=email.lower())
            raise ImmediateHttpResponse(mail_unavailable(self.request)) from None

    def send_notification_mail(self, *arguments: Any, **more: Any) -> None:
        """Send an email about a change that is saved already; the change stays if the email cannot be sent."""
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*arguments, **more)

    def is_safe_url(self, url: str | None) -> bool:
        """Whether to redirect to ``url`` after sign-in; False if its host cannot be parsed."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
