"""Two matched forces from a shelf: ask for them, see the resulting pairs, create a battle of one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters import registry
from rosters.balance.forces import MAX_SHOWN, Owned, Split, forces_of, percents_of, planned_trials
from rosters.core import edits
from rosters.core.amounts import format_amount, to_amount
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument
from rosters.drawing.svg import Symbol
from rosters.models import Report, ReportKind, ReportState
from rosters.registry import SYSTEMS
from rosters.store import reports, writer
from rosters.store import shelf as store
from rosters.store.forces import Match, NoForceFound, request_match
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.battles.service import RosterRef
from rosters.web.context import ShelfContext, shelf_view
from rosters.web.http import permissions
from rosters.web.http.queries import ResultForm
from rosters.web.http.rate_limit import rate_limited
from rosters.web.shelf.elements import document_with

MAX_DESIGNS = 40
"""The most different models of a game that are split: odds are computed for each."""
MAX_POINTS = 100_000
EVEN = 0.1
"""Pairs beside the most even one are shown if their share of victories is at most this far from one half."""


class MatchForm(forms.Form):
    """The game, how large both forces are at most, and by how much they may differ."""

    game = forms.ChoiceField(label=_("Game"))
    points = forms.FloatField(label=_("Points of each, at most"), min_value=1, max_value=MAX_POINTS)
    within = forms.FloatField(label=_("Difference, at most"), min_value=0, max_value=MAX_POINTS, initial=5)

    def __init__(self, data: Any, games: Iterable[str]) -> None:
        super().__init__(data)
        self.fields["game"].choices = [(slug, SYSTEMS[slug].name) for slug in games]  # type: ignore[attr-defined]
        for name, field in self.fields.items():
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            field.widget.attrs["class"] = f"{kind} is-invalid" if self.is_bound and name in self.errors else kind


class OwnedModels(NamedTuple):
    """What a shelf has of a game: its models, and their points, "" where the game has none."""

    name: str
    models: str
    points: str


@rate_limited("REPORTS_A_MINUTE", "POST")
@shelf_view("GET", "POST")
def match(ctx: ShelfContext) -> HttpResponse:
    """Ask for the size of two matched forces (GET), and look for them (POST)."""
    owned = {slug: _owned(ctx, slug) for slug in SYSTEMS}
    owned = {slug: models for slug, models in owned.items() if models}
    data = ctx.request.POST if ctx.request.method == "POST" else None
    form = MatchForm(data, owned)
    if data is not None and form.is_valid():
        row = _find(ctx, form, owned[form.cleaned_data["game"]])
        if row is not None:
            return redirect("shelf-matched", ctx.shelf.token, row.token)
    shown = [_shown(slug, models) for slug, models in owned.items()]
    context = {"form": form, "games": shown, "most": MAX_DESIGNS}
    return ctx.render("shelf/match.html", context, status=200 if data is None else 422)


def _owned(ctx: ShelfContext, slug: str) -> Owned:
    """The models of a game that can be split: those that have odds."""
    problems = SYSTEMS[slug].odds.problems
    usable = (
        (element, number) for element, number in store.owned(ctx.shelf, slug) if number and not [*problems(element)]
    )
    return [*islice(usable, MAX_DESIGNS)]


def _shown(slug: str, owned: Owned) -> OwnedModels:
    system = SYSTEMS[slug]
    words = system.rules.WORDS
    elements = [element.replace(quantity=number) for element, number in owned]
    appraisal = registry.appraise(document_with(system, elements))
    points = "" if appraisal.points is None else words.count_points(appraisal.points)
    return OwnedModels(system.name, words.count_elements(appraisal.quantity), points)


def _find(ctx: ShelfContext, form: MatchForm, owned: Owned) -> Report | None:
    """The search; None if there is nothing to find, and the form says why."""
    cleaned = form.cleaned_data
    system = SYSTEMS[cleaned["game"]]
    points, within = to_amount(cleaned["points"]), to_amount(cleaned["within"])
    limit = cleaned["points"] if system.rules.WORDS.has_points else None
    budget = int(limit) if limit and limit.is_integer() else limit
    empty = document_with(system).replace(formations=(), name=gettext("From the shelf"), budget=budget)
    try:
        return request_match(ctx.shelf, Match(empty, owned, points, within), battles.requester_of(ctx.request))
    except NoForceFound:
        text = gettext("No two legal forces of these models are that close. Allow a larger difference, or add models.")
        form.add_error("within", text)
        return None


class MatchedSide(NamedTuple):
    """One of two forces: its models with their numbers, and its points, "" where the game has none."""

    models: Sequence[tuple[int, str, Symbol]]
    points: str


class MatchedPair(NamedTuple):
    """Two forces; once they have fought, the share of battles that the first one wins, in percent."""

    number: int
    sides: Sequence[MatchedSide]
    percents: Mapping[str, int]


@shelf_view("GET")
def matched(ctx: ShelfContext, searched: str) -> HttpResponse:
    """Show the pairs of a search: by value, and when it is done those nearest to an even fight."""
    row = _search_of(ctx, searched)
    empty, owned, splits = reports.owned_of(row)
    system = SYSTEMS[row.system]
    counters = [roster_page.strip_counter(system, element, terms_of(empty)) for element, _number in owned]
    shown: Sequence[Mapping[str, Any]] = [{"force": number} for number in range(min(len(splits), MAX_SHOWN))]
    if row.state == ReportState.DONE:
        best, *others = row.result["forces"]
        shown = [best, *(each for each in others if abs(each["share"] - 1 / 2) <= EVEN)]
    context = {
        **reports.progress_of(row, planned_trials(len(splits))),
        "report": row,
        "may_stop": True,
        "system": system,
        "words": system.rules.WORDS,
        "counters": roster_page.distinct_counters(counters),
        "pairs": [
            MatchedPair(each["force"], [*_sides(empty, owned, counters, splits[each["force"]])], percents_of(each))
            for each in shown
        ],
    }
    return ctx.render("shelf/matched.html", context)


@shelf_view("POST")
def stop_match(ctx: ShelfContext, searched: str) -> HttpResponse:
    """Stop the battles of a search."""
    row = _search_of(ctx, searched)
    reports.stop(row)
    return redirect("shelf-matched", ctx.shelf.token, row.token)


@rate_limited("BULK_CHANGES_A_MINUTE")
@shelf_view("POST")
def make_battle(ctx: ShelfContext, searched: str) -> HttpResponse:
    """Make two rosters of a pair, lock them in a new battle, and go to it."""
    empty, owned, splits = reports.owned_of(_search_of(ctx, searched))
    form = ResultForm(ctx.request.POST, "pair", splits)
    if not form.is_valid():
        raise Http404("This search found no such pair.")
    browser, owner = permissions.browser_for(ctx.request), permissions.account_of(ctx.request)
    names = (gettext("Blue, from the shelf"), gettext("Red, from the shelf"))
    with transaction.atomic():
        rosters = [
            writer.create(edits.copy_roster(side, name), browser=browser, owner=owner).roster
            for name, side in zip(names, forces_of(empty, owned, splits[form.cleaned_data["pair"]]), strict=True)
        ]
        battle = battles.create("", [RosterRef(roster, mine=True) for roster in rosters], browser, owner)
    messages.success(ctx.request, gettext("Both rosters are yours and in a new battle."))
    return redirect("battle", battle.token)


def _search_of(ctx: ShelfContext, token: str) -> Report:
    row: Report = get_object_or_404(Report, kind=ReportKind.PAIR, shelf=ctx.shelf, token=token)
    return row


def _sides(empty: AnyDocument, owned: Owned, counters: Sequence[Symbol], split: Split) -> Iterator[MatchedSide]:
    """Both forces of a split as the page shows them."""
    for counts, force in zip(split, forces_of(empty, owned, split), strict=True):
        points = registry.appraise(force).points
        models = [
            (number, element.display_name, counter)
            for number, (element, _owned), counter in zip(counts, owned, counters, strict=True)
            if number
        ]
        yield MatchedSide(models, "" if points is None else format_amount(points))
