"""A roster in other forms, each at an address of its own: text, tables, other programs' files, its card, its QR code.

Everybody gets what others see, the owner too: the address is what one sends. Only ``whole`` is the owner's alone.
"""

import hashlib
import io
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import segno
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from rosters import registry
from rosters.core import documents, edits
from rosters.core.appraisals import terms_of
from rosters.exports import battlescribe, csv, text
from rosters.exports.battlescribe import CardOf
from rosters.models import Roster
from rosters.registry import System
from rosters.store import snapshots
from rosters.store.state import RosterState, current_state, document_for_export, export_json
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT, READ
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing.views import file_response
from rosters.web.sharing import share_card

SUMMARY = 200
"""Characters of the summary under a link's card; chats cut it there anyway."""
NAME = 60
"""Characters of a file's name before its ending."""
QR_BORDER = 2
"""Modules of white around a QR code that stands on a white ground of its own."""


# ---------------------------------------------------------------- what there is


class Export(NamedTuple):
    """A form that a roster is given in; a ``file`` is saved rather than shown."""

    name: str
    content_type: str
    make: Callable[[RosterState, System], bytes]
    file: bool = False


def _text(make: Callable[..., str], state: RosterState, game: System) -> bytes:
    return make(*state, game).encode()


def _csv(state: RosterState, game: System) -> bytes:
    return csv.csv_text(*state).encode()


def _battlescribe(make: Callable[..., bytes], state: RosterState, game: System) -> bytes:
    return make(*state, game, card_of(state, game))


def card_of(state: RosterState, game: System) -> CardOf:
    """What turns an element of this roster into a card for other programs."""
    return partial(game.cards.card, terms=terms_of(state.document))


EXPORTS = {
    "txt": Export("Plain text", "text/plain; charset=utf-8", partial(_text, text.plain_text)),
    "md": Export("Markdown", "text/markdown; charset=utf-8", partial(_text, text.markdown)),
    "csv": Export("Table (CSV)", "text/csv; charset=utf-8", _csv, file=True),
    "ros": Export("BattleScribe, plain", "application/xml", partial(_battlescribe, battlescribe.ros), file=True),
    "rosz": Export("BattleScribe", "application/zip", partial(_battlescribe, battlescribe.rosz), file=True),
}
"""By the ending of its address, ``/s/<token>.txt`` or that of a revision, ``/s/<token>/r5.txt``."""


# ---------------------------------------------------------------- what is asked for


class ExportRequest(NamedTuple):
    """A roster as others see it, now or at a revision."""

    roster: Roster
    number: int | None
    state: RosterState

    @property
    def system(self) -> System:
        return registry.SYSTEMS[self.roster.system]

    @property
    def address(self) -> str:
        """The path of the page that shows the same."""
        if self.number is None:
            return reverse("shared", args=[self.roster.token])
        return reverse("frozen", args=[self.roster.token, self.number])


def export_request(roster: Roster, number: int | None) -> ExportRequest:
    """What an address names. Raises Http404."""
    state = snapshots.state_at(roster, number, False)
    if number is None:
        dated = document_for_export(roster, state.document)
    else:
        dated = edits.replace_fields(state.document, changed=snapshots.get_revision(roster, number).at.isoformat())
    return ExportRequest(roster, number, state._replace(document=dated))


def summary(state: RosterState, most: int = SUMMARY) -> str:
    """The roster in one line of at most so many characters."""
    line = text.one_line(*state, registry.SYSTEMS[state.document.system])
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def attachment(state: RosterState, ending: str, file: bool) -> str:
    """The header that names a file after its roster."""
    name = slugify(state.document.name, allow_unicode=True)[:NAME].strip("-") or "roster"
    return content_disposition_header(file, f"{name}.{ending}") or ""


# ---------------------------------------------------------------- the views


@roster_view(READ, "GET")
def export(ctx: RosterContext, ending: str, number: int | None = None) -> HttpResponse:
    """The roster in the form that the address ends with; 304 where the client has it."""
    found, form = export_request(ctx.roster, number), EXPORTS[ending]
    body = form.make(found.state, found.system)
    response = conditional_response(ctx.request, body, form.content_type)
    response["Content-Disposition"] = attachment(found.state, ending, form.file)
    return response


@roster_view(READ, "GET")
def line(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """The roster in one line, whole."""
    found = export_request(ctx.roster, number)
    body = text.one_line(*found.state, found.system) + "\n"
    return conditional_response(ctx.request, body.encode(), "text/plain; charset=utf-8")


@rate_limited("PREVIEWS_A_MINUTE")
@roster_view(READ, "GET")
def card(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """The picture that a chat shows for the roster's address."""
    found = export_request(ctx.roster, number)
    face = share_card.card_content(*found.state, found.system)
    key = hashlib.sha256(f"{share_card.EDITION} {face!r}".encode()).hexdigest()
    response = file_response(ctx.request, key, "image/png", partial(share_card.picture, face))
    response["Content-Disposition"] = attachment(found.state, "png", False)
    return response


@roster_view(READ, "GET")
def qr(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """The QR code of the page's address."""
    found = export_request(ctx.roster, number)
    out = io.BytesIO()
    code = segno.make(ctx.request.build_absolute_uri(found.address), micro=False)
    code.save(
        out, kind="svg", border=QR_BORDER, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return conditional_response(ctx.request, out.getvalue(), "image/svg+xml")


@roster_view(EDIT, "GET")
def own_document(ctx: RosterContext) -> HttpResponse:
    """The whole document, with what is hidden from others: a copy to keep."""
    data = export_json(ctx.roster, current_state(ctx.roster).document)
    response = conditional_response(ctx.request, documents.dumps(data).encode(), "application/json")
    response["Content-Disposition"] = attachment(ctx.state, "json", True)
    return response


def conditional_response(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """``body``, or 304 where the client has it. Never to be indexed."""
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type=content_type)
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    patch_vary_headers(response, ["Cookie"])
    return response


# ---------------------------------------------------------------- what pages show of it


def chat_preview(request: HttpRequest, path: str, state: RosterState) -> dict[str, Any]:
    """What the page at ``path`` tells a chat that its link is pasted into."""
    address, (width, height) = request.build_absolute_uri(path), share_card.SIZE
    return {"address": address, "image": f"{address}.png", "summary": summary(state), "width": width, "height": height}
