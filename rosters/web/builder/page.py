"""What the page of a roster in the builder shows."""

import time
from collections.abc import Collection
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import get_language
from django_htmx.http import push_url

from rosters.balance.answers import Matchup
from rosters.balance.words import MEASURES
from rosters.core.cache import cached
from rosters.core.grammar import vocabulary
from rosters.core.grid import GridColumn
from rosters.core.messages import _
from rosters.store import shelf, writer
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.builder.cells import field_templates
from rosters.web.builder.fixes import with_buttons
from rosters.web.builder.forms import RosterPageForm
from rosters.web.builder.guide import guide_of
from rosters.web.context import RosterContext
from rosters.web.http.queries import cleaned_query
from rosters.web.odds import service
from rosters.web.odds.forms import ConditionsForm, measure_of
from rosters.web.odds.opponents import opponent_of
from rosters.web.roster_page import Cell, ElementRow, RosterPage
from rosters.web.sharing.forms import VISIBILITIES, RosterQuery, ShownVisibility

ODDS_SECONDS = 0.5
"""The time after which a page computes no more odds; the next load continues."""
ODDS_HEADINGS = {
    "win": _("Win\u00a0%"),
    "round": _("Round\u00a01\u00a0%"),
    "kill": _("Kill\u00a0%"),
    "hit": _("Hit\u00a0%"),
}


class Urls(NamedTuple):
    """The URLs on a roster's page: `element_up` is that of the name ``element-up``."""

    element: str
    element_up: str
    element_down: str
    element_duplicate: str
    element_split: str
    element_delete: str
    formation: str
    formation_elements: str
    formation_up: str
    formation_down: str
    formation_duplicate: str
    formation_delete: str
    formation_add: str
    formation_place: str
    add_from: str
    fix: str
    save_quantities: str
    element_cell: str
    roster_version: str
    preview_selected: str
    set_selected: str
    move_selected: str
    duplicate_selected: str
    delete_selected: str
    line: str
    line_add: str
    paste: str
    undo: str
    redo: str
    copy: str
    delete: str
    links: str
    sharing: str
    shared: str


@cached(1 << 20)  # 40 addresses are a tenth of the builder
def urls_of(token: str) -> Urls:
    """The URLs on the page of the roster with this share token."""
    return Urls(*(reverse(name.replace("_", "-"), args=[token]) for name in Urls._fields))


def page_context(ctx: RosterContext, page: RosterPage) -> dict[str, Any]:
    """What the page of a roster shows."""
    page = with_owned(ctx, with_odds(ctx, page))
    steps, urls = writer.undo_and_redo(ctx.roster), urls_of(ctx.roster.token)
    return {
        "roster_page": page,
        "finding_groups": with_buttons(ctx.state, page.findings_page),
        "undoable": steps.undo,
        "redoable": steps.redo,
        "urls": urls,
        "visibility": ShownVisibility(*map(str, VISIBILITIES[ctx.roster.visibility])),  # lazy texts are no cache keys
        "share_link": ctx.request.build_absolute_uri(urls.shared),
        "field_templates": field_templates(ctx.system.slug, get_language()),
        "vocabulary": vocabulary(ctx.system.grammar),
        "guide": guide_of(ctx),
        "lock": battles.lock_of(ctx.roster, ctx.visitor),
        "shared_fields": ["quantity", *ctx.system.grid.SHARED_FIELDS],
        "layout": "base.html",
        "page_form": None,
        "line_preview": None,
        "line_in": "",
    }


def with_odds(ctx: RosterContext, page: RosterPage) -> RosterPage:
    """The page with the roster's column of odds, if it has one: mean chances against the models of an opponent."""
    if not ctx.roster.odds_column:
        return page
    query = QueryDict(ctx.roster.odds_column)
    opponent, measure = opponent_of(ctx, query.get("odds-against", "")), measure_of(query)
    targets = service.rows_of(opponent.state())[: service.MAX_SHOWN]
    conditions = ConditionsForm(query, ctx.system, sides=False).conditions
    stop = time.process_time() + ODDS_SECONDS
    link = f"{reverse('roster-odds', args=[ctx.roster.token])}?{ctx.roster.odds_column}"
    title = _("{measure}, in percent: the mean over the {elements} of {opponent}")
    nouns = ctx.system.rules.WORDS.nouns
    title = title.format(measure=MEASURES[measure], elements=nouns.elements, opponent=opponent.name)
    heading = GridColumn(ODDS_HEADINGS[measure], title, stat=True)

    def with_cell(row: ElementRow) -> ElementRow:
        element = ctx.document.elements_by_id[row.id]
        able = [] if [*ctx.system.odds.problems(element)] else targets
        against = ((target, Matchup(ctx.system, element, target.element, conditions)) for target in able)
        text, level = service.mean_against(against, measure, stop)
        receipt = f"{link}&{urlencode({'id': row.id})}"
        return row._replace(cells=(*row.cells, (heading, Cell(text, link=receipt, level=level))))

    formations = [each._replace(rows=tuple(map(with_cell, each.rows))) for each in page.formations]
    return page._replace(formations=formations, more_columns=(heading,))


def with_owned(ctx: RosterContext, page: RosterPage) -> RosterPage:
    """The page with what the visitor owns of each row's models, if their shelf has anything of this game."""
    own, system = shelf.shelf_of(ctx.visitor), ctx.system.slug
    entries = shelf.entries_by_key(own, system) if own else {}
    if not entries:
        return page
    need = shelf.required_models([ctx.document])
    keys = {str(each.id): shelf.key_of(system, each) for each in ctx.document.elements}

    def owned(row: ElementRow) -> tuple[int, int, int]:
        needed, entry = need[keys[row.id]].quantity, entries.get(keys[row.id])
        return (min(entry.quantity, needed), needed, min(entry.painted, needed)) if entry else (0, needed, 0)

    rows = (tuple(row._replace(owned=owned(row)) for row in each.rows) for each in page.formations)
    return page._replace(formations=[each._replace(rows=next(rows)) for each in page.formations])


def changed_rows(ctx: RosterContext, uids: Collection[str]) -> HttpResponse:
    """The parts of a roster's page that a change affects, with these rows only, for a script to swap in."""
    page = roster_page.build_page(ctx.state, {"at": next(iter(uids), None)}, in_builder=True)
    formations = [each._replace(rows=tuple(row for row in each.rows if row.id in uids)) for each in page.formations]
    shown = [each for each in formations if each.rows or each.id in uids]
    context = page_context(ctx, page._replace(formations=shown))
    return ctx.render("builder/roster.html", context | {"layout": "_content.html"})


def all_rows(ctx: RosterContext) -> HttpResponse:
    """All rows, for a script that sends an element again whose response was lost: it does not know the new one."""
    uids = [str(each.id) for formation in ctx.document.formations for each in (formation, *formation.elements)]
    return changed_rows(ctx, uids[::-1])


def roster_response(ctx: RosterContext, form: RosterPageForm | None = None, **more: Any) -> HttpResponse:
    """The page of a roster; with an invalid ``form`` it keeps what was typed and selected, and shows the errors."""
    query = cleaned_query(RosterQuery(form.data if form else ctx.request.GET))
    context = page_context(ctx, roster_page.build_page(ctx.state, query, in_builder=True)) | {"page_form": form, **more}
    if form is None:
        return ctx.render("builder/roster.html", context, status=422 if more else 200)
    status = 409 if form.changed_elsewhere else 422
    page = ctx.render("builder/roster.html", context, status=status)
    return push_url(page, False)  # htmx keeps the URL of the roster, not that of the button
