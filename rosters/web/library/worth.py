"""The page of help on what the points miss: price against worth, as measured by tools/worth."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from rosters.balance import worth as balance
from rosters.balance.worth import Answer, Group, Row, Study
from rosters.core.messages import Message
from rosters.drawing import worth as plots
from rosters.drawing.svg import svg
from rosters.registry import SYSTEMS, System
from rosters.web.http.permissions import public_view

Rows = list[tuple[Row, SafeString]]


class StudyView(NamedTuple):
    """A study with its plots: stats as curves, each with its rows, and the other rows with a strip each."""

    study: Study
    method: Message
    curves: list[tuple[Group, SafeString, Rows]]
    tables: list[tuple[Group, Rows]]
    axis: SafeString


class AnswerView(NamedTuple):
    """A question with its answer and the rows that it is about, each with a strip."""

    question: str
    text: Message
    has_price: bool
    rows: Rows


def _rows(rows: Iterable[Row], doublings: tuple[int, int]) -> Rows:
    return [(row, mark_safe(svg(plots.strip(row.point, doublings)))) for row in rows]


def _answer(answer: Answer) -> AnswerView:
    rows = _rows(answer.rows, plots.span(row.point for row in answer.rows))
    return AnswerView(answer.question, answer.text, answer.study.points is not None, rows)


def _study(system: System, study: Study) -> StudyView:
    doublings = plots.span(row.point for row in study.rows)

    def curve(group: Group) -> SafeString:
        return mark_safe(svg(plots.curve([row.point for row in group.rows], group.values, doublings)))

    curves = [(group, curve(group), _rows(group.rows, doublings)) for group in study.groups if group.stat]
    tables = [(group, _rows(group.rows, doublings)) for group in study.groups if not group.stat]
    return StudyView(study, balance.method(system, study), curves, tables, mark_safe(svg(plots.axis(doublings))))


@cache  # a third of the page
def _context(system: System) -> dict[str, Any]:
    """What the page shows; messages are translated by the template."""
    game, data = balance.measurements_of(system), balance.measurements()
    return {
        "system": system,
        "systems": SYSTEMS.values(),
        "seed": data.seed,
        "battles": f"{data.battles:,}",
        "game": game,
        "introduction": balance.INTRODUCTION,
        "by_odds": balance.BY_ODDS,
        "left_out": balance.LEFT_OUT,
        "unmeasured": balance.unmeasured(game),
        "answers": [_answer(each) for each in balance.answers(game)],
        "extremes": [*balance.extremes(game)],
        "matches": [*balance.matches(game)],
        "legend": [mark_safe(svg(plots.legend(kind))) for kind in ("price", "worth")],
        "studies": [_study(system, study) for study in game.studies],
        "readings": balance.readings_of(game),
    }


@public_view("GET")
def worth(request: HttpRequest, system: System) -> HttpResponse:
    """Price against worth in a game: answers, plots, tables, and how they were measured."""
    return render(request, "library/worth.html", _context(system))
