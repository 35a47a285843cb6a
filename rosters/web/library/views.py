"""My rosters: the shelf, what is done with the ticked ones, and the bin."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from rosters.models import Roster
from rosters.store import writer
from rosters.web.battles import service as battles
from rosters.web.context import RosterContext, roster_view
from rosters.web.http import permissions
from rosters.web.http.errors import error_page
from rosters.web.http.permissions import EDIT, public_view
from rosters.web.library import queries as shelf
from rosters.web.library.queries import RosterSummary

MOST_BATTLES = 10
"""Battles that are listed below the shelf; the page of battles lists more."""
UNDO_DELETE = "undo-delete"
"""The tag of a message that offers to take rosters out of the bin; their tokens follow it."""


# ---------------------------------------------------------------- the shelf


@public_view("GET", "POST")
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """This browser's and this account's rosters; what to show stands in the address."""
    lines = shelf.roster_summaries(request)
    if request.method == "POST":
        return apply_action(request, lines)
    asked, kept = shelf.parse_filter(request.GET), [line for line in lines if not line.binned]
    page = Paginator(shelf.apply_filter(kept, asked), shelf.PAGE).get_page(request.GET.get("page"))
    context = {
        "asked": asked,
        "page": page,
        "rows": shelf.roster_rows(list(page)),
        "choices": shelf.choices(kept),
        "sorts": [(name, label) for name, (label, _) in shelf.SORTS.items()],
        "archive": shelf.ARCHIVE.items(),
        "kept": len(kept),
        "binned": len(lines) - len(kept),
        "account": permissions.account_of(request),
        "claimable": claimable(request, kept),
        "battles": battles.battle_summaries(permissions.my_battles(request), MOST_BATTLES),
    }
    return render(request, "library/mine.html", context)


def claimable(request: HttpRequest, lines: Iterable[RosterSummary]) -> int:
    """How many rosters the account that is signed in could claim."""
    return len([line for line in lines if line.claimable]) if permissions.account_of(request) is not None else 0


# ---------------------------------------------------------------- what is done with the ticked ones


class Selection(NamedTuple):
    """The lines that are ticked, and what was typed beside the buttons."""

    request: HttpRequest
    lines: list[RosterSummary]
    folder: str
    tags: list[str]

    def keys(self) -> list[int]:
        return [line.pk for line in self.lines]

    def counted(self) -> str:
        return count_noun(len(self.lines))


def apply_action(request: HttpRequest, lines: list[RosterSummary]) -> HttpResponse:
    """Do with the ticked rosters what the pressed button says, and show the same page again."""
    verb = request.POST.get("do", "")
    if verb not in ACTIONS:
        raise Http404("There is no such action.")
    folder, tags = shelf.clean(request.POST.get("folder", "")), shelf.tags_of(request.POST.get("tags", ""))
    if len(folder) > shelf.LONGEST_FOLDER or len(", ".join(tags)) > shelf.LONGEST_TAGS:
        text = f"A folder has up to {shelf.LONGEST_FOLDER} characters, all tags of a roster up to {shelf.LONGEST_TAGS}."
        return error_page(request, 400, "That label is too long", f"{text} Nothing was changed.")
    chosen = selection(request, [line for line in lines if not line.binned])
    own = chosen if verb == "delete" else [line for line in chosen if line.own]
    if not chosen:
        messages.warning(request, "Tick the rosters first.")
    elif len(own) < len(chosen):
        text = (
            "Folders, tags and the archive are their owner's: rosters that were lent by an edit link stay as they are."
        )
        messages.warning(request, text)
    if own:
        ACTIONS[verb](Selection(request, own, folder, tags))
    query = request.GET.urlencode()
    return redirect(reverse("mine") + (f"?{query}" if query else ""))


def selection(request: HttpRequest, lines: Iterable[RosterSummary]) -> list[RosterSummary]:
    """The lines whose tokens were sent; tokens of others are as if they had not been."""
    tokens = set(" ".join(request.POST.getlist("pick")).split())
    return [line for line in lines if line.token in tokens]


def count_noun(number: int, what: str = "roster") -> str:
    """How many, in words: "3 rosters"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def put_in_folder(selection: Selection) -> None:
    """Put them in a folder, or in none."""
    writer.update_rosters(selection.keys(), folder=selection.folder)
    where = f"in “{selection.folder}”" if selection.folder else "in no folder"
    messages.success(selection.request, f"Put {selection.counted()} {where}.")


def add_tags(selection: Selection) -> None:
    """Give them the tags that were typed."""
    label(selection, shelf.with_tags, "Tagged {} with {}.")


def remove_tags(selection: Selection) -> None:
    """Take the tags that were typed off them."""
    label(selection, shelf.without_tags, "Took off {1} from {0}.")


def cleaned_tags(selection: Selection) -> None:
    """Enter, instead of a button: do what was typed."""
    if selection.folder:
        put_in_folder(selection)
    if selection.tags or not selection.folder:
        add_tags(selection)


def label(selection: Selection, change: Callable[[RosterSummary, Iterable[str]], str], told: str) -> None:
    """Write each roster's new tags, equal ones in one go; those that would be too long are told and left."""
    if not selection.tags:
        messages.warning(selection.request, "Write the tag first.")
        return
    groups: dict[str, list[int]] = {}
    for line in selection.lines:
        groups.setdefault(change(line, selection.tags), []).append(line.pk)
    long = [text for text in groups if len(text) > shelf.LONGEST_TAGS]
    for _ in long:
        messages.error(selection.request, f"All tags of a roster have up to {shelf.LONGEST_TAGS} characters.")
    done = {text: keys for text, keys in groups.items() if text not in long}
    for text, keys in done.items():
        writer.update_rosters(keys, tags=text)
    if done:
        number = len([key for keys in done.values() for key in keys])
        messages.success(
            selection.request, told.format(count_noun(number), ", ".join(f"“{tag}”" for tag in selection.tags))
        )


def archive(selection: Selection) -> None:
    """Put them away: they are not listed unless asked for."""
    writer.update_rosters(selection.keys(), archived=True)
    messages.success(selection.request, f"Archived {selection.counted()}.")


def unarchive(selection: Selection) -> None:
    """Take them back into use."""
    writer.update_rosters(selection.keys(), archived=False)
    messages.success(selection.request, f"{selection.counted()} back in use.")


def delete_selected(selection: Selection) -> None:
    """Put them in the bin."""
    writer.update_rosters(selection.keys(), binned=timezone.now())
    tell_deleted(selection.request, selection.counted(), [line.token for line in selection.lines])


def tell_deleted(request: HttpRequest, what: str, tokens: list[str]) -> None:
    """Say on the next page what was deleted, with a button that undoes it."""
    messages.success(request, f"Deleted {what}.", extra_tags=" ".join([UNDO_DELETE, *tokens]))


ACTIONS: dict[str, Callable[[Selection], None]] = {
    "label": cleaned_tags,
    "folder": put_in_folder,
    "tag": add_tags,
    "untag": remove_tags,
    "archive": archive,
    "unarchive": unarchive,
    "delete": delete_selected,
}


# ---------------------------------------------------------------- deleting, and the bin


@roster_view(EDIT, "POST", binned=True)
def delete(ctx: RosterContext) -> HttpResponse:
    """Move a roster to the bin."""
    if ctx.roster.binned is None:  # pressed twice, it was deleted once
        writer.move_to_bin(ctx.roster)
    tell_deleted(ctx.request, f"“{ctx.roster.name}”", [ctx.roster.token])
    return redirect("mine")


@public_view("GET", "POST")
@never_cache
def bin_page(request: HttpRequest) -> HttpResponse:
    """What was deleted and is still kept: take it out, or delete it for good."""
    lines = sorted((line for line in shelf.roster_summaries(request) if line.binned), key=until, reverse=True)
    if request.method == "POST":
        return apply_bin_action(request, lines)
    page = Paginator(lines, shelf.PAGE).get_page(request.GET.get("page"))
    return render(
        request, "library/bin.html", {"page": page, "rows": shelf.roster_rows(list(page)), "days": shelf.BIN_DAYS.days}
    )


def until(line: RosterSummary) -> Any:
    return line.until


def apply_bin_action(request: HttpRequest, lines: list[RosterSummary]) -> HttpResponse:
    """Take the ticked rosters out of the bin, or delete them for good once that is confirmed."""
    verb, chosen = request.POST.get("do", ""), selection(request, lines)
    if verb not in ("undo", "restore", "forever", "forever-sure"):
        raise Http404("There is no such action.")
    if verb == "undo":
        return undo_delete(request, chosen)
    if not chosen:
        messages.warning(request, "Tick the rosters first.")
    elif verb == "restore":
        writer.update_rosters([line.pk for line in chosen], binned=None)
        messages.success(request, f"{count_noun(len(chosen))} back among your rosters.")
    else:
        return delete_permanently(request, chosen, sure=verb == "forever-sure")
    return redirect("bin")


def undo_delete(request: HttpRequest, chosen: list[RosterSummary]) -> HttpResponse:
    """Take back what was deleted just now, and go where it is again."""
    writer.update_rosters([line.pk for line in chosen], binned=None)
    if len(chosen) == 1:
        messages.success(request, f"“{chosen[0].name}” is back.")
        return redirect("roster", chosen[0].token)
    if chosen:
        messages.success(request, f"{count_noun(len(chosen))} back among your rosters.")
    return redirect("mine")


def delete_permanently(request: HttpRequest, chosen: list[RosterSummary], *, sure: bool) -> HttpResponse:
    """Ask first. Only what is the visitor's own can be deleted for good; what was lent waits for its owner."""
    own = [line for line in chosen if line.own]
    if len(own) < len(chosen):
        messages.warning(request, "Only its owner can delete a roster for good. What was lent to you stays in the bin.")
    if own and not sure:
        return render(request, "library/forever.html", {"lines": own})
    if own:
        keys = [line.pk for line in own]
        number = writer.delete_permanently(Roster.objects.filter(pk__in=keys, binned__isnull=False))
        messages.success(request, f"Deleted {count_noun(number)} for good.")
    return redirect("bin")
