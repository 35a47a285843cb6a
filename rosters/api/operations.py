"""The API's operations. Each is a sentence, what it takes, what it may answer, and who may use it."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from ninja import NinjaAPI, Path

from rosters import registry
from rosters.api import parameters, schemas, serializers
from rosters.api.auth import api_view
from rosters.core import appraisals, documents, edits
from rosters.core.documents import AnyDocument, Fault
from rosters.models import Roster
from rosters.registry import System
from rosters.store import snapshots, writer
from rosters.web.http import permissions
from rosters.web.http.json_answers import ROOT, ApiError, error_response, json_response
from rosters.web.http.permissions import Permission
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import views as sheets
from rosters.web.sharing.forms import HistoryQuery, cleaned_query

PAGE = 100
"""Revisions in one answer."""
Operation = Callable[..., HttpResponse]
Token = Annotated[str, Path(description="The roster's token: the last part of its address.")]
Number = Annotated[int, Path(description="The number of a revision, from 1.")]
Slug = Annotated[str, Path(description="What documents call the game.")]

api = NinjaAPI(
    title="Armybuilder",
    version="1",
    description="Legal, priced and explained forces for small wargames: the same rules and checks as on the pages.",
    openapi_url=None,
    docs_url=None,
)
RIGHTS: dict[str, dict[str, Permission]] = {}
"""Who may use each path, by method."""


class ResponseDoc(NamedTuple):
    """One answer of an operation: in words, and the shape of its JSON."""

    text: str
    shape: type | None = schemas.Errors


UNREADABLE = {
    400: ResponseDoc("The document is refused: every fault with its path."),
    413: ResponseDoc(f"The document is larger than {documents.MAX_BYTES:,} bytes."),
    415: ResponseDoc("The body is not said to be application/json."),
}
HIDDEN = {404: ResponseDoc("There is no such roster, or none that this bearer may know of.")}
FORBIDDEN = {403: ResponseDoc("The bearer may read this roster but not change it.")}
BUSY = {429: ResponseDoc("Too many requests in a minute; Retry-After says in how many seconds to try again.")}


def operation(
    method: str, place: str, *, who: Permission, name: str, answers: Mapping[int, ResponseDoc], **extra: Any
) -> Callable[[Operation], Operation]:
    """An operation with what its documentation says; its summary and description are its docstring."""
    RIGHTS.setdefault(place, {})[method] = who
    answers = {**answers, **BUSY}
    responses = {status: {"description": said.text} for status, said in answers.items()}
    more = parameters.merged({"responses": responses, "x-who": who}, extra)

    def decorate(function: Operation) -> Operation:
        summary, _, description = (function.__doc__ or "").partition("\n")
        made: Operation = api.api_operation(
            [method],
            place,
            response={status: said.shape for status, said in answers.items()},
            operation_id=function.__name__,
            summary=summary.rstrip("."),
            description=" ".join(description.split()),
            url_name=f"api-{name}",
            openapi_extra=more,
        )(function)
        return made

    return decorate


# ---------------------------------------------------------------- what is sent


def parse_body(request: HttpRequest) -> AnyDocument:
    """The document in the body. Raises Trouble, or documents.Refused with every fault."""
    if request.content_type != "application/json":
        raise ApiError(415, "the body must be JSON: send it with Content-Type: application/json")
    said = request.META.get("CONTENT_LENGTH") or "0"
    length = int(said[:15]) if said.isdecimal() else 0
    if length > documents.MAX_BYTES or len(request.body) > documents.MAX_BYTES:
        raise ApiError(413, f"is too large: at most {documents.MAX_BYTES:,} bytes are read")
    return edits.replace_fields(registry.read(documents.parse(request.body)), changed=None)


def if_match_revision(request: HttpRequest) -> int | None:
    """The revision in If-Match, None for any ("*"). Raises Trouble."""
    said = request.headers.get("If-Match", "").strip()
    if not said:
        raise ApiError(428, "say in If-Match which revision you have read, or * to replace whatever is there")
    found = re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', said)
    if found is None and said != "*":
        raise ApiError(400, f"If-Match must be the number of a revision, or *, not {said[:60]!r}")
    return int(found[1]) if found else None


def editable(request: HttpRequest, token: str) -> Roster:
    """The roster, when the bearer may change it. Raises Trouble, or Http404 where it may not even be known of."""
    roster, may_edit = permissions.roster_for(request, token)
    if not may_edit:
        raise ApiError(403, "needs a bearer: the roster's edit secret, or an API token of the account that owns it")
    return roster


def with_etag(response: HttpResponse, roster: Roster) -> HttpResponse:
    """With the revision as the ETag, for If-Match."""
    response["ETag"] = f'"{roster.revision}"'
    return response


# ---------------------------------------------------------------- appraising


@operation(
    "POST",
    "appraise",
    name="appraise",
    who=Permission.ANYONE,
    answers={200: ResponseDoc("The appraisal.", schemas.Appraisal), **UNREADABLE},
    **parameters.DOCUMENT,
)
def appraise(request: HttpRequest) -> HttpResponse:
    """Appraise a document.
    Nothing is kept. The answer is the line that `manage.py appraise --json` prints for the same document.
    """
    return json_response(appraisals.to_json(registry.appraise(parse_body(request))))


# ---------------------------------------------------------------- rosters


@operation(
    "POST",
    "rosters",
    name="rosters",
    who=Permission.ANYONE,
    answers={
        201: ResponseDoc("The roster, with the secret that opens it for editing.", schemas.Created),
        **UNREADABLE,
        403: ResponseDoc("A bearer was sent that is no account's API token."),
    },
    **parameters.merged(parameters.DOCUMENT, parameters.OPTIONAL_BEARER),
)
@rate_limited("CREATIONS_A_MINUTE")
def create_roster(request: HttpRequest) -> HttpResponse:
    """Create a roster from a document.
    Its edit secret is told in this answer and never again. With an account's API token as the bearer, the roster is
    that account's. Ids that the document has are kept; what has none is given one.
    """
    owner = permissions.account_of(request)
    if owner is None and permissions.bearer_token(request):
        raise ApiError(403, "the bearer is no account's API token; send none to create a roster without an account")
    made = writer.create(parse_body(request), owner=owner)
    data = serializers.roster(request, made.roster, True)
    edit = serializers.address(request, "edit-link", made.roster.token, made.secret)
    data |= {"secret": made.secret, "links": {**data["links"], "edit": edit}}
    response = with_etag(json_response(data, 201), made.roster)
    response["Location"] = data["links"]["roster"]
    response["Cache-Control"] = "no-store"
    return response


@operation(
    "GET",
    "rosters/{token}",
    name="roster",
    who=Permission.READ,
    answers={200: ResponseDoc("The roster.", schemas.Roster), **HIDDEN},
    **parameters.OPTIONAL_BEARER,
)
def read_roster(request: HttpRequest, token: Token) -> HttpResponse:
    """Read a roster with its appraisal.
    Whole for a bearer who may edit it; for everybody else without what its owner hides.
    """
    roster, may_edit = permissions.roster_for(request, token)
    return with_etag(json_response(serializers.roster(request, roster, may_edit)), roster)


@operation(
    "PUT",
    "rosters/{token}",
    name="roster",
    who=Permission.BEARER,
    answers={
        200: ResponseDoc("The roster as it is now.", schemas.Roster),
        **UNREADABLE,
        **FORBIDDEN,
        **HIDDEN,
        412: ResponseDoc("It has moved on from that revision; how it is now comes with the answer.", schemas.Moved),
        428: ResponseDoc("If-Match is missing."),
    },
    **parameters.merged(parameters.DOCUMENT, parameters.IF_MATCH, parameters.NEEDED_BEARER),
)
def replace_roster(request: HttpRequest, token: Token) -> HttpResponse:
    """Replace a roster's document.
    The whole document, of the same game. It becomes a revision that can be undone; the same document again makes none.
    """
    roster = editable(request, token)
    seen, document = if_match_revision(request), parse_body(request)
    if document.system != roster.system:
        raise ApiError(400, f"must be {roster.system!r}: a roster stays with its game", "system")
    try:
        writer.replace(roster, document, seen, permissions.actor_for(request, roster))
    except writer.RevisionConflict as moved:
        roster.refresh_from_db()
        raise ApiError(412, f"{moved}", now=serializers.roster(request, roster, True)) from None
    roster.refresh_from_db()
    return with_etag(json_response(serializers.roster(request, roster, True)), roster)


@operation(
    "DELETE",
    "rosters/{token}",
    name="roster",
    who=Permission.BEARER,
    answers={204: ResponseDoc("It is in the bin.", None), **FORBIDDEN, **HIDDEN},
    **parameters.NEEDED_BEARER,
)
def delete_roster(request: HttpRequest, token: Token) -> HttpResponse:
    """Delete a roster.
    It stays in the bin for 30 days, and can be taken out of it on the page of whoever may edit it.
    """
    writer.move_to_bin(editable(request, token))
    response = HttpResponse(status=204)
    del response["Content-Type"]
    return response


# ---------------------------------------------------------------- revisions and sheets


@operation(
    "GET",
    "rosters/{token}/revisions",
    name="revisions",
    who=Permission.READ,
    answers={
        200: ResponseDoc("The revisions.", schemas.Revisions),
        400: ResponseDoc("before is no number of a revision."),
        **HIDDEN,
    },
    **parameters.merged(parameters.BEFORE, parameters.OPTIONAL_BEARER),
)
def list_revisions(request: HttpRequest, token: Token) -> HttpResponse:
    """List a roster's revisions, newest first.
    A hundred at a time. Who made them and what was done is told to a bearer who may edit.
    """
    roster, may_edit = permissions.roster_for(request, token)
    before, rows = cleaned_query(HistoryQuery(request.GET))["before"], roster.revisions.defer("packed")
    found = [*(rows if before is None else rows.filter(number__lt=before))[: PAGE + 1]]
    lines = [serializers.revision_line(request, roster, revision, may_edit) for revision in found[:PAGE]]
    here = serializers.address(request, "api-revisions", token)
    older = f"{here}?before={found[PAGE - 1].number}" if len(found) > PAGE else None
    return json_response({"token": token, "revision": roster.revision, "revisions": lines, "older": older})


@operation(
    "GET",
    "rosters/{token}/revisions/{int:number}",
    name="revision",
    who=Permission.READ,
    answers={200: ResponseDoc("The revision.", schemas.Revision), **HIDDEN},
    **parameters.OPTIONAL_BEARER,
)
def read_revision(request: HttpRequest, token: Token, number: Number) -> HttpResponse:
    """Read one revision as it was appraised in its day.
    It never changes; what its owner hides now is hidden in it too.
    """
    roster, may_edit = permissions.roster_for(request, token)
    return json_response(
        serializers.revision(request, roster, snapshots.view_revision(roster, number, may_edit), may_edit)
    )


@operation(
    "GET",
    "rosters/{token}/sheets.pdf",
    name="sheets",
    who=Permission.READ,
    answers={
        200: ResponseDoc("The pages as PDF.", None),
        304: ResponseDoc("The pages that the client has are still the same.", None),
        400: ResponseDoc("That cannot be printed, and why."),
        **HIDDEN,
    },
    **parameters.merged(parameters.PDF, parameters.OPTIONAL_BEARER),
)
def print_sheets(request: HttpRequest, token: Token) -> HttpResponse:
    """Print a roster's record sheets.
    With the settings of the print page in the address. A bearer who may edit gets the whole roster, others what they
    may see.
    """
    return sheets.pdf(request, token)


# ---------------------------------------------------------------- games


@operation(
    "GET", "systems", name="systems", who=Permission.ANYONE, answers={200: ResponseDoc("The games.", schemas.Systems)}
)
def list_systems(request: HttpRequest) -> HttpResponse:
    """List the games."""
    return json_response(serializers.all_systems(request))


@operation(
    "GET",
    "systems/{slug}",
    name="system",
    who=Permission.ANYONE,
    answers={200: ResponseDoc("The game.", schemas.System), 404: ResponseDoc("There is no such game.")},
)
def read_system(request: HttpRequest, slug: Slug) -> HttpResponse:
    """Read what there is to know of a game.
    Its scenarios, usual sizes, house rules, the words of its rulebook in ours, its findings, and its sheets.
    """
    return json_response(serializers.system(request, _system(slug)))


# ---------------------------------------------------------------- refusals


@api.exception_handler(ApiError)
def handle_api_error(request: HttpRequest, trouble: ApiError) -> HttpResponse:
    return error_response(trouble.status, trouble.faults, **trouble.more)


@api.exception_handler(documents.InvalidDocument)
def handle_invalid_document(request: HttpRequest, refused: documents.InvalidDocument) -> HttpResponse:
    return error_response(400, refused.faults)


@api.exception_handler(BadRequest)
def handle_invalid_print_options(request: HttpRequest, bad: BadRequest) -> HttpResponse:
    return error_response(400, [Fault("", str(bad))])


@api.exception_handler(Http404)
def handle_not_found(request: HttpRequest, handle_not_found: Http404) -> HttpResponse:
    return error_response(404, [Fault("", str(handle_not_found))])


# ---------------------------------------------------------------- addresses


def addresses() -> list[URLPattern]:
    """Every path of the API, each once."""
    made = {str(each.pattern): each for each in api.urls[0] if isinstance(each, URLPattern) and str(each.pattern)}
    places = {re.sub(r"\{(?:(\w+):)?(\w+)\}", _as_converter, place): by for place, by in RIGHTS.items()}
    return [
        path(f"{ROOT[1:]}{place}", api_view(made[place].callback, permissions.rights(by)), name=made[place].name)
        for place, by in places.items()
    ]


def _as_converter(match: re.Match[str]) -> str:
    return f"<{match[1]}:{match[2]}>" if match[1] else f"<{match[2]}>"


def _system(slug: str) -> System:
    """The system with this slug. Raises Http404."""
    if slug not in registry.SYSTEMS:
        raise Http404(f"There is no game {slug!r}.")
    return registry.SYSTEMS[slug]
