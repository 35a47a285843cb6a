"""Operations on rosters and their revisions."""

import re
import time
from typing import Annotated, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Header, Path, Query, Router, Status
from pydantic import Field, create_model

from rosters import models, registry
from rosters.api import schemas
from rosters.api.auth import API_THROTTLE, AUTHENTICATORS, ApiError, ClientThrottle, RosterRequest, requires
from rosters.api.schemas import errors
from rosters.balance.answers import answer
from rosters.core import appraisals, documents
from rosters.core.appraisal_schema import AppraisalJson
from rosters.core.documents import AnyDocument
from rosters.pdf.job import PrintOptions
from rosters.store import access, revisions, snapshots, writer
from rosters.store.access import Access
from rosters.store.snapshots import state_in_play
from rosters.store.state import current_document, export_json
from rosters.web.http import permissions, rate_limit
from rosters.web.http.permissions import Permission
from rosters.web.printing.forms import SWITCHES
from rosters.web.printing.views import own_pdf, pdf

PAGE_SIZE = 100
"""Revisions in one response."""
DOCUMENT_ERRORS = (400, 413, 415)
"""The statuses of a body that is no valid document."""
router = Router(tags=["Rosters"], auth=AUTHENTICATORS)


# ---------------------------------------------------------------- input


def parse_body(request: HttpRequest) -> Any:
    """The JSON data in the body. Raises ApiError and InvalidDocument.

    Not by ninja: `documents.parse` refuses duplicate keys and deep nesting, and finds all errors at once.
    """
    if request.content_type != "application/json":
        raise ApiError(415, "the body must be JSON: send it with Content-Type: application/json")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if (length.isdecimal() and int(length[:15]) > documents.MAX_BYTES) or len(request.body) > documents.MAX_BYTES:
        raise ApiError(413, f"is too large: at most {documents.MAX_BYTES:,} bytes are read")
    return documents.parse(request.body)


def parse_document(request: HttpRequest, before: AnyDocument | None = None) -> AnyDocument:
    """The document in the body. Raises ApiError, or InvalidDocument with every error and its path."""
    return registry.read(parse_body(request), limited=True, before=before).replace(changed=None)


def check_secret_marks(roster: models.Roster, document: AnyDocument) -> None:
    """Raise ApiError if a client that is no owner changes which elements are secret."""
    secret = revisions.secret_ids(roster, current_document(roster), document)
    for f, formation in enumerate(document.formations):
        for e, element in enumerate(formation.elements):
            if element.secret != (element.id in secret):
                message = "only an owner marks elements as secret: leave it as it is"
                raise ApiError(403, message, f"formations/{f}/elements/{e}/secret")


IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        description='Required: the revision that you have read, as its ETag says it ("3"), or * to replace any.',
        examples=['"3"'],
    ),
]


def expected_revision(if_match: str | None) -> int | None:
    """The revision in If-Match, None for any ("*"). Raises ApiError."""
    text = (if_match or "").strip()
    if not text:
        raise ApiError(428, "say in If-Match which revision you have read, or * to replace whatever is there")
    match = re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', text)
    if match is None and text != "*":
        raise ApiError(400, f"If-Match must be the number of a revision, or *, not {text[:60]!r}")
    return int(match[1]) if match else None


def _switch(name: str) -> Any:
    field = PrintOptions.model_fields[name]
    text = f"{field.title}: 1 or 0, by default {int(field.default)}. {field.description or ''}".strip()
    return str | None, Field(None, description=text)


_PAPER: Any = PrintOptions.model_fields["paper"].annotation
PrintQuery: Any = create_model(
    "PrintQuery",
    paper=(_PAPER, Field("a4", description="The paper size.")),
    sheet=(list[str], Field([], description="Codes of sheets; without any, the pack of the game.")),
    formation=(list[int], Field([], description="Numbers of formations, from 0; without any, all.")),
    against=(
        list[str],
        Field([], description="Share links or tokens of other rosters of the game, for one pack for the battle."),
    ),
    fit=(int, Field(0, ge=0, description="The most pages, for which print shrinks a little; 0 for any number.")),
    others=(str | None, Field(None, description="1: the copy that others see, for those who may edit too.")),
    **{name: _switch(name) for name in SWITCHES},
)
"""The query of the print page. `pdf` reads it again, with the options of each game."""


# ---------------------------------------------------------------- output


def absolute(request: HttpRequest, name: str, *arguments: Any) -> str:
    """The absolute address of a page or an operation."""
    return request.build_absolute_uri(reverse(name, args=arguments))


def roster_data(request: HttpRequest, roster: models.Roster, editable: bool) -> dict[str, Any]:
    """The values of `schemas.Roster`."""
    state = state_in_play(roster, complete=editable)
    return {
        "token": roster.token,
        "system": roster.system,
        "revision": roster.revision,
        "changed": roster.changed.isoformat(),
        "editable": editable,
        "links": {
            "roster": absolute(request, "api-roster", roster.token),
            "revisions": absolute(request, "api-revisions", roster.token),
            "sheets": absolute(request, "api-sheets", roster.token),
            "page": absolute(request, "shared", roster.token),
        },
        "document": export_json(roster, state.document),
        "appraisal": appraisals.to_json(state.appraisal),
    }


def revision_data(request: RosterRequest, revision: models.Revision) -> dict[str, Any]:
    """The values of `schemas.RevisionLine`; who and what are None for clients that may not edit."""
    return {
        "number": revision.number,
        "at": revision.at.isoformat(),
        "edition": revision.edition,
        "who": revision.get_who_display() if request.editable else None,
        "summary": revision.summary if request.editable else None,
        "link": absolute(request, "api-revision", request.roster.token, revision.number),
    }


def set_etag(response: HttpResponse, roster: models.Roster) -> None:
    """Set the ETag to the revision, for If-Match."""
    response["ETag"] = f'"{roster.revision}"'


# ---------------------------------------------------------------- operations


@router.post(
    "appraise",
    url_name="api-appraise",
    auth=None,
    response={200: AppraisalJson, **errors(*DOCUMENT_ERRORS)},
    openapi_extra=schemas.DOCUMENT_BODY,
)
@requires(Permission.ANYONE)
def appraise(request: HttpRequest) -> Any:
    """Appraise a document.

    Nothing is stored. The response is the line that `manage.py appraise --json` prints for the same document.
    """
    return appraisals.to_json(registry.appraise(parse_document(request)))


@router.post(
    "odds",
    url_name="api-odds",
    auth=None,
    throttle=[API_THROTTLE, ClientThrottle("ODDS_A_MINUTE")],
    response={200: schemas.Odds, **errors(*DOCUMENT_ERRORS)},
    exclude_unset=True,
    openapi_extra=schemas.QUESTION_BODY,
)
@requires(Permission.ANYONE)
def compute_odds(request: HttpRequest) -> Any:
    """Compute the exact odds of one element against another.

    Nothing is stored. The response is the line that `manage.py odds --json -` prints for the same question: our
    estimate, which rests on numbered interpretations of the rulebooks and leaves out terrain, other units and tactics.
    """
    data, start = parse_body(request), time.thread_time()
    try:
        return answer(data, limited=True)
    finally:  # exact chances of a long duel take seconds, and most take milliseconds
        tenths = int(10 * (time.thread_time() - start))
        rate_limit.is_over_limit(request, "ODDS_A_MINUTE", settings.ODDS_A_MINUTE, tenths)


@router.post(
    "rosters",
    url_name="api-rosters",
    throttle=[API_THROTTLE, ClientThrottle("CREATIONS_A_MINUTE")],
    response={201: schemas.CreatedRoster, **errors(*DOCUMENT_ERRORS, 401, 403)},
    openapi_extra=schemas.DOCUMENT_BODY,
)
@requires(Permission.ANYONE)
def create_roster(request: HttpRequest, response: HttpResponse) -> Any:
    """Create a roster from a document.

    Only this response has the secret of its owner link. With an account's API token, the roster belongs to that
    account. Ids in the document stay the same; parts without an id get one.
    """
    owner = permissions.account_of(request)
    if owner is None and permissions.bearer_token(request):
        raise ApiError(403, "this is no account's API token; send none to create a roster without an account")
    created = writer.create(parse_document(request), owner=owner)
    rate_limit.count_created(request, len(request.body))
    data = roster_data(request, created.roster, True)
    links = data["links"] | {"edit": absolute(request, "open-link", created.roster.token, created.secret)}
    set_etag(response, created.roster)
    response["Location"] = links["roster"]
    response["Cache-Control"] = "no-store"
    return Status(201, data | {"secret": created.secret, "links": links})


@router.get(
    "rosters/{token:token}",
    url_name="api-roster",
    response={200: schemas.Roster, **errors(401, 404)},
)
@requires(Permission.READ)
def read_roster(request: RosterRequest, response: HttpResponse) -> Any:
    """Read a roster with its appraisal.

    Complete for a client that may edit it, without what its owner hides for others.
    """
    set_etag(response, request.roster)
    return roster_data(request, request.roster, request.editable)


@router.put(
    "rosters/{token:token}",
    url_name="api-roster",
    response={200: schemas.Roster, **errors(*DOCUMENT_ERRORS, 401, 403, 404, 428), 412: schemas.RevisionConflict},
    openapi_extra=schemas.DOCUMENT_BODY,
)
@requires(Permission.BEARER)
def replace_roster(request: RosterRequest, response: HttpResponse, if_match: IfMatch = None) -> Any:
    """Replace a roster's document.

    Send the complete document, of the same game. The change is a revision that can be undone; the same document
    again makes none. Only an owner may mark elements as secret, or no longer: by an edit link's secret, `secret` must
    stay as it is. Damage, as `marks` in the document, is no part of revisions: it replaces the damage in play, and
    a document without any leaves that as it is.
    """
    roster, revision = request.roster, expected_revision(if_match)
    document = parse_document(request, current_document(roster))
    if document.system != roster.system:
        raise ApiError(400, f"must be {roster.system!r}: a roster stays with its game", "system")
    is_owner = access.access_of(permissions.visitor_of(request), roster) == Access.OWNER
    if not is_owner and revision in (None, roster.revision):
        check_secret_marks(roster, document)
    try:
        writer.replace(roster, document, revision, permissions.visitor_of(request))
    except writer.RevisionConflict as conflict:
        roster.refresh_from_db()
        raise ApiError(412, str(conflict), now=roster_data(request, roster, True)) from None
    roster.refresh_from_db()
    set_etag(response, roster)
    return roster_data(request, roster, True)


@router.delete("rosters/{token:token}", url_name="api-roster", response={204: None, **errors(401, 403, 404)})
@requires(Permission.OWNER_BEARER)
def delete_roster(request: RosterRequest) -> HttpResponse:
    """Delete a roster.

    It stays in the trash for 30 days, where its owner can restore it. An edit link's secret does not suffice.
    """
    writer.move_to_bin(request.roster, permissions.visitor_of(request))
    response = HttpResponse(status=204)
    del response["Content-Type"]
    return response


@router.get(
    "rosters/{token:token}/revisions",
    url_name="api-revisions",
    response={200: schemas.Revisions, **errors(400, 401, 404)},
)
@requires(Permission.READ)
def list_revisions(
    request: RosterRequest,
    before: Annotated[
        int | None, Query(ge=0, le=999_999_999, description="Only revisions before this number.", examples=[101])
    ] = None,
) -> Any:
    """List a roster's revisions, newest first.

    A hundred at a time. Who changed what is for a client that may edit.
    """
    roster, rows = request.roster, request.roster.revisions.defer("packed")
    page = [*(rows if before is None else rows.filter(number__lt=before))[: PAGE_SIZE + 1]]
    older = len(page) > PAGE_SIZE
    here = absolute(request, "api-revisions", roster.token)
    return {
        "token": roster.token,
        "revision": roster.revision,
        "revisions": [revision_data(request, revision) for revision in page[:PAGE_SIZE]],
        "older": f"{here}?before={page[-2].number}" if older else None,
    }


@router.get(
    "rosters/{token:token}/revisions/{int:number}",
    url_name="api-revision",
    response={200: schemas.Revision, **errors(401, 404)},
)
@requires(Permission.READ)
def read_revision(
    request: RosterRequest, number: Annotated[int, Path(description="The number of a revision, from 1.")]
) -> Any:
    """Read a revision with the appraisal of its time.

    It never changes, but what its owner hides now is hidden in it too.
    """
    view = snapshots.view_revision(request.roster, number, complete=request.editable)
    document = view.state.document.replace(changed=view.revision.at.isoformat())
    return {
        **revision_data(request, view.revision),
        "token": request.roster.token,
        "document": documents.write(document),
        "appraisal": appraisals.to_json(view.state.appraisal),
        "today": view.verdict,
    }


@router.get(
    "rosters/{token:token}/sheets.pdf",
    url_name="api-sheets",
    response={200: None, 304: None, **errors(400, 401, 404)},
    openapi_extra={"responses": {200: {"content": {"application/pdf": {}}}}},
)
@requires(Permission.READ)
def print_sheets(request: RosterRequest, options: Query[PrintQuery]) -> HttpResponse:
    """Print a roster's record sheets as PDF.

    The query takes the options of the print page, and the game's own as well. A client that may edit gets the complete
    roster, others what they may see.
    """
    return (own_pdf if request.editable else pdf)(request, request.roster.token)
