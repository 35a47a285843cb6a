"""Downloads of a roster, each at its own address: text, tables, other programs' files, its preview picture and QR code.

All are redacted, also for the owner, since the URL may be passed on; only `own_document` is complete.
"""

import io
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import segno
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.cache import never_cache

from rosters.core import documents
from rosters.core.appraisals import RosterState
from rosters.exports import battlescribe, csv, text
from rosters.registry import System
from rosters.store.snapshots import state_in_play
from rosters.store.state import export_json
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited
from rosters.web.sharing import link_preview
from rosters.web.sharing.cached import shared_view
from rosters.web.sharing.versions import exported_version

MAX_NAME = 60
"""Characters of a file's name before its ending."""
QR_BORDER = 2
"""Modules of white around the QR code, less than its standard's 4: the page adds a white frame."""


# ---------------------------------------------------------------- formats


class Export(NamedTuple):
    """A format of a roster; a ``file`` is sent as an attachment."""

    content_type: str
    make: Callable[[RosterState, System], bytes]
    file: bool = False


def _text(make: Callable[..., str], state: RosterState, game: System) -> bytes:
    return make(*state, game).encode()


def _bytes(make: Callable[..., bytes], state: RosterState, game: System) -> bytes:
    return make(*state, game)


EXPORTS = {
    "txt": Export("text/plain; charset=utf-8", partial(_text, text.plain_text)),
    "md": Export("text/markdown; charset=utf-8", partial(_text, text.markdown)),
    "csv": Export("text/csv; charset=utf-8", partial(_text, csv.csv_text), file=True),
    "ros": Export("application/xml", partial(_bytes, battlescribe.ros), file=True),
    "rosz": Export("application/zip", partial(_bytes, battlescribe.rosz), file=True),
}
"""The formats by the ending of their address, ``/s/<token>.txt`` or ``/s/<token>/r5.txt``."""


# ---------------------------------------------------------------- views

NOT_INDEXED = {"X-Robots-Tag": "noindex, nofollow"}


def content_disposition(state: RosterState, ending: str, file: bool) -> str:
    """The header that names a file after its roster."""
    name = slugify(state.document.name, allow_unicode=True)[:MAX_NAME].strip("-") or "roster"
    return content_disposition_header(file, f"{name}.{ending}") or ""


@shared_view()
def export(ctx: RosterContext, ending: str, number: int | None = None) -> HttpResponse:
    """Send the roster in the format that the address ends with."""
    version, form = exported_version(ctx.roster, number), EXPORTS[ending]
    headers = NOT_INDEXED | {"Content-Disposition": content_disposition(version.state, ending, form.file)}
    return HttpResponse(form.make(version.state, version.system), form.content_type, headers=headers)


@shared_view()
def line(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the roster in one line of any length."""
    version = exported_version(ctx.roster, number)
    body = text.one_line(*version.state, version.system) + "\n"
    return HttpResponse(body, "text/plain; charset=utf-8", headers=NOT_INDEXED)


@rate_limited("PREVIEWS_A_MINUTE")
@shared_view()
def preview_image(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the picture that a chat shows for the roster's link."""
    version = exported_version(ctx.roster, number)
    content = link_preview.preview_content(*version.state, version.system)
    headers = NOT_INDEXED | {"Content-Disposition": content_disposition(version.state, "png", False)}
    return HttpResponse(link_preview.picture(content), "image/png", headers=headers)


@shared_view()
def qr(ctx: RosterContext, number: int | None = None) -> HttpResponse:
    """Send the QR code of the page's address."""
    return qr_code(ctx.request.build_absolute_uri(exported_version(ctx.roster, number).path))


def qr_code(address: str) -> HttpResponse:
    """An address as a QR code."""
    out = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(
        out, kind="svg", border=QR_BORDER, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return HttpResponse(out.getvalue(), "image/svg+xml", headers=NOT_INDEXED)


@never_cache
@roster_view(EDIT, "GET")
def own_document(ctx: RosterContext) -> HttpResponse:
    """Send the complete document, with what is hidden from others."""
    data = export_json(ctx.roster, state_in_play(ctx.roster, complete=True).document)
    headers = NOT_INDEXED | {"Content-Disposition": content_disposition(ctx.state, "json", True)}
    return HttpResponse(documents.dumps(data), "application/json", headers=headers)
