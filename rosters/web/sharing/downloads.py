"""Downloads of a roster, each at its own address: text, tables, other programs' files, its card and QR code.

Everybody gets what others see, the owner too, since the URL may be sent on. `own_document` alone is complete.
"""

import hashlib
import io
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import segno
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify

from rosters.core import documents, edits
from rosters.core.appraisals import terms_of
from rosters.exports import battlescribe, csv, text
from rosters.exports.battlescribe import CardOf
from rosters.models import Roster
from rosters.registry import System
from rosters.store import snapshots
from rosters.store.play import state_in_play
from rosters.store.state import RosterState, document_for_export, export_json
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.conditional import body_response, file_response
from rosters.web.http.permissions import EDIT, READ
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing import share_card
from rosters.web.sharing.links import RosterVersion

MAX_NAME = 60
"""Characters of a file's name before its ending."""
QR_BORDER = 2
"""Modules of white around the QR code, less than its standard's 4: the page adds a white frame."""


# ---------------------------------------------------------------- formats


class Export(NamedTuple):
    """A format of a roster; a ``file`` is sent as an attachment."""

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
    """A function from an element of this roster to its card for other programs."""
    return partial(game.cards.card, terms=terms_of(state.document))


EXPORTS = {
    "txt": Export("Plain text", "text/plain; charset=utf-8", partial(_text, text.plain_text)),
    "md": Export("Markdown", "text/markdown; charset=utf-8", partial(_text, text.markdown)),
    "csv": Export("Table (CSV)", "text/csv; charset=utf-8", _csv, file=True),
    "ros": Export("BattleScribe, plain", "application/xml", partial(_battlescribe, battlescribe.ros), file=True),
    "rosz": Export("BattleScribe", "application/zip", partial(_battlescribe, battlescribe.rosz), file=True),
}
"""By the ending of its address, ``/s/<token>.txt`` or ``/s/<token>/r5.txt``."""


# ---------------------------------------------------------------- views


def exported_version(roster: Roster, number: int | None) -> RosterVersion:
    """A version as others see it, with the time of its last change. Raises Http404."""
    state = (
        state_in_play(roster, complete=False) if number is None else snapshots.state_at(roster, number, complete=False)
    )
    if number is None:
        dated = document_for_export(roster, state.document)
    else:
        dated = edits.replace_fields(state.document, changed=snapshots.get_revision(roster, number).at.isoformat())
    return RosterVersion(roster, number, state._replace(document=dated))


def content_disposition(state: RosterState, ending: str, file: bool) -> str:
    """The header that names a file after its roster."""
    name = slugify(state.document.name, allow_unicode=True)[:MAX_NAME].strip("-") or "roster"
    return content_disposition_header(file, f"{name}.{ending}") or ""


@roster_view(READ, "GET", from_replica=True)
def export(ctx: RosterContext, ending: str, number: int | None = None) -> HttpResponse:
    """Send the roster in the format that the address ends with."""
    version, form = exported_version(ctx.roster, number), EXPORTS[ending]
    response = body_response(ctx.request, form.make(version.state, version.system), form.content_type)
    response["Content-Disposition"] = content_disposition(version.state, ending, form.file)
    return response


@roster_view(READ, "GET", from_replica=True)
def line(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the roster in one line of any length."""
    version = exported_version(ctx.roster, number)
    body = text.one_line(*version.state, version.system) + "\n"
    return body_response(ctx.request, body.encode(), "text/plain; charset=utf-8")


@rate_limited("PREVIEWS_A_MINUTE")
@roster_view(READ, "GET", from_replica=True)
def card(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the picture that a chat shows for the roster's link."""
    version = exported_version(ctx.roster, number)
    content = share_card.card_content(*version.state, version.system)
    key = hashlib.sha256(f"{share_card.EDITION} {content!r}".encode()).hexdigest()
    response = file_response(ctx.request, key, "image/png", partial(share_card.picture, content))
    response["Content-Disposition"] = content_disposition(version.state, "png", False)
    return response


@roster_view(READ, "GET", from_replica=True)
def qr(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the QR code of the page's address."""
    version = exported_version(ctx.roster, number)
    out = io.BytesIO()
    code = segno.make(ctx.request.build_absolute_uri(version.path), micro=False)
    code.save(
        out, kind="svg", border=QR_BORDER, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return body_response(ctx.request, out.getvalue(), "image/svg+xml")


@roster_view(EDIT, "GET")
def own_document(ctx: RosterContext) -> HttpResponse:
    """Send the complete document, with what is hidden from others."""
    data = export_json(ctx.roster, state_in_play(ctx.roster, complete=True).document)
    response = body_response(ctx.request, documents.dumps(data).encode(), "application/json")
    response["Content-Disposition"] = content_disposition(ctx.state, "json", True)
    return response
