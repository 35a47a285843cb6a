"""Error pages, which say what happened and what to do next."""

import errno
import sys
from math import ceil
from typing import NamedTuple

from django.core.exceptions import (
    BadRequest,
    DisallowedHost,
    ObjectDoesNotExist,
    RequestDataTooBig,
    TooManyFilesSent,
)
from django.db import IntegrityError, InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rosters.core.documents import Fault
from rosters.models import Roster, Visibility
from rosters.store.access import AccessEnded
from rosters.web.http import json_responses
from rosters.web.http.request_log import current_request_id


class SubmittedForm(NamedTuple):
    """A submitted form, to be submitted again: its URL, and its fields with their values."""

    address: str
    fields: list[tuple[str, str]]


def submitted_form(request: HttpRequest) -> SubmittedForm | None:
    """The form that was submitted; None for any other request, and for a form with a password, files or no token."""
    is_ours = getattr(request, "csrf_processing_done", False)
    if request.method != "POST" or not is_ours or request.FILES or any("password" in name for name in request.POST):
        return None
    fields = ((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    return SubmittedForm(request.get_full_path(), [(name, value) for name, values in fields for value in values])


def error_page(request: HttpRequest, status: int, title: str, text: str, **context: object) -> HttpResponse:
    """An error page with the site's navigation; for the API, the same text as JSON."""
    if json_responses.wants_json(request):
        return json_responses.error_response(status, [Fault("", text)])
    context = {"title": title, "text": text, "status": status, "again": None, "shared": "", **context}
    return render(request, "error.html", context, status=status)


def standalone_error_page(
    request: HttpRequest, status: int, title: str, text: str, again: SubmittedForm | None = None
) -> HttpResponse:
    """An error page that needs no database, session or host name; for the API, the same text as JSON."""
    if json_responses.wants_json(request):
        return json_responses.error_response(status, [Fault("", text)])
    context = {"status": status, "title": title, "text": text, "again": again}
    if status >= 500:
        context["request_id"] = current_request_id.get()
    if again:
        context["csrf_token"] = get_token(request)
    return HttpResponse(render_to_string("broken.html", context), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 400 page; 413 for too much data, and a page of its own for an unknown host."""
    if isinstance(exception, RequestDataTooBig | TooManyFilesSent):
        return too_large(request)
    if isinstance(exception, DisallowedHost):
        text = _(
            "This site does not answer to this host name or port. The site administrator can add them to ALLOWED_HOSTS "
            "and HTTPS_PORT."
        )
        return standalone_error_page(request, 400, _("Unknown host name"), text)
    text = _("Nothing was changed. Go back and try again.")
    if isinstance(exception, BadRequest):
        text = f"{exception} {text}"
    return error_page(request, 400, _("Bad request"), text)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 403 page, which says why if access was revoked."""
    if isinstance(exception, AccessEnded):
        return access_ended(request, 403)
    return error_page(request, 403, _("Permission denied"), _("You do not have permission to do this."))


def access_ended(request: HttpRequest, status: int) -> HttpResponse:
    """The 403 page for a visitor whose link was replaced or whose browser was removed; the form can be sent again."""
    text = _(
        "An owner has replaced or revoked the link, removed this browser, or signed it out. Nothing was changed. "
        "To edit the roster, sign in, or ask the owner for a new link and open it in another tab."
    )
    token = request.resolver_match.kwargs.get("token", "") if request.resolver_match else ""
    readable = Roster.objects.filter(token=token, binned=None).exclude(visibility=Visibility.CLOSED).exists()
    context = {"again": submitted_form(request), "shared": reverse("shared", args=[token]) if readable else ""}
    return error_page(request, status, _("You can no longer edit this roster"), text, **context)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 page for a form whose CSRF token is missing or too old."""
    text = _(
        "The page was open for too long, or cookies are blocked. Go back, reload the page and submit the form again. "
        "Nothing was changed."
    )
    return error_page(request, 403, _("Form expired"), text)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 404 page."""
    text = _("The address may be mistyped, or the page has been deleted or made private.")
    return error_page(request, 404, _("Page not found"), text)


def too_large(request: HttpRequest) -> HttpResponse:
    """The 413 page."""
    return error_page(request, 413, _("Request too large"), _("Nothing was changed. Go back and send less."))


def too_many(request: HttpRequest, seconds: int = 60) -> HttpResponse:
    """The page for a client that must wait some seconds, with a button that submits the same form again."""
    if seconds <= 60:
        count, wait = seconds, ngettext("Wait %d second, then try again.", "Wait %d seconds, then try again.", seconds)
    else:
        count = ceil(seconds / 60)
        wait = ngettext("Wait %d minute, then try again.", "Wait %d minutes, then try again.", count)
    again = submitted_form(request)
    unchanged = _("Nothing was changed.")
    if again and again.fields:
        unchanged = _("Nothing was changed, and what you typed is still here.")
    response = error_page(request, 429, _("Too many requests"), f"{wait % count} {unchanged}", again=again)
    response["Retry-After"] = str(seconds)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """The 500 page; 503 if a service is down, 410 if what was changed has been deleted meanwhile."""
    error = sys.exception()
    if is_out_of_service(error):
        return out_of_service(request)
    if is_deleted_meanwhile(error):
        text = _("It was deleted while you were changing it. Nothing was changed.")
        return standalone_error_page(request, 410, _("Deleted"), text)
    text = _("Your last saved change is safe. Reload the page; if it fails again, contact the site administrator.")
    return standalone_error_page(request, 500, _("Server error"), text)


def is_out_of_service(error: BaseException | None) -> bool:
    """Whether an error means that database or cache cannot be reached, or that disk or database cannot be written to.

    SQLite reports a read-only database as an operational error, PostgreSQL by its code for a read-only transaction.
    """
    is_disk_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
    is_read_only = isinstance(error, InternalError) and getattr(error.__cause__, "sqlstate", "") == "25006"
    return is_disk_full or is_read_only or isinstance(error, cache_errors(OperationalError, InterfaceError))


def cache_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What the cache raises when it cannot be reached, and other errors: those of Redis, once its client is in use.

    Importing the client takes a tenth of a second and ten megabytes, which most sites and all commands do without.
    """
    client = sys.modules.get("redis.exceptions")
    return (*others, client.RedisError) if client else others


def is_deleted_meanwhile(error: BaseException | None) -> bool:
    """Whether an error means that a roster, a battle or an account was deleted while a request worked on it."""
    refers_to_nothing = isinstance(error, IntegrityError) and "foreign key" in str(error).lower()
    return refers_to_nothing or isinstance(error, ObjectDoesNotExist)


def out_of_service(request: HttpRequest) -> HttpResponse:
    """The page for a database or cache that cannot be reached, or a disk or database that cannot be written to."""
    text = _(
        "Your last change may not have been saved; earlier changes are safe. "
        "Wait a minute and try again. If it fails again, contact the site administrator."
    )
    title = _("Service temporarily unavailable")
    response = standalone_error_page(request, 503, title, text, submitted_form(request))
    response["Retry-After"] = "60"
    return response


def mail_unavailable(request: HttpRequest) -> HttpResponse:
    """The page for a mail server that fails or refuses a message; it does not reveal whether the account exists."""
    text = _(
        "The email could not be sent. Wait a minute and try again. If you were signing up, sign in instead with the "
        "same email address and password: that sends the link again. If it fails again, contact the site "
        "administrator."
    )
    response = standalone_error_page(request, 503, _("Email temporarily unavailable"), text)
    response["Retry-After"] = "60"
    return response
