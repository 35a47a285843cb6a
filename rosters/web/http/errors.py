"""Error pages: what happened, in a sentence, and where to go from there."""

import errno
import sys
from typing import NamedTuple

from django.core.exceptions import BadRequest, DisallowedHost, RequestDataTooBig, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from redis.exceptions import RedisError

from rosters.core.documents import Fault
from rosters.web.http import json_answers
from rosters.web.http.request_log import current_request_id


class SubmittedForm(NamedTuple):
    """A form that was sent, to be sent once more: its address, and each field with its value."""

    address: str
    fields: list[tuple[str, str]]


def submitted_form(request: HttpRequest) -> SubmittedForm | None:
    """The form that was sent; None for anything else, for a form that is not ours, or holds a password or files."""
    ours = getattr(request, "csrf_processing_done", False)
    if request.method != "POST" or not ours or request.FILES or any("password" in name for name in request.POST):
        return None
    fields = ((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    return SubmittedForm(request.get_full_path(), [(name, value) for name, values in fields for value in values])


def error_page(request: HttpRequest, status: int, title: str, text: str, **more: object) -> HttpResponse:
    """One page for every whole-page error; the API says the same as JSON."""
    if json_answers.wants_json(request):
        return json_answers.error_response(status, [Fault("", text)])
    return render(request, "error.html", {"title": title, "text": text, "status": status, **more}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFilesSent):
        return too_large(request)
    if isinstance(exception, DisallowedHost):
        text = "This site answers to other names only. Whoever runs it lists them in ALLOWED_HOSTS."
        return standalone_error_page(request, 400, "Not the name of this site", text)
    why = f"{exception} " if isinstance(exception, BadRequest) else ""
    text = f"{why}Nothing was changed. Go back and try again."
    return error_page(request, 400, "That request could not be read", text)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403, "Not allowed", "This browser may not do that.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = "The page had been open for too long, or cookies are off. Go back, reload the page and send it again."
    return error_page(request, 403, "That form has expired", f"{text} Nothing was changed.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    text = "The address may be mistyped, or what stood here is gone or closed."
    return error_page(request, 404, "There is nothing here", text)


def server_error(request: HttpRequest) -> HttpResponse:
    if is_out_of_service(sys.exception()):
        return out_of_service(request)
    text = "Your last saved change is safe. Reload the page; if it happens again, tell whoever runs this site."
    return standalone_error_page(request, 500, "Something went wrong here", text)


def is_out_of_service(error: BaseException | None) -> bool:
    """Whether an error says that the database, the cache or the disk is not there for the moment."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
    return full or isinstance(error, OperationalError | InterfaceError | RedisError)


def out_of_service(request: HttpRequest) -> HttpResponse:
    """The page for a database that is gone, or a disk that is full."""
    text = (
        "What you sent last may not have been saved; everything before it is safe. "
        "Wait a minute and try again; if it lasts, tell whoever runs this site."
    )
    response = standalone_error_page(
        request, 503, "Armybuilder cannot reach its data just now", text, submitted_form(request)
    )
    response["Retry-After"] = "60"
    return response


def mail_unavailable(request: HttpRequest) -> HttpResponse:
    """The page for a mail server that is gone, or does not take a mail: the same whoever's address it is."""
    text = (
        "The mail could not be sent. Wait a minute and do the same again. If you were signing up, sign in instead, "
        "with the same address and password: that sends the link again. If it lasts, tell whoever runs this site."
    )
    response = standalone_error_page(request, 503, "Armybuilder cannot send mail just now", text)
    response["Retry-After"] = "60"
    return response


def standalone_error_page(
    request: HttpRequest, status: int, title: str, text: str, again: SubmittedForm | None = None
) -> HttpResponse:
    """A page that is drawn without the database, the session and the name of the site."""
    if json_answers.wants_json(request):
        return json_answers.error_response(status, [Fault("", text)])
    shown = {
        "status": status,
        "title": title,
        "text": text,
        "number": current_request_id.get() if status >= 500 else "",
    }
    more = {"again": again, "csrf_token": get_token(request)} if again else {}
    return HttpResponse(render_to_string("broken.html", {**shown, **more}), status=status)


def too_large(request: HttpRequest) -> HttpResponse:
    return error_page(request, 413, "That is too much at once", "Nothing was changed. Go back and send less.")


def too_many(request: HttpRequest, seconds: int = 60) -> HttpResponse:
    """The page for a client that has to wait some seconds; from there it sends the same once more."""
    wait = f"{seconds} second{'' if seconds == 1 else 's'}" if seconds <= 60 else f"{-(-seconds // 60)} minutes"
    again = submitted_form(request)
    kept = ", and what you typed is kept here" if again and again.fields else ""
    text = f"Wait {wait}, then try again. Nothing was changed{kept}."
    response = error_page(request, 429, "That is a lot at once", text, again=again)
    response["Retry-After"] = str(seconds)
    return response
