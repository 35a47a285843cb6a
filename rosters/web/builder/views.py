"""The page of a roster in the builder. Its buttons are in `actions`."""

from django.http import HttpResponse

from rosters.web.builder.page import roster_response
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT


@roster_view(EDIT, "GET", "POST")
def roster(ctx: RosterContext) -> HttpResponse:
    """The page of a roster in the builder. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "roster", ctx.roster.token)
    return roster_response(ctx)


@roster_view(EDIT, "GET")
def version(ctx: RosterContext) -> HttpResponse:
    """The roster's current revision, for pages that refresh themselves."""
    return HttpResponse(str(ctx.roster.revision), content_type="text/plain")
