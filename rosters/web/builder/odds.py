"""Odds of one element, as it is stored or typed, against those of an opponent: beside its form, or as a page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.balance.answers import Matchup
from rosters.balance.words import LEFT_OUT, readings_named
from rosters.core.documents import Element, InvalidDocument
from rosters.core.messages import translate
from rosters.web.builder.element_forms import live_form, requested_element
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited
from rosters.web.odds import service
from rosters.web.odds.opponents import chosen_from, opponents_of

MAX_TARGETS = 60
"""Elements of an opponent that are offered."""


@rate_limited("LIVE_PREVIEWS_A_MINUTE")
@roster_view(EDIT, "GET", "POST")
def element_odds(ctx: RosterContext) -> HttpResponse:
    """Show what an element does to one of an opponent at each range: of a form as typed (POST), or the stored one."""
    _formation, before = requested_element(ctx)
    query = ctx.post_data or ctx.request.GET
    if ctx.post_data is None:
        element = before
    else:
        form = live_form(ctx, before)
        element = form.element if form.is_valid() else None
    if element is None and ctx.post_data is None:
        return redirect(f"{reverse('element', args=[ctx.roster.token])}?{ctx.request.GET.urlencode()}")
    context = {"element": element, "query": ctx.request.GET.urlencode(), "is_fragment": ctx.post_data is not None}
    if element is not None:
        context |= _against(ctx, element, query.get("odds-against", ""), query.get("odds-target", ""))
    template = "odds/_against.html" if ctx.post_data is not None else "odds/against.html"
    return ctx.render(template, context)


def _against(ctx: RosterContext, element: Element, key: str, target: str) -> dict[str, Any]:
    """The opponents, the chosen one's elements, and the odds against the chosen one of these."""
    opponents = [*opponents_of(ctx)]
    chosen = chosen_from(opponents, key)
    problems = [translate(reason) for _key, reason in ctx.system.odds.problems(element)]
    rows = [] if problems else service.rows_of(chosen.state())[:MAX_TARGETS]
    context: dict[str, Any] = {"opponents": opponents, "opponent": chosen, "targets": rows, "problems": problems}
    if not rows:
        return context
    row = next((each for each in rows if each.element.id == target), rows[0])
    try:
        ranges = [*service.ranges(Matchup(ctx.system, element, row.element, ctx.system.odds.Conditions()))]
    except InvalidDocument:
        return {**context, "problems": [_("This duel is too long to compute.")]}
    return {
        **context,
        "target": row,
        "ranges": ranges,
        "left_out": LEFT_OUT,
        "readings": readings_named(service.readings_in(service.receipts_in(ranges))),
    }
