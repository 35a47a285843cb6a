"""The history of a roster: its fixed versions, and restoring one."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rosters.core import documents
from rosters.core.amounts import format_amount, format_change, with_minus_sign
from rosters.core.appraisals import points_difference, terms_of
from rosters.drawing.svg import Symbol
from rosters.models import Actor, Revision, Roster
from rosters.store import pairs, snapshots, writer
from rosters.store import revisions as revisions_store
from rosters.store.access import links_of
from rosters.store.play import play_of
from rosters.store.revisions import MAX_LISTED, Digest
from rosters.web import roster_page
from rosters.web.context import RosterContext, no_index, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, READ
from rosters.web.http.queries import cleaned_query
from rosters.web.sharing.cached import shared_view
from rosters.web.sharing.forms import HistoryQuery, RosterQuery
from rosters.web.sharing.link_preview import roster_tags
from rosters.web.sharing.links import version_path

# ---------------------------------------------------------------- the history


class Session(NamedTuple):
    """A session of play: its number of changes, and when it began and ended."""

    changes: int
    began: datetime
    ended: datetime


class ElementChanges(NamedTuple):
    """The number of models that a version added, removed and changed, the old and new quantity of a single element, and
    the counters of the first as they were then.
    """

    added: int
    removed: int
    changed: int
    quantity: tuple[int, int] | None
    counters: tuple[Symbol, ...]


class HistoryEntry(NamedTuple):
    """A version in the list; all fields are text, because a page renders a hundred.

    ``name`` is "r5", ``previous`` the version before it, "" for the first; ``current``: the roster is at this version.
    ``played`` are the sessions of play between this version and the next one, latest first.
    """

    number: str
    name: str
    previous: str
    iso: str
    at: str
    who: str
    summary: str
    current: bool
    played: list[Session] = []
    points: str = ""
    before: str = ""
    change: str = ""
    """The points, those of the version before, and the difference; "" where there are none, or they are hidden."""
    day: str = ""
    changes: ElementChanges | None = None


def history_entry(
    revision: Revision, latest: int, with_summary: bool, active_links: frozenset[str] | None = None
) -> HistoryEntry:
    """A row of the list. Only editors get its summary, which may name secret elements. Only the owner gets
    ``active_links``, the names of edit links, and so the link by which a change was made.
    """
    number, at = revision.number, revision.at
    who, summary = (str(revision.get_who_display()), revision.message) if with_summary else ("", "")
    if active_links is not None and revision.who == Actor.OWNER:
        who = _("you")
    elif active_links is not None and revision.link_name is not None:
        revoked = _("a revoked link: %(name)s") % {"name": revision.link_name}
        who = revision.link_name if revision.link_name in active_links else revoked
    previous = f"r{number - 1}" if number > 1 else ""
    when = date_format(at, "j M Y, H:i:s")
    name, day = f"r{number}", date_format(at, "l, j F Y")
    return HistoryEntry(str(number), name, previous, at.isoformat(), when, who, summary, number == latest, day=day)


def history_page(ctx: RosterContext, with_summary: bool) -> HttpResponse:
    """The newest versions, or those before the one that the query names."""
    before = cleaned_query(HistoryQuery(ctx.request.GET))["before"]
    end = ctx.roster.revision + 1 if before is None else before
    page = [*revisions_store.newest_before(ctx.roster.pk, end)]
    owner_sees = with_summary and ctx.is_owner
    active = frozenset(link.name for link in links_of(ctx.roster)) if owner_sees else None
    entries = [history_entry(each, ctx.roster.revision, with_summary, active) for each in page]
    if with_summary:
        entries = [*with_sessions(ctx.roster, page, entries)]
    if page and (with_summary or not ctx.roster.hide_points):
        digests = revisions_store.digests_between(ctx.roster, page[-1].number, page[0].number)
        entries = [_with_points(entry, digests) for entry in entries]
        if with_summary:
            entries = [*_with_changes(ctx, entries, digests)]
    context = {
        "counters": {counter for entry in entries if entry.changes for counter in entry.changes.counters},
        "entries": entries[:MAX_LISTED],
        "older": entries[MAX_LISTED - 1].number if len(entries) > MAX_LISTED else None,
        "newer": before is not None,
        "with_summary": with_summary,
        "address": version_path(ctx.roster),
        "versions": reverse("history" if with_summary else "shared", args=[ctx.roster.token]),
    }
    return ctx.render("sharing/history.html", context)


def _with_points(entry: HistoryEntry, digests: Mapping[int, Digest]) -> HistoryEntry:
    number = int(entry.number)
    now, before = (digests.get(each, Digest()).points for each in (number, number - 1))
    change = points_difference(before, now)
    if not change:
        return entry._replace(points=format_amount(now))
    shown = with_minus_sign(format_change(change))
    return entry._replace(points=format_amount(now), before=format_amount(before), change=shown)


def _with_changes(
    ctx: RosterContext, entries: list[HistoryEntry], digests: Mapping[int, Digest]
) -> Iterator[HistoryEntry]:
    """The entries with what they changed."""
    terms = terms_of(ctx.document)
    for entry in entries:
        digest = digests[int(entry.number)]
        counters = dict.fromkeys(roster_page.strip_counter(ctx.system, element, terms) for element in digest.elements)
        counts = (digest.added, digest.removed, digest.changed)
        yield entry._replace(changes=ElementChanges(*counts, digest.quantity, tuple(counters)))


def with_sessions(roster: Roster, page: list[Revision], entries: list[HistoryEntry]) -> Iterator[HistoryEntry]:
    """The entries of a page of revisions, each with the sessions of play that began while it was the latest one."""
    stored = reversed(play_of(roster).sessions)
    sessions = [Session(n, *map(datetime.fromisoformat, times)) for *times, n in stored]
    newer = None
    if page and page[0].number < roster.revision:
        newer = roster.revisions.filter(number=page[0].number + 1).values_list("at", flat=True).first()
    for revision, entry in zip(page, entries, strict=True):
        played = [each for each in sessions if each.began >= revision.at and (newer is None or each.began < newer)]
        newer = revision.at
        yield entry._replace(played=played)


@roster_view(EDIT, "GET", "POST")
def history(ctx: RosterContext) -> HttpResponse:
    """List every version: who, when and what; with links to open, compare or restore it."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "history", ctx.roster.token)
    return history_page(ctx, with_summary=True)


@roster_view(EDIT, "POST")
def restore(ctx: RosterContext, number: int) -> HttpResponse:
    """Restore a version, as a change that can be undone."""
    try:
        changed = writer.restore_revision(ctx.roster, number, ctx.visitor)
    except Revision.DoesNotExist:
        raise Http404("There is no such version.") from None
    if changed:
        messages.success(ctx.request, _("Restored version %(number)s.") % {"number": number})
    else:
        messages.info(ctx.request, _("The roster already matches version %(number)s.") % {"number": number})
    return ctx.redirect()


@roster_view(READ, "GET")
def shared_history(ctx: RosterContext) -> HttpResponse:
    """List numbers and times of all versions."""
    return no_index(history_page(ctx, with_summary=False))


# ---------------------------------------------------------------- fixed versions


@shared_view(*RosterQuery.base_fields)
def fixed_version_page(ctx: RosterContext, number: int) -> HttpResponse:
    """Show a version with the appraisal of its time, as others see it."""
    return _version_page(ctx, number, complete=False)


@roster_view(EDIT, "GET")
def version(ctx: RosterContext, number: int) -> HttpResponse:
    """Show a version completely."""
    return _version_page(ctx, number, complete=True)


def _version_page(ctx: RosterContext, number: int, *, complete: bool) -> HttpResponse:
    query = cleaned_query(RosterQuery(ctx.request.GET))
    fixed = snapshots.view_revision(ctx.roster, number, complete=complete)
    tags = None if complete else roster_tags(ctx.request, version_path(ctx.roster, number), fixed.state)
    context = {
        "complete": complete,
        "frozen": fixed,
        "playable": ctx.roster.sample not in pairs.design_books(),
        "revision": history_entry(fixed.revision, ctx.roster.revision, False),
        "roster_page": roster_page.build_page(fixed.state, query),
        "receipts": bool(query["receipt"]),
        "open_graph": tags,
    }
    return no_index(ctx.render("sharing/frozen.html", context))


@shared_view()
def fixed_version_json(ctx: RosterContext, number: int) -> JsonResponse:
    """Send the document of a version, as others see it."""
    state = snapshots.state_at(ctx.roster, number, complete=False, elements=False)
    at = snapshots.get_revision(ctx.roster, number).at
    data = documents.write(state.document.replace(changed=at.isoformat()))
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
