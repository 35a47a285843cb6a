"""The response to a form of a page that was loaded before the last release."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _


def redirect_outdated(request: HttpRequest, to: Any, *args: Any) -> HttpResponse:
    """Redirect (303) to the current page with a message to try again. Nothing is changed.

    Buttons used to send ``do`` to the URL of their page, so views that only show one still take POST. Remove this, with
    its uses, in the release after 0.1: no open page is older than that.
    """
    messages.warning(request, _("This page was out of date. Please try again."))
    response = redirect(to, *args)
    response.status_code = 303
    return response
