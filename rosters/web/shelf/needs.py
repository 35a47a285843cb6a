"""What rosters need of a shelf, and putting that on it."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rosters.models import Roster
from rosters.registry import SYSTEMS, System
from rosters.store import shelf as store
from rosters.store.access import rosters_of
from rosters.store.state import current_document
from rosters.web.context import ShelfContext, shelf_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.shelf.elements import ShownModels, shown_models
from rosters.web.shelf.forms import RostersQuery

MAX_LISTED = 100
"""Rosters to choose from: those that were changed last."""


class NeededModels(NamedTuple):
    """Models that rosters need, and how many of them are on the shelf."""

    shown: ShownModels
    needed: int
    owned: int
    painted: int

    @property
    def missing(self) -> int:
        return max(0, self.needed - self.owned)


@rate_limited("BULK_CHANGES_A_MINUTE")
@shelf_view("GET", "POST")
def rosters(ctx: ShelfContext) -> HttpResponse:
    """What the selected rosters need, beside what is owned; POST puts it on the shelf, as far as it is missing."""
    own = rosters_of(ctx.visitor).filter(binned=None, system__in=SYSTEMS)
    form = RostersQuery(own, ctx.request.POST if ctx.request.method == "POST" else ctx.request.GET)
    need: dict[str, store.Models] = {}
    if form.is_valid():
        documents = [current_document(each) for each in form.cleaned_data["roster"]]
        need = store.required_models(documents, together=form.cleaned_data["at_once"])
    if need and ctx.request.method == "POST":
        try:
            return _add_missing(ctx, need)
        except store.ShelfLimit as error:
            form.add_error(None, str(error))
    return _page(ctx, form, own.filter(archived=False).order_by("-changed", "-pk"), need)


def _add_missing(ctx: ShelfContext, need: dict[str, store.Models]) -> HttpResponse:
    """Raise each quantity on the shelf to what is needed. Raises ShelfLimit."""
    number = store.add_models(ctx.shelf, need.values(), ctx.visitor)
    text = ngettext("Put %(n)d kind of models on the shelf.", "Put %(n)d kinds of models on the shelf.", number)
    messages.success(ctx.request, text % {"n": number} if number else _("All of that is on the shelf already."))
    return redirect("shelf", ctx.shelf.token)


def _page(ctx: ShelfContext, form: RostersQuery, own: Any, need: dict[str, store.Models]) -> HttpResponse:
    selected = {*form["roster"].value()}
    listed: list[Roster] = [*own[:MAX_LISTED]]
    listed += [each for each in form.cleaned_data.get("roster", ()) if each not in listed]
    entries = store.entries_by_key(ctx.shelf)
    groups, shortage = [*_groups(need, entries)], store.shortage(need.values(), entries)
    rows = [row for _system, rows in groups for row in rows]
    context = {
        "form": form,
        "rosters": [(each, SYSTEMS[each.system], each.token in selected) for each in listed],
        "more": max(0, own.count() - MAX_LISTED),
        "groups": groups,
        "selected": form.cleaned_data.get("roster", ()),
        "counters": {row.shown.counter.id: row.shown.counter for row in rows}.values(),
        "needed": shortage[0],
        "missing": shortage[1],
    }
    return ctx.render("shelf/rosters.html", context, status=422 if form.errors else 200)


def _groups(need: dict[str, store.Models], entries: dict[str, Any]) -> Any:
    """The rows of what is needed, by game; what is missing first."""
    for slug, system in SYSTEMS.items():
        own = {key: models for key, models in need.items() if models.system == slug}
        if own:
            yield system, _rows(system, own, entries)


def _rows(system: System, need: dict[str, store.Models], entries: dict[str, Any]) -> list[NeededModels]:
    shown = shown_models(system, (models.element for models in need.values()))
    rows = []
    for each, (key, models) in zip(shown, need.items(), strict=True):
        entry = entries.get(key)
        counts = (entry.quantity, entry.painted) if entry else (0, 0)
        rows.append(NeededModels(each, models.quantity, *counts))
    return sorted(rows, key=lambda row: -row.missing)
