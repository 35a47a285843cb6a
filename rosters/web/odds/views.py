"""Odds of a battle: all elements of one roster against all of another, and each pair with its receipts."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rosters.balance.answers import Matchup
from rosters.balance.words import LEFT_OUT, readings_named
from rosters.core.appraisals import RosterState
from rosters.core.documents import InvalidDocument
from rosters.core.messages import translate
from rosters.web.battles import service as battles
from rosters.web.battles.views import ForceView, force_views_of
from rosters.web.context import BattleContext, battle_view
from rosters.web.http import permissions
from rosters.web.http.permissions import READ
from rosters.web.http.rate_limit import rate_limited
from rosters.web.odds import service
from rosters.web.odds.forms import ConditionsForm
from rosters.web.odds.service import MAX_SHOWN, MEASURES


@rate_limited("ODDS_A_MINUTE")
@battle_view(READ, "GET")
def matrix(ctx: BattleContext) -> HttpResponse:
    """Show the chances of all elements of one roster against all of another that the visitor sees."""
    query, system, seats = ctx.request.GET, battles.system_of(ctx.battle), _seats(ctx)
    if len(seats) < battles.COMPLETE_SIZE:
        return _render(ctx, "odds/matrix.html", {"system": system})
    chosen = _chosen(ctx.request, seats)
    form, measure = ConditionsForm(query, system, sides=False), query.get("measure", "")
    measure = measure if measure in MEASURES else next(iter(MEASURES))
    pages = [
        Paginator(service.rows_of(_state(force_view)), MAX_SHOWN).get_page(query.get(name))
        for (_number, force_view), name in zip(chosen, ("rows", "columns"), strict=True)
    ]
    rows, columns = ([*page.object_list] for page in pages)
    table = service.matrix(system, (rows, columns), form.conditions, measure)
    context = {
        "system": system,
        "seats": seats,
        "chosen": chosen,
        "pages": pages,
        "columns": columns,
        "table": table if columns else [],
        "incomplete": any(cell.text == "…" for _row, cells in table for cell in cells),
        "sentences": [*service.sentences(table)] if measure == "win" and columns else [],
        "counters": service.counters([*rows, *columns]),
        "left_out": LEFT_OUT,
        "readings": readings_named(()),
        **_links(form, measure, {"x": chosen[0][0], "y": chosen[1][0]}),
    }
    return _render(ctx, "odds/matrix.html", context)


def _links(form: ConditionsForm, measure: str, common: Mapping[str, Any]) -> dict[str, Any]:
    """The form of a matrix, and the queries of its links."""
    odds, distance = form.system.odds, form.conditions.model_dump()["distance"]
    asked = {**common, **form.query()}
    del form.fields["distance"]  # it is chosen by links
    return {
        "form": form,
        "measure": measure,
        "distance": distance,
        "measures": [
            (code, translate(label), urlencode({**asked, "measure": code}, doseq=True))
            for code, label in MEASURES.items()
        ],
        "ranges": [
            (
                value == distance,
                translate(label),
                urlencode({**asked, "distance": value, "measure": measure}, doseq=True),
            )
            for value, label in odds.RANGES.items()
        ],
        "query": urlencode(asked, doseq=True),
        "page_query": urlencode({**asked, "measure": measure}, doseq=True),
    }


@rate_limited("ODDS_A_MINUTE")
@battle_view(READ, "GET")
def pair(ctx: BattleContext) -> HttpResponse:
    """Show two elements of the battle in both directions, under conditions, with receipts."""
    system, seats = battles.system_of(ctx.battle), _seats(ctx)
    chosen = _chosen(ctx.request, seats) if len(seats) >= battles.COMPLETE_SIZE else []
    asked = ctx.request.GET
    found = [service.row_of(_state(seat), asked.get(name)) for (_n, seat), name in zip(chosen, "ab", strict=False)]
    if None in found and ("a" in asked or "b" in asked):
        raise Http404("No such element in this roster, or none that has odds.")
    rows = [*filter(None, found)]
    if len(rows) < battles.COMPLETE_SIZE:
        return redirect("battle-odds", ctx.battle.token)
    form = ConditionsForm(ctx.request.GET, system)
    context: dict[str, Any] = {
        "system": system,
        "chosen": chosen,
        "rows": rows,
        "form": form,
        "fieldsets": [*zip((1, 2), rows, form.of_sides, strict=True)],
        "counters": service.counters(rows),
        "back": urlencode({"x": chosen[0][0], "y": chosen[1][0]}),
        "left_out": LEFT_OUT,
    }
    try:
        context["pair"] = service.pair(Matchup(system, rows[0].element, rows[1].element, form.conditions), *rows)
    except InvalidDocument as error:
        context["error"] = [translate(fault.message) for fault in error.faults]
    return _render(ctx, "odds/pair.html", context)


Seats = Sequence[tuple[int, ForceView]]


def _seats(ctx: BattleContext) -> Seats:
    """The rosters that this visitor sees, as this visitor sees them, by their number in the battle."""
    return [(number, each) for number, each in enumerate(force_views_of(ctx), 1) if each.locked]


def _chosen(request: HttpRequest, seats: Seats) -> Seats:
    """The two rosters that the query names, else the first two; never one against itself."""
    by_number = {str(number): (number, each) for number, each in seats}
    first = by_number.get(request.GET.get("x", ""), seats[0])
    second = by_number.get(request.GET.get("y", ""))
    if second is None or second[0] == first[0]:
        second = next(seat for seat in seats if seat[0] != first[0])
    return [first, second]


def _state(force_view: ForceView) -> RosterState:
    """The roster as this visitor sees it."""
    if force_view.locked is None:
        raise Http404("This visitor does not see the roster.")
    return force_view.locked.state


def _render(ctx: BattleContext, template: str, context: Mapping[str, Any]) -> HttpResponse:
    title = battles.title_of(
        ctx.battle, [each.roster for each in force_views_of(ctx)], permissions.visitor_of(ctx.request)
    )
    response = render(ctx.request, template, {**context, "battle": ctx.battle, "title": title})
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
