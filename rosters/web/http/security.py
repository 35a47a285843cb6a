"""The Content-Security-Policy and Permissions-Policy headers of every response; Django's own middleware sends the rest.

django-csp works with both versions of Django that we support; once 5.2 is dropped, SECURE_CSP of Django 6 replaces it.
"""

from collections.abc import Callable

from csp.constants import HEADER, NONE, SELF
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]

FILE_POLICY = {
    "script-src": NONE,
    "img-src": [SELF, "data:"],
    "connect-src": NONE,
    "frame-src": NONE,
    "base-uri": NONE,
    "form-action": NONE,
    "frame-ancestors": NONE,
}
"""For a picture, a PDF or data opened on its own: browsers display these with styles of their own, so styles stay."""
PAGE_TYPES = {"", "text/html", "application/xhtml+xml"}
"""Content types that may hold scripts and forms of ours."""

UNUSED_FEATURES = [
    *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get"),
    *("serial", "usb", "xr-spatial-tracking"),
]
"""Browser features that no page here uses."""
PERMISSIONS_POLICY = ", ".join([*(f"{feature}=()" for feature in UNUSED_FEATURES), "screen-wake-lock=(self)"])
"""The play page can keep the screen on (Wake Lock)."""


def content_security_policy(get_response: View) -> View:
    """Send the policy of the settings with pages and FILE_POLICY with files, whatever header a view has set.

    django-csp's own middleware would build the policy for every response anew, and keep the header of a view.
    """
    page_policy, file_policy = build_policy(), build_policy(FILE_POLICY)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = response.headers.get("Content-Type", "text/html").partition(";")[0] in PAGE_TYPES
        response[HEADER] = page_policy if is_page else file_policy
        return response

    return middleware


def permissions_policy(get_response: View) -> View:
    """Deny every page the browser features that none of ours uses."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Permissions-Policy"] = PERMISSIONS_POLICY
        return response

    return middleware
