"""The answer to a form of a page that was loaded before the last release."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _


def redirect_outdated(request: HttpRequest, to: Any, *args: Any) -> HttpResponse:
    """Redirect (303) to the current page with a message to try again. Nothing is changed.

    For POST addresses whose buttons sent ``do``. Remove it, with its uses, one release after they are gone.
    """
    messages.warning(request, _("This page was out of date. Please try again."))
    response = redirect(to, *args)
    response.status_code = 303
    return response
