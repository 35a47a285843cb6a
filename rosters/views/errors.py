"""Error pages: what happened, in a sentence, and where to go from there."""

from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def error_page(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    """One page for every whole-page error."""
    return render(request, "error.html", {"title": title, "text": text, "status": status}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFilesSent):
        return too_large(request)
    why = f"{exception} " if isinstance(exception, BadRequest) else ""
    text = f"{why}Nothing was changed. Go back and try again."
    return error_page(request, 400, "That request could not be read", text)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403, "Not allowed", "This browser may not do that.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = "The page had been open for too long, or cookies are off. Go back, reload the page and send it again."
    return error_page(request, 403, "That form has expired", f"{text} Nothing was changed.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 404, "There is nothing here", "The address may be mistyped, or the roster is gone.")


def server_error(request: HttpRequest) -> HttpResponse:
    text = "Your last saved change is safe. Reload the page; if it happens again, tell whoever runs this site."
    return error_page(request, 500, "Something went wrong here", text)


def too_large(request: HttpRequest) -> HttpResponse:
    return error_page(request, 413, "That is too much at once", "Nothing was changed. Go back and send less.")


def too_many(request: HttpRequest) -> HttpResponse:
    return error_page(request, 429, "That is a lot at once", "Wait a minute and try again. Nothing was lost.")
