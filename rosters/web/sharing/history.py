"""A roster's past: its revisions, each at an address of its own, and any two forces of one game side by side."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from rosters import registry
from rosters.core import documents, edits
from rosters.core.amounts import format_amount
from rosters.core.diff import ABSENT, Cell, ComparedRow
from rosters.models import Revision, Roster
from rosters.store import snapshots, writer
from rosters.store.state import RosterState
from rosters.web import roster_page
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.permissions import EDIT, READ
from rosters.web.sharing.downloads import chat_preview
from rosters.web.sharing.views import receipt_parameter, revision_parameter

PAGE = 100
"""Revisions on one page of the history."""
MAX_OFFERED = 30
"""Rosters of one's own that the comparison offers."""

# ---------------------------------------------------------------- the history


class Entry(NamedTuple):
    """A revision as the list shows it, all in text, since a page draws a hundred.

    ``name`` is "r5", ``previous`` the revision before it, "" for the first; ``now``: the roster stands there.
    """

    number: str
    name: str
    previous: str
    iso: str
    at: str
    who: str
    summary: str
    now: bool


def history_entry(revision: Revision, latest: int, told: bool) -> Entry:
    """What was done is ``told`` to those who may edit: a summary may name what is secret."""
    number, at = revision.number, revision.at
    who, summary = (str(revision.get_who_display()), revision.summary) if told else ("", "")
    previous = f"r{number - 1}" if number > 1 else ""
    when = f"{at.day} {at:%b %Y, %H:%M:%S}"
    return Entry(str(number), f"r{number}", previous, at.isoformat(), when, who, summary, number == latest)


def page_of(request: HttpRequest, roster: Roster, told: bool) -> dict[str, Any]:
    """The newest revisions, or those before the number that the address names. Nothing is unpacked."""
    before = revision_parameter(request, "before")
    found = roster.revisions.defer("packed")
    if before is not None:
        found = found.filter(number__lt=before)
    rows = [history_entry(revision, roster.revision, told) for revision in found[: PAGE + 1]]
    older = rows[PAGE - 1].number if len(rows) > PAGE else None
    address = reverse("shared", args=[roster.token])
    return {"entries": rows[:PAGE], "older": older, "newer": before is not None, "told": told, "address": address}


@roster_view(EDIT, "GET", "POST")
def history(ctx: RosterContext) -> HttpResponse:
    """Every revision: who, when and what; open, compare or restore any of them."""
    if ctx.request.method == "POST":
        return restore(ctx, ctx.request.POST.get("do", ""))
    return ctx.render("sharing/history.html", page_of(ctx.request, ctx.roster, True) | {"editable": True})


def restore(ctx: RosterContext, word: str) -> HttpResponse:
    """Bring back the revision that the pressed button names, as a change that can be undone."""
    verb, _, number = word.partition(" ")
    if verb != "restore" or not re.fullmatch(r"[0-9]{1,9}", number):
        raise Http404("There is no such action.")
    try:
        restored = writer.restore(ctx.roster, int(number), ctx.actor)
    except Revision.DoesNotExist:
        raise Http404("There is no such revision.") from None
    if restored:
        messages.success(ctx.request, f"Restored revision {number}.")
    else:
        messages.info(ctx.request, f"The roster already is as it was at revision {number}.")
    return ctx.redirect()


@roster_view(READ, "GET")
def shared_history(ctx: RosterContext) -> HttpResponse:
    """The revisions for those who only read: numbers and times."""
    request, roster = ctx.request, ctx.roster
    context = page_of(request, roster, False) | {"roster": roster, "editable": ctx.editable}
    return no_index(render(request, "sharing/history.html", context | {"system": registry.SYSTEMS[roster.system]}))


def no_index(response: HttpResponse) -> HttpResponse:
    """Not for search engines: the live page is."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


# ---------------------------------------------------------------- one revision


@roster_view(READ, "GET")
def fixed_version_page(ctx: RosterContext, number: int) -> HttpResponse:
    """A revision as it was appraised in its day; those who may edit see all of it, or what others see."""
    request, roster, editable = ctx.request, ctx.roster, ctx.editable
    token = roster.token
    whole = editable and request.GET.get("others") != "1"
    found = snapshots.view_revision(roster, number, whole)
    context = {
        "roster": roster,
        "editable": editable,
        "whole": whole,
        "frozen": found,
        "revision": history_entry(found.revision, roster.revision, False),
        "sheet": roster_page.roster_page(found.state, receipt_parameter(request)),
        "chat": None if whole else chat_preview(request, reverse("frozen", args=[token, number]), found.state),
    }
    return no_index(render(request, "sharing/frozen.html", context))


@roster_view(READ, "GET")
def fixed_version_json(ctx: RosterContext, number: int) -> JsonResponse:
    """The document of a revision, as others see it."""
    roster = ctx.roster
    state = snapshots.state_at(roster, number, False)
    at = snapshots.get_revision(roster, number).at
    data = documents.write(edits.replace_fields(state.document, changed=at.isoformat()))
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})


# ---------------------------------------------------------------- side by side


class ComparedRoster(NamedTuple):
    """One side of a comparison: a roster at a revision, or as it stands now (None), as the visitor may see it."""

    roster: Roster
    number: int | None
    state: RosterState

    @property
    def name(self) -> str:
        return self.state.document.name

    @property
    def system(self) -> registry.System:
        return registry.SYSTEMS[self.roster.system]

    @property
    def when(self) -> str:
        return "as it is now" if self.number is None else f"revision {self.number}"

    @property
    def address(self) -> str:
        if self.number is None:
            return reverse("shared", args=[self.roster.token])
        return reverse("frozen", args=[self.roster.token, self.number])

    @property
    def word(self) -> str:
        """What names this side in the address of a comparison."""
        return self.roster.token if self.number is None else f"{self.roster.token}/r{self.number}"


NAMED = r"([A-Za-z0-9_-]{1,40})(?:/r([0-9]{1,9}))?"
"""A token, and a revision if there is one."""


def place_of(field: str, word: str, token: str) -> tuple[str, int | None]:
    """The token and the revision that a word names: "r5" of ``token``, a token, or an address. Raises BadRequest."""
    own = re.fullmatch(r"r([0-9]{1,9})", word)
    if own:
        return token, int(own[1])
    named = re.search(rf"/[sre]/{NAMED}(?=$|[/.?#])", word) or re.fullmatch(NAMED, word)
    if named is None:
        raise BadRequest(f"{field}: “{word[:60]}” is neither a revision such as r5 nor the address of a roster.")
    return named[1], int(named[2]) if named[2] else None


def compared_roster(request: HttpRequest, field: str, token: str) -> ComparedRoster | None:
    """The side that a field of the address names, whole for those who may edit it. Raises BadRequest and Http404."""
    word = request.GET.get(field, "").strip()
    if not word:
        return None
    there, number = place_of(field, word, token)
    roster, editable = permissions.roster_for(request, there)
    return ComparedRoster(roster, number, snapshots.state_at(roster, number, editable))


@roster_view(READ, "GET")
def compare(ctx: RosterContext) -> HttpResponse:
    """This roster, now or at a revision, beside another revision or another roster of the same game."""
    request, roster, editable = ctx.request, ctx.roster, ctx.editable
    token = roster.token
    left = compared_roster(request, "from", token) or ComparedRoster(
        roster, None, snapshots.state_at(roster, None, editable)
    )
    right = compared_roster(request, "with", token)
    context = {"roster": roster, "editable": editable, "left": left, "right": right, "system": left.system}
    if right is not None and right.system is left.system:
        context |= comparison(left, right, request.GET.get("only") == "1")
    elif right is None:
        context["mine"] = (
            permissions.my_rosters(request).filter(system=roster.system).exclude(pk=roster.pk)[:MAX_OFFERED]
        )
    return no_index(render(request, "sharing/compare.html", context))


def comparison(left: ComparedRoster, right: ComparedRoster, only: bool) -> dict[str, Any]:
    """What differs in words, and every row, or ``only`` those that differ."""
    pairs = snapshots.side_by_side(left.state, right.state)
    words = left.system.rules.WORDS
    unpriced = any(side.state.appraisal.points is None for side in (left, right))
    return {
        "sides": (left, right),
        "changes": snapshots.changes_between(left.state, right.state),
        "groups": [*groups_of(pair for pair in pairs if pair.differs or not only)],
        "only": only,
        "words": words,
        "points_hidden": bool(words.points) and unpriced,
    }


class Half(NamedTuple):
    """One side of a row as shown; ``there`` is False where there is no such thing on that side."""

    there: bool
    description: str
    quantity: int | None
    points: dict[str, str] | None


class Row(NamedTuple):
    """A row of the comparison as shown."""

    kind: str
    name: str
    left: Half
    right: Half
    differs: bool


def half(cell: Cell) -> Half:
    return Half(
        cell != ABSENT,
        cell.description,
        cell.quantity,
        roster_page.points(cell.points) if format_amount(cell.points) else None,
    )


def groups_of(pairs: Iterator[ComparedRow]) -> Iterator[tuple[str, list[Row]]]:
    """Rows by formation, "" for those of the whole roster."""
    for formation, found in groupby(pairs, key=lambda pair: pair.formation):
        yield formation, [Row(p.kind, p.element, half(p.left), half(p.right), p.differs) for p in found]
