"""Requests that must not be processed twice: their response may have been lost, and the visitor sends them again."""

import hashlib
from uuid import uuid4

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from rosters.models import Browser, Roster, new_token
from rosters.store.access import roster_by_token


def new_request_id() -> str:
    """The id of a form, in its field ``request_id``."""
    return uuid4().hex


def request_key(request: HttpRequest, *files: bytes) -> str:
    """The id of a form's request with a hash of its data, because a page reached by Back sends its id again. ""
    without an id.
    """
    sent = request.POST
    if not sent.get("request_id"):
        return ""
    fields = sorted((name, values) for name, values in sent.lists() if name != "csrfmiddlewaretoken")
    digests = [hashlib.sha256(file).hexdigest() for file in files]
    return hashlib.sha256(repr([request.path, fields, *digests]).encode()).hexdigest()[:16]


def first_created(request: HttpRequest, browser: Browser, *files: bytes) -> tuple[str, Roster | None]:
    """The token of the first roster that a request creates, and that roster if it has been created already.

    The token follows from the request, so that nothing else has to record it.
    """
    key = request_key(request, *files)
    if not key:
        return new_token(), None
    token = salted_hmac("rosters.created", f"{browser.pk} {key}", algorithm="sha256").hexdigest()[:22]
    created = roster_by_token(token)
    return (new_token(), None) if created and created.binned else (token, created)
