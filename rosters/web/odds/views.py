"""Odds of a battle: all elements of one roster against all of another, each pair with its receipts; of a roll."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from rosters.balance.answers import Matchup
from rosters.balance.words import LEFT_OUT, MEASURES, readings_named
from rosters.core.amounts import format_change, with_minus_sign
from rosters.core.appraisals import RosterState
from rosters.core.documents import InvalidDocument
from rosters.core.messages import translate
from rosters.core.odds import SIDES, DieRoll
from rosters.models.roster import MAX_ODDS_COLUMN
from rosters.registry import System
from rosters.store import writer
from rosters.web.battles import service as battles
from rosters.web.battles.forces import ForceView, force_views_of, title_for
from rosters.web.context import BattleContext, RosterContext, battle_view, roster_view
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.queries import cleaned_query
from rosters.web.http.rate_limit import rate_limited
from rosters.web.odds import service
from rosters.web.odds.forms import ColumnForm, ConditionsForm, MatrixQuery, RollForm, measure_of
from rosters.web.odds.opponents import Opponent, chosen_from, opponents_of
from rosters.web.odds.service import MAX_SHOWN

MODIFIERS = range(-3, 4)
"""The modifiers of which the receipt of a roll shows the chance."""


@public_view("GET")
def roll(request: HttpRequest, system: System) -> HttpResponse:
    """Show the receipt of a roll: the faces that succeed, and its chance with each modifier."""
    if not request.GET:
        return redirect("explain", system.slug)
    shown = DieRoll(**cleaned_query(RollForm(request.GET)))
    modified = [
        (with_minus_sign(format_change(modifier)), shown._replace(target=shown.target - modifier))
        for modifier in MODIFIERS
    ]
    faces = [(face, face >= shown.target) for face in range(1, shown.die + 1)]
    return render(request, "odds/roll.html", {"system": system, "roll": shown, "faces": faces, "modified": modified})


@rate_limited("ODDS_A_MINUTE")
@battle_view(READ, "GET")
def matrix(ctx: BattleContext) -> HttpResponse:
    """Show the chances of all elements of one roster against all of another that the visitor sees."""
    query, system, seats = ctx.request.GET, battles.system_of(ctx.battle), _seats(ctx)
    if len(seats) < battles.COMPLETE_SIZE:
        return _render(ctx, "odds/matrix.html", {"system": system})
    chosen = _chosen(ctx.request, seats)
    sides = [(number, _state(force_view)) for number, force_view in chosen]
    params = {"x": chosen[0][0], "y": chosen[1][0]}
    context = {"seats": seats, "pair_path": reverse("battle-odds-pair", args=[ctx.battle.token]), "params": "ab"}
    return _render(ctx, "odds/matrix.html", {**context, **_matrix(query, system, sides, params)})


@rate_limited("ODDS_A_MINUTE")
@roster_view(EDIT, "GET")
def roster_matrix(ctx: RosterContext) -> HttpResponse:
    """Show the chances of a roster's elements against those of an opponent: of a battle, or a sample."""
    query, opponents = ctx.request.GET, [*opponents_of(ctx)]
    chosen = chosen_from(opponents, query.get("odds-against", ""))
    context = {"title": ctx.roster.name, "opponents": opponents, "opponent": chosen, "params": ("id", "odds-target")}
    context["pair_path"] = reverse("element-odds", args=[ctx.roster.token])
    sides = [(1, ctx.state), (2, chosen.state())]
    context |= _matrix(query, ctx.system, sides, {"odds-against": chosen.key})
    is_column = _column_query(ctx.system, query, opponents) == ctx.roster.odds_column
    return ctx.render("odds/matrix.html", {**context, "is_column": is_column})


@roster_view(EDIT, "POST")
def save_column(ctx: RosterContext) -> HttpResponse:
    """Show the odds of a query in a column of the builder, or none without a query."""
    query = cleaned_query(ColumnForm(ctx.request.POST))["query"]
    shown = _column_query(ctx.system, QueryDict(query), [*opponents_of(ctx)]) if query else ""
    writer.save_view_settings(ctx.roster, ctx.visitor, odds_column=shown)
    return ctx.redirect()


def _column_query(system: System, query: QueryDict, opponents: Sequence[Opponent]) -> str:
    """A query of the roster's matrix as it is stored: without the opponent if it is the usual one, which may change."""
    against = query.get("odds-against", "")
    params = {"odds-against": against} if against in [each.key for each in opponents[1:]] else {}
    form = ConditionsForm(query, system, sides=False)
    text = urlencode({**params, **form.query(), "measure": measure_of(query)}, doseq=True)
    return text if len(text) <= MAX_ODDS_COLUMN else ""


def _matrix(
    query: QueryDict, system: System, sides: Sequence[tuple[int, RosterState]], params: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of a matrix of two rosters, each with its number in the battle; ``params`` stay in its links."""
    form, measure = ConditionsForm(query, system, sides=False), measure_of(query)
    numbers = cleaned_query(MatrixQuery(query))
    rows_of_sides = [service.rows_of(state) for _number, state in sides]
    if only := service.row_of(sides[0][1], numbers["id"]) if numbers["id"] else None:
        rows_of_sides[0] = [only]
    pages = [
        Paginator(rows, MAX_SHOWN).get_page(numbers[name])
        for rows, name in zip(rows_of_sides, ("rows", "columns"), strict=True)
    ]
    rows, columns = ([*page.object_list] for page in pages)
    table = service.matrix(system, (rows, columns), form.conditions, measure)
    return {
        "system": system,
        "sides": sides,
        "pages": pages,
        "columns": columns,
        "only": only,
        "models": service.count_models(columns),
        "table": table if columns else [],
        "incomplete": any(mean.text == "…" for _row, _cells, mean in table),
        "sentences": [*service.sentences(table)] if measure == "win" and columns else [],
        "counters": service.counters([*rows, *columns]),
        "left_out": LEFT_OUT,
        "readings": readings_named(()),
        **_links(form, measure, params),
    }


def _links(form: ConditionsForm, measure: str, common: Mapping[str, Any]) -> dict[str, Any]:
    """The form of a matrix, and the queries of its links."""
    odds, distance = form.system.odds, form.conditions.model_dump()["distance"]
    params = {**common, **form.query()}
    del form.fields["distance"]  # it is chosen by links
    return {
        "form": form,
        "measure": measure,
        "distance": distance,
        "measures": [
            (code, translate(label), urlencode({**params, "measure": code}, doseq=True))
            for code, label in MEASURES.items()
        ],
        "ranges": [
            (
                value == distance,
                translate(label),
                urlencode({**params, "distance": value, "measure": measure}, doseq=True),
            )
            for value, label in odds.RANGES.items()
        ],
        "query": urlencode(params, doseq=True),
        "page_query": urlencode({**params, "measure": measure}, doseq=True),
    }


@rate_limited("ODDS_A_MINUTE")
@battle_view(READ, "GET")
def pair(ctx: BattleContext) -> HttpResponse:
    """Show two elements of the battle in both directions, under conditions, with receipts."""
    system, seats = battles.system_of(ctx.battle), _seats(ctx)
    chosen = _chosen(ctx.request, seats) if len(seats) >= battles.COMPLETE_SIZE else []
    query = ctx.request.GET
    selected = [service.row_of(_state(seat), query.get(name)) for (_n, seat), name in zip(chosen, "ab", strict=False)]
    if None in selected and ("a" in query or "b" in query):
        raise Http404("No such element in this roster, or none that has odds.")
    rows = [*filter(None, selected)]
    if len(rows) < battles.COMPLETE_SIZE:
        return redirect("battle-odds", ctx.battle.token)
    form = ConditionsForm(query, system)
    context: dict[str, Any] = {
        "system": system,
        "chosen": chosen,
        "rows": rows,
        "form": form,
        "fieldsets": [
            (number, row, fields, translate(form.conditions.note(side, row.element)))
            for number, side, row, fields in zip((1, 2), SIDES, rows, form.of_sides, strict=True)
        ],
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
    by_number = {number: (number, each) for number, each in seats}
    numbers = cleaned_query(MatrixQuery(request.GET))
    first, second = by_number.get(numbers["x"], seats[0]), by_number.get(numbers["y"])
    if second is None or second[0] == first[0]:
        second = next(seat for seat in seats if seat[0] != first[0])
    return [first, second]


def _state(force_view: ForceView) -> RosterState:
    """The roster as this visitor sees it."""
    if force_view.locked is None:
        raise Http404("This visitor does not see the roster.")
    return force_view.locked.state


def _render(ctx: BattleContext, template: str, context: Mapping[str, Any]) -> HttpResponse:
    title = title_for(ctx, force_views_of(ctx))
    return render(ctx.request, template, {**context, "battle": ctx.battle, "title": title})
