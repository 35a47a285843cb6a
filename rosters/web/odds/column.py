"""The builder's column of odds: the mean chance of each element against the models of an opponent."""

import time
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from rosters.balance.answers import Matchup
from rosters.core.grid import GridColumn
from rosters.core.messages import _
from rosters.models.roster import MAX_ODDS_COLUMN
from rosters.web.context import RosterContext
from rosters.web.odds import service
from rosters.web.odds.forms import ConditionsForm, measure_of
from rosters.web.odds.opponents import opponent_of, opponents_of
from rosters.web.roster_page import ElementRow, LinkCell, RosterPage

SECONDS = 0.5
"""The time after which a page of the builder computes no more odds; the next load continues."""
HEADINGS = {"win": _("Win\u00a0%"), "round": _("Round\u00a01\u00a0%"), "kill": _("Kill\u00a0%"), "hit": _("Hit\u00a0%")}


def query_of(ctx: RosterContext, query: QueryDict) -> str:
    """A query of the roster's matrix as it is stored: without the opponent if it is the usual one, which may change."""
    _usual, *others = (opponent.key for opponent in opponents_of(ctx))
    against = query.get("odds-against", "")
    params = {"odds-against": against} if against in others else {}
    form = ConditionsForm(query, ctx.system, sides=False)
    text = urlencode({**params, **form.query(), "measure": measure_of(query)}, doseq=True)
    return text if len(text) <= MAX_ODDS_COLUMN else ""


def with_odds(ctx: RosterContext, page: RosterPage) -> RosterPage:
    """The page with the roster's column of odds, if it has one."""
    if not ctx.roster.odds_column:
        return page
    query = QueryDict(ctx.roster.odds_column)
    opponent, measure = opponent_of(ctx, query.get("odds-against", "")), measure_of(query)
    targets = service.rows_of(opponent.state())[: service.MAX_SHOWN]
    conditions = ConditionsForm(query, ctx.system, sides=False).conditions
    elements = {element.id: element for element in ctx.document.elements}
    stop = time.process_time() + SECONDS
    link = f"{reverse('roster-odds', args=[ctx.roster.token])}?{ctx.roster.odds_column}"
    title = _("{measure}, in percent: the mean over the models of {opponent}")
    heading = GridColumn(
        HEADINGS[measure], title.format(measure=service.MEASURES[measure], opponent=opponent.name), stat=True
    )

    def with_cell(row: ElementRow) -> ElementRow:
        element = elements[row.id]
        able = [] if [*ctx.system.odds.problems(element)] else targets
        against = ((target, Matchup(ctx.system, element, target.element, conditions)) for target in able)
        text, level = service.mean_against(against, measure, stop)
        receipt = f"{link}&{urlencode({'id': row.id})}"
        return row._replace(cells=(*row.cells, (heading, LinkCell(text, receipt, level))))

    formations = [each._replace(rows=tuple(map(with_cell, each.rows))) for each in page.formations]
    return page._replace(formations=formations, more_columns=(heading,))
