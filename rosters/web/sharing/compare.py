"""Two rosters of one game, or two versions of one: what matters in that game side by side, then every change."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from rosters.core.amounts import Amount, format_amount, format_change, with_minus_sign
from rosters.core.appraisals import points_difference
from rosters.core.diff import ABSENT, ComparedRow, DiffCell
from rosters.core.messages import translate
from rosters.core.play import Match
from rosters.models import Revision, Roster, Visibility
from rosters.store import snapshots
from rosters.store.compiled import compiled_query
from rosters.web import roster_page
from rosters.web.context import RosterContext, no_index, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import READ
from rosters.web.http.rate_limit import rate_limited
from rosters.web.roster_page import KeyFigureRow, Points
from rosters.web.sharing.forms import CompareForm
from rosters.web.sharing.links import Link
from rosters.web.sharing.versions import RosterVersion

ROWS_PER_PAGE, CHANGES_PER_PAGE = 250, 100
"""Rows and sentences on one page of a comparison."""
MAX_OFFERED = 30
"""Rosters of each kind that the page offers for roster B."""
MAX_VERSIONS = 50
"""The latest versions of a roster that a list has; its history has them all."""


@rate_limited("COMPARISONS_A_MINUTE")
@roster_view(READ, "GET")
def compare(ctx: RosterContext) -> HttpResponse:
    """Compare this roster, now or at a version, with another version or another roster of the same game."""
    form = CompareForm(ctx.request.GET, token=ctx.roster.token)
    if not form.is_valid():
        return _pick_page(ctx, form, Link(ctx.roster.token), status=400)
    link_a, link_b = form.cleaned_data["from"] or Link(ctx.roster.token), form.cleaned_data["with"]
    if link_b is None:
        return _pick_page(ctx, form, link_a)
    is_one_roster = link_a.token == link_b.token
    a, b = (compared_version(ctx.request, link, elements=not is_one_roster, known=ctx) for link in (link_a, link_b))
    context = {"a": a, "b": b, "system": a.system}
    if a.system is b.system:
        context |= comparison(a, b, form.cleaned_data)
        context["sides"] = [(version, versions_of(version)) for version in (a, b)]
    return no_index(ctx.render("sharing/compare.html", context))


def compared_version(
    request: HttpRequest, link: Link, *, elements: bool = False, known: RosterContext | None = None
) -> RosterVersion:
    """The version that a link names, complete for those who may edit it. Raises Http404.

    The roster that is ``known`` already is not read again.
    """
    if known and known.roster.token == link.token:
        roster, access = known.roster, known.access
    else:
        roster, access = permissions.roster_for(request, link.token)
    state = snapshots.state_at(roster, link.version, complete=bool(access), elements=elements)
    return RosterVersion(roster, link.version, state)


def versions_of(version: RosterVersion) -> list[tuple[int, datetime]]:
    """Number and time of the latest versions of its roster, and of this one."""
    latest = [(revision.number, revision.at) for revision in _latest(version.roster.pk)]
    if version.number is None or any(number == version.number for number, _at in latest):
        return latest
    return [*latest, *version.roster.revisions.filter(number=version.number).values_list("number", "at")]


@compiled_query
def _latest(roster: int) -> QuerySet[Revision]:
    return Revision.objects.filter(roster=roster).only("number", "at")[:MAX_VERSIONS]


# ---------------------------------------------------------------- choosing roster B


def _pick_page(ctx: RosterContext, form: CompareForm, link: Link, status: int = 200) -> HttpResponse:
    """The rosters and versions to compare roster A with, as one form."""
    a = compared_version(ctx.request, link)
    context = {"form": form, "a": a, "system": a.system, "versions": versions_of(a), **_offers(ctx.request, a.roster)}
    return no_index(ctx.render("sharing/compare_with.html", context, status=status))


def _offers(request: HttpRequest, roster: Roster) -> dict[str, QuerySet[Roster]]:
    """The rosters of the same game: the visitor's, those in the visitor's battles, and samples."""
    others = Roster.objects.filter(system=roster.system, binned=None).exclude(pk=roster.pk)
    mine = permissions.my_rosters(request).filter(system=roster.system).exclude(pk=roster.pk)
    opposing = others.filter(forces__battle__in=permissions.my_battles(request).values("pk"), sample=None)
    opponents = opposing.exclude(visibility=Visibility.CLOSED).exclude(pk__in=mine.order_by().values("pk")).distinct()
    offers = {"mine": mine, "opponents": opponents, "samples": others.exclude(sample=None).order_by("name")}
    return {name: rosters.defer("document")[:MAX_OFFERED] for name, rosters in offers.items()}


# ---------------------------------------------------------------- the comparison


class Balance(NamedTuple):
    """Two rosters in figures, and the names of those that are ``illegal``.

    ``match`` is None for versions of one roster.
    """

    figures: Sequence[KeyFigureRow]
    match: Match | None = None
    illegal: str = ""
    is_built: bool = True
    is_close: bool = True


def comparison(a: RosterVersion, b: RosterVersion, query: dict[str, Any]) -> dict[str, Any]:
    """Figures; a page of the changes in words, and one of all rows, or ``only`` of those that differ."""
    only = query["only"]
    compared = snapshots.compare(a.state, b.state)
    rows = [row for row in compared.rows() if row.differs or not only]
    page = Paginator(rows, ROWS_PER_PAGE).get_page(query.get("page"))
    words = a.system.rules.WORDS
    unpriced = any(version.state.appraisal.points is None for version in (a, b))
    orders = [] if a.roster == b.roster else [(roster_page.build_page(each.state), each.path) for each in (a, b)]
    return {
        "comparison": balance(a, b),
        "numbers": (1, 2),
        "orders": orders,
        "counters": {counter.id: counter for order, _path in orders for counter in order.counters}.values(),
        "changes": Paginator([*compared.changes()], CHANGES_PER_PAGE).get_page(query.get("changes")),
        "groups": [*group_rows(iter(page))],
        "page": page,
        "only": only,
        "points_change": _change(*(each.state.appraisal.points for each in (a, b))),
        "is_open": not orders or compared.is_related or query["page"] or query["changes"],
        "words": words,
        "points_hidden": words.has_points and unpriced,
    }


def balance(a: RosterVersion, b: RosterVersion) -> Balance:
    """The figures of two rosters and whether they match; of two versions of one roster, the figures that differ."""
    states = (a.state, b.state)
    if a.roster != b.roster:
        figures = tuple(roster_page.figures_of(states))
        return Balance(
            figures,
            a.system.play.match(states),
            roster_page.illegal_names(states),
            roster_page.is_built(states),
            roster_page.is_close(states),
        )
    if a.state.document is b.state.document:
        return Balance(())
    return Balance(tuple(row for row in roster_page.figures_of(states) if len({c.shown for c in row.cells}) > 1))


class CellView(NamedTuple):
    """A cell as shown; ``present`` is False where its roster has no such row.

    ``words`` are its description in parts, each with whether the other side lacks it.
    """

    present: bool
    words: tuple[tuple[str, bool], ...]
    quantity: int | None
    points: Points | None


class RowView(NamedTuple):
    """A row of the comparison as shown."""

    kind: str
    name: str
    left: CellView
    right: CellView
    differs: bool
    change: str
    """The difference of the points, "" if there is none."""


def _cell(cell: DiffCell, words: tuple[tuple[str, bool], ...]) -> CellView:
    points = roster_page.points(cell.points) if format_amount(cell.points) else None
    return CellView(cell != ABSENT, words, cell.quantity, points)


def group_rows(rows: Iterator[ComparedRow]) -> Iterator[tuple[str, tuple[RowView, ...]]]:
    """Rows by formation, "" for those of the roster."""
    for formation, group in groupby(rows, key=lambda row: row.formation):
        yield formation, tuple(_row(row) for row in group)


def _row(row: ComparedRow) -> RowView:
    left, right = row.cells()
    words = compared_words(translate(left.description), translate(right.description))
    change = _change(*(0 if cell == ABSENT else cell.points for cell in (left, right)))
    return RowView(row.kind, row.element, _cell(left, words[0]), _cell(right, words[1]), row.differs, change)


def _change(a: Amount | None, b: Amount | None) -> str:
    """The points of roster B less those of roster A, "" if they are equal or unknown."""
    change = points_difference(a, b)
    return with_minus_sign(format_change(change)) if change else ""


def compared_words(a: str, b: str) -> tuple[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]:
    """Two texts in parts, each with whether the other text lacks its words. A text beside none is one part."""
    if a == b or not a or not b:
        return ((a, False),), ((b, False),)
    words = a.split(" "), b.split(" ")
    steps = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    left = [(" ".join(words[0][start:end]), tag != "equal") for tag, start, end, _b, _e in steps if start < end]
    right = [(" ".join(words[1][start:end]), tag != "equal") for tag, _b, _e, start, end in steps if start < end]
    return tuple(left), tuple(right)
