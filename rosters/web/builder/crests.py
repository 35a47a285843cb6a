"""The page on which a roster gets another crest: the current one, and others from random seeds."""

from django.http import HttpResponse

from rosters.core import edits
from rosters.core.crests import crest_of, seed_from
from rosters.core.messages import _
from rosters.web.builder.forms import CrestForm, ShuffleQuery
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.queries import cleaned_query

OFFERED = 24


@roster_view(EDIT, "GET", "POST")
def crest(ctx: RosterContext) -> HttpResponse:
    """Select one of 24 crests; ``shuffle`` in the URL shows 23 others. POST saves the crest."""
    shuffle = cleaned_query(ShuffleQuery(ctx.request.GET))["shuffle"] or 0
    current = crest_of(ctx.document)
    others = (seed_from(f"{ctx.roster.token} {shuffle} {number}") for number in range(1, OFFERED))
    form = CrestForm(ctx.post_data, seeds=[current, *others])
    if form.is_valid():
        if form.cleaned_data["crest"] != current:
            ctx.apply(edits.settings(crest=form.cleaned_data["crest"]), _("Changed the crest"))
        return ctx.redirect()
    return ctx.render("builder/crest.html", {"form": form, "next": shuffle + 1}, status=422 if form.errors else 200)
