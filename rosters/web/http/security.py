"""What browsers are told of every response: where its scripts and styles may come from, and what it may not do."""

from collections.abc import Callable, Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[[HttpRequest], HttpResponse]

PAGE_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",  # Bootstrap's arrows and ticks are pictures inside its style sheet
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
FILE_POLICY = {
    "script-src": "'none'",
    "img-src": "'self' data:",
    "connect-src": "'none'",
    "frame-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""For a picture, a PDF or data opened on its own: browsers lay these out with styles of their own, which may stay."""
UNUSED_FEATURES = [
    *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get"),
    *("screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
]
"""What a browser could lend a page, and no page here asks for."""

PAGE_TYPES = {"", "text/html", "application/xhtml+xml"}
"""What may hold scripts and forms of ours."""


def policy_header(sources: Mapping[str, str]) -> str:
    """A content security policy in the words of its header."""
    return "; ".join(f"{kind} {places}" for kind, places in sources.items())


def common_headers() -> dict[str, str]:
    """The headers of every response, whatever it holds."""
    return {
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }


def security_headers(get_response: View) -> View:
    """Put them on every response: pages, files, errors and static files alike. A view cannot weaken them."""
    every, page, file = common_headers(), policy_header(PAGE_POLICY), policy_header(FILE_POLICY)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in every.items():
            response[name] = value
        is_file = response.headers.get("Content-Type", "text/html").partition(";")[0] not in PAGE_TYPES
        response["Content-Security-Policy"] = file if is_file else page
        return response

    return middleware
