"""Odds of one element, as it is stored or typed, against those of an opponent: beside its form, or as a page."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.balance.answers import Matchup
from rosters.balance.words import LEFT_OUT, readings_named
from rosters.core.appraisals import RosterState
from rosters.core.documents import Element, InvalidDocument
from rosters.core.messages import translate
from rosters.models import Force, Roster
from rosters.store import pairs
from rosters.store.state import visible_state
from rosters.web.battles import service as battles
from rosters.web.builder.elements import live_form, requested_element
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import EDIT
from rosters.web.http.rate_limit import rate_limited
from rosters.web.odds import service

MAX_BATTLES, MAX_SAMPLES = 5, 30
"""Opponents that are offered: from the roster's battles, and samples."""
MAX_TARGETS = 60
"""Elements of an opponent that are offered."""


class Opponent(NamedTuple):
    """A roster to reckon with: its key in the form, its name, and what this visitor sees of it, read when needed."""

    key: str
    name: str
    source: Force | Roster
    editable: bool = False

    def state(self) -> RosterState:
        """The roster as this visitor sees it."""
        if isinstance(self.source, Force):
            return battles.locked_force(self.source, self.source.battle, complete=self.editable).state
        return visible_state(self.source, complete=False)


def opponents_of(ctx: RosterContext) -> Iterator[Opponent]:
    """The other rosters of the visitor's battles with this one, then samples, the one of the usual pair first."""
    mine = battles.battles_with(permissions.my_battles(ctx.request), ctx.roster).order_by("-changed")[:MAX_BATTLES]
    for battle in mine:
        for force in battles.forces_with_rosters(battle):
            if force.roster_id != ctx.roster.pk and not battles.is_hidden(force.roster, ctx.visitor):
                force.battle = battle
                editable = permissions.may_edit(ctx.request, force.roster)
                yield Opponent(f"f{force.pk}", force.roster.name, force, editable)
    usual = [pair.second.pk for pair in pairs.pairs_of(ctx.roster.system)[:1]]
    samples = Roster.objects.exclude(sample=None).filter(system=ctx.roster.system, binned=None).order_by("name")
    for sample in sorted(samples[:MAX_SAMPLES], key=lambda each: each.pk not in usual):
        yield Opponent(f"s{sample.pk}", sample.name, sample)


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
        element = form.current_element() if form.is_valid() else None
    if element is None and ctx.post_data is None:
        return redirect(f"{reverse('element', args=[ctx.roster.token])}?{ctx.request.GET.urlencode()}")
    context = {"element": element, "query": ctx.request.GET.urlencode(), "is_fragment": ctx.post_data is not None}
    if element is not None:
        context |= _against(ctx, element, query.get("odds-against", ""), query.get("odds-target", ""))
    template = "odds/_against.html" if ctx.post_data is not None else "odds/against.html"
    response = ctx.render(template, context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _against(ctx: RosterContext, element: Element, key: str, target: str) -> dict[str, Any]:
    """The opponents, the chosen one's elements, and the odds against the chosen one of these."""
    opponents = [*opponents_of(ctx)]
    chosen = next((each for each in opponents if each.key == key), next(iter(opponents), None))
    problems = [translate(reason) for _key, reason in ctx.system.odds.problems(element)]
    rows = service.rows_of(chosen.state())[:MAX_TARGETS] if chosen and not problems else []
    context: dict[str, Any] = {"opponents": opponents, "opponent": chosen, "targets": rows, "problems": problems}
    if not rows:
        return context
    row = next((each for each in rows if each.element.id == target), rows[0])
    matchup = Matchup(ctx.system, element, row.element, ctx.system.odds.Conditions())
    try:
        duel = matchup.duel()
        ranges: Sequence[Any] = [*service.ranges(matchup)]
    except InvalidDocument:
        return {**context, "problems": [_("This duel is too long to compute.")]}
    mine = service.attack_of(duel, "a")
    return {
        **context,
        "target": row,
        "ranges": ranges,
        "receipts": mine,
        "left_out": LEFT_OUT,
        "readings": readings_named(service.readings_in(mine)),
    }
