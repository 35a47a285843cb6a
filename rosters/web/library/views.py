"""My rosters, actions on the selected ones, and the bin."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from rosters.models import MAX_TAGS, Roster, join_tags, split_tags
from rosters.store import access, writer
from rosters.web.battles import service as battles
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import OWNER, public_view, visitor_of
from rosters.web.http.queries import PaginationForm, cleaned_query
from rosters.web.library import queries
from rosters.web.library.forms import BulkActionForm, DeletePermanentlyForm, RosterFilterForm
from rosters.web.library.queries import count_rosters_text, my_rosters_with_bin, own_summary, with_systems
from rosters.web.library.selection import SelectedRostersForm
from rosters.web.library.strips import content_strips, counters_of

MAX_BATTLES = 10
"""Battles listed below the rosters; the page of battles lists more."""
MAX_LISTED = 100
"""Names listed before a permanent deletion."""
UNDO_DELETE = "undo-delete"
"""The tag of a message that offers to restore rosters from the bin; their tokens follow it, separated by spaces.

`templates/_messages.html` sends them back as one field, which `SelectedRostersField` splits.
"""


# ---------------------------------------------------------------- my rosters


@never_cache
@public_view("GET", "POST")
def mine(request: HttpRequest) -> HttpResponse:
    """This browser's and this account's rosters, filtered by the query string."""
    return redirect_outdated(request, _same_filters(request)) if request.method == "POST" else _my_rosters_page(request)


def _same_filters(request: HttpRequest) -> str:
    query = request.GET.urlencode()
    return reverse("mine") + (f"?{query}" if query else "")


def _my_rosters_page(request: HttpRequest, form: BulkActionForm | None = None) -> HttpResponse:
    """The page of My rosters, with the form of an action if that is invalid."""
    rosters = my_rosters_with_bin(request)
    counts, active = queries.count_rosters(rosters), rosters.filter(binned=None)
    filters = RosterFilterForm(request.GET, auto_id="filter_%s")
    filters.is_valid()
    filters.offer(counts)
    bulk_form = form or BulkActionForm(active)
    paginator = Paginator(queries.apply_filter(active, filters.cleaned_data), queries.PAGE)
    if not filters.is_filtering:
        paginator.count = counts.active - counts.archived
    page = paginator.get_page(filters.cleaned_data["page"])
    selected, strips = bulk_form.selected_tokens, content_strips(page)
    context = {
        "filters": filters,
        "page": page,
        "rows": [(own_summary(roster, strips[roster.pk]), roster.token in selected) for roster in page],
        "counters": counters_of(strips.values()),
        "links": FilterLinks(_filter_link(request, "folder"), _filter_link(request, "tag")),
        "counts": counts,
        "bulk_form": bulk_form,
        "query": request.GET.urlencode(),
        "account": permissions.account_of(request),
        "battles": battles.battle_summaries(permissions.my_battles(request), MAX_BATTLES, visitor_of(request)),
    }
    return render(request, "library/mine.html", context, status=422 if form else 200)


class FilterLinks(NamedTuple):
    """The addresses of the page with another folder or tag, which follows them."""

    folder: str
    tag: str


def _filter_link(request: HttpRequest, name: str) -> str:
    query = request.GET.copy()
    for each in ("page", name):
        query.pop(each, None)
    query[name] = ""
    return f"{reverse('mine')}?{query.urlencode()}"


# ---------------------------------------------------------------- actions on the selected rosters


def bulk_view(**form_options: bool) -> Callable[[Callable[..., None]], Any]:
    """A view of POST that acts on the selected rosters, then shows the same page again.

    The action takes the request, the rosters and the cleaned data of the form. It gets the visitor's own alone.
    """

    def decorate(action: Callable[..., None]) -> Any:
        @never_cache
        @public_view("POST")
        @wraps(action)
        def view(request: HttpRequest) -> HttpResponse:
            active = my_rosters_with_bin(request).filter(binned=None)
            form = BulkActionForm(active, request.POST, **form_options)
            if not form.is_valid():
                return _my_rosters_page(request, form)
            rosters = [roster for roster in form.cleaned_data["pick"] if roster.own]
            if len(rosters) < len(form.cleaned_data["pick"]):
                text = _(
                    "Only its owner can move, tag, archive or delete a roster. Rosters of others were not changed."
                )
                messages.warning(request, text)
            try:
                if rosters:
                    action(request, rosters, form.cleaned_data)
            except ValidationError as error:
                form.add_error("tags", error)
                return _my_rosters_page(request, form)
            return redirect(_same_filters(request))

        return view

    return decorate


def pks_of(rosters: list[Any]) -> list[int]:
    """The primary keys of rosters."""
    return [roster.pk for roster in rosters]


def _move(request: HttpRequest, rosters: list[Any], folder: str) -> None:
    writer.update_rosters(pks_of(rosters), visitor_of(request), folder=folder)
    text = _("Moved %(rosters)s to “%(folder)s”.") if folder else _("Removed %(rosters)s from their folders.")
    messages.success(request, text % {"rosters": count_rosters_text(len(rosters)), "folder": folder})


def _write_tags(request: HttpRequest, rosters: list[Any], change: Callable[[list[str]], list[str]]) -> None:
    """Write each roster's changed tags, equal ones at once. They are read under the lock: others may add some too.

    Raises ValidationError if the tags of a roster together become too long.
    """
    groups: dict[str, list[int]] = {}
    with transaction.atomic():
        for roster in access.lock_as_owner(Roster.objects.filter(pk__in=pks_of(rosters)), visitor_of(request)):
            text = join_tags(change(roster.tag_list))
            if len(text) > max(MAX_TAGS, len(roster.tags)):
                raise ValidationError(_too_many_tags(roster))
            groups.setdefault(text, []).append(roster.pk)
        for text, pks in groups.items():
            writer.update_rosters(pks, visitor_of(request), tags=text)


def _too_many_tags(roster: Roster) -> str:
    text = ngettext(
        "“%(roster)s” would have more than %(number)d character of tags.",
        "“%(roster)s” would have more than %(number)d characters of tags.",
        MAX_TAGS,
    )
    return text % {"roster": roster.name, "number": MAX_TAGS}


def _tag(request: HttpRequest, rosters: list[Any], tags: str) -> None:
    added = split_tags(tags)
    _write_tags(request, rosters, lambda present: [*dict.fromkeys([*present, *added])])
    words = {"tags": tags, "rosters": count_rosters_text(len(rosters))}
    messages.success(request, _("Added “%(tags)s” to %(rosters)s.") % words)


@bulk_view()
def move_and_tag(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Submit by Enter: move and tag, as far as the fields are filled in."""
    if cleaned_data["tags"]:
        _tag(request, rosters, cleaned_data["tags"])
    if cleaned_data["folder"] or not cleaned_data["tags"]:
        _move(request, rosters, cleaned_data["folder"])


@bulk_view()
def move_to_folder(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Move to a folder, or out of any."""
    _move(request, rosters, cleaned_data["folder"])


@bulk_view(tags_required=True)
def add_tags(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Add the tags to each roster."""
    _tag(request, rosters, cleaned_data["tags"])


@bulk_view(tags_required=True)
def remove_tags(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Remove the tags from each roster."""
    removed = set(split_tags(cleaned_data["tags"]))
    _write_tags(request, rosters, lambda present: [tag for tag in present if tag not in removed])
    words = {"tags": cleaned_data["tags"], "rosters": count_rosters_text(len(rosters))}
    messages.success(request, _("Removed “%(tags)s” from %(rosters)s.") % words)


@bulk_view()
def archive(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Archive the selected rosters: they are listed only by the filter “Archived”."""
    writer.update_rosters(pks_of(rosters), visitor_of(request), archived=True)
    messages.success(request, _("Archived %(rosters)s.") % {"rosters": count_rosters_text(len(rosters))})


@bulk_view()
def unarchive(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Take them out of the archive."""
    writer.update_rosters(pks_of(rosters), visitor_of(request), archived=False)
    messages.success(request, _("Unarchived %(rosters)s.") % {"rosters": count_rosters_text(len(rosters))})


@bulk_view()
def delete_selected(request: HttpRequest, rosters: list[Any], cleaned_data: dict[str, Any]) -> None:
    """Move them to the bin."""
    writer.update_rosters(pks_of(rosters), visitor_of(request), binned=timezone.now())
    add_deleted_message(request, count_rosters_text(len(rosters)), [roster.token for roster in rosters])


# ---------------------------------------------------------------- deleting, and the bin


def add_deleted_message(request: HttpRequest, what: str, tokens: list[str]) -> None:
    """Add a message for the next page with the deleted rosters, and a button to undo it."""
    messages.success(request, _("Deleted %(what)s.") % {"what": what}, extra_tags=" ".join([UNDO_DELETE, *tokens]))


@roster_view(OWNER, "POST", binned=True)
def delete(ctx: RosterContext) -> HttpResponse:
    """Move a roster to the bin."""
    if ctx.roster.binned is None:  # a second press must not change when it was deleted
        writer.move_to_bin(ctx.roster, ctx.visitor)
    add_deleted_message(ctx.request, f"“{ctx.roster.name}”", [ctx.roster.token])
    return redirect("mine")


def _binned(request: HttpRequest) -> Any:
    return my_rosters_with_bin(request).exclude(binned=None)


@never_cache
@public_view("GET", "POST")
def bin_page(request: HttpRequest) -> HttpResponse:
    """The deleted rosters that can still be restored."""
    return redirect_outdated(request, "bin") if request.method == "POST" else _bin_page(request)


def _bin_page(request: HttpRequest, form: SelectedRostersForm | None = None) -> HttpResponse:
    rosters = _binned(request).order_by("-binned", "-changed", "-pk")
    page = Paginator(rosters, queries.PAGE).get_page(cleaned_query(PaginationForm(request.GET))["page"])
    rows = [(roster, system, roster.binned + writer.BIN_DAYS) for roster, system in with_systems(page)]
    context = {"page": page, "rows": rows, "days": writer.BIN_DAYS.days, "form": form or SelectedRostersForm(rosters)}
    return render(request, "library/bin.html", context, status=422 if form else 200)


@never_cache
@public_view("POST")
def restore_from_bin(request: HttpRequest) -> HttpResponse:
    """Take the selected rosters out of the bin."""
    form = SelectedRostersForm(_binned(request), request.POST)
    if not form.is_valid():
        return _bin_page(request, form)
    _move_out_of_bin(request, form.cleaned_data["pick"])
    return redirect("bin")


def _move_out_of_bin(request: HttpRequest, rosters: list[Any]) -> None:
    writer.update_rosters(pks_of(rosters), visitor_of(request), binned=None)
    if rosters:
        messages.success(request, _("Restored %(rosters)s.") % {"rosters": count_rosters_text(len(rosters))})


@never_cache
@public_view("POST")
def undo_delete(request: HttpRequest) -> HttpResponse:
    """Restore the rosters that were just deleted, and redirect to them."""
    form = SelectedRostersForm(_binned(request), request.POST, required=False)
    rosters = form.cleaned_data["pick"] if form.is_valid() else []
    _move_out_of_bin(request, rosters)
    return redirect("roster", rosters[0].token) if len(rosters) == 1 else redirect("mine")


@never_cache
@public_view("POST")
def delete_permanently(request: HttpRequest) -> HttpResponse:
    """Delete the selected rosters permanently, once that is confirmed."""
    form = DeletePermanentlyForm(_binned(request), request.POST)
    if not form.is_valid():
        return _bin_page(request, form)
    rosters = form.cleaned_data["pick"]
    if form.cleaned_data["confirmed"]:
        return _deleted(request, pks_of(rosters))
    context = {"rows": with_systems(rosters), "number": len(rosters), "action": reverse("bin-delete")}
    return render(request, "library/delete_permanently.html", context | {"send_tokens": True})


@never_cache
@public_view("GET", "POST")
def empty_bin(request: HttpRequest) -> HttpResponse:
    """Delete the visitor's own rosters in the bin permanently; a GET asks first."""
    binned = _binned(request)
    if request.method == "POST":
        return _deleted(request, [*binned.values_list("pk", flat=True)])
    number = binned.count()
    if not number:
        return redirect("bin")
    rows = with_systems(binned[:MAX_LISTED])
    context = {"rows": rows, "number": number, "more": number - len(rows), "action": reverse("bin-empty")}
    return render(request, "library/delete_permanently.html", context)


def _deleted(request: HttpRequest, pks: list[int]) -> HttpResponse:
    binned = Roster.objects.filter(pk__in=pks, binned__isnull=False)
    number = writer.delete_permanently(binned, visitor_of(request)) if pks else 0
    if number:
        messages.success(request, _("Deleted %(rosters)s permanently.") % {"rosters": count_rosters_text(number)})
    return redirect("bin")
