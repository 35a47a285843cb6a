"""The play page: damage of a roster's models, the turn, and what the damage brings about."""

from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rosters.core import edits
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument
from rosters.core.play import Track, count_models, marked_boxes, model_key, with_damage
from rosters.store import play
from rosters.store.play import Tap
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, OWNER, Permission, View
from rosters.web.play.forms import BoxAddress, BoxForm, PlaceForm, TurnForm

PAGE_SIZE = 100
"""Models that the page shows; the others are folded, each formation with a link to them."""


class Box(NamedTuple):
    """A box to tap: its label, and what the button sends, which is what shall be."""

    label: str
    marked: bool
    breaks: bool
    sends: str


class Model(NamedTuple):
    """A model of an element with its tracks and their marked boxes. A small value, so that its row can be cached."""

    name: str
    element: str
    number: int
    tracks: tuple[tuple[Track, tuple[bool, ...]], ...]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each track as it is drawn; ``flag`` says that its one box means that the model is destroyed."""
        for track, marked in self.tracks:
            boxes = [self._box(track, marked, number) for number in range(len(marked))]
            yield {"label": track.label, "boxes": boxes, "left": marked.count(False), "flag": track.kind == "flag"}

    def _box(self, track: Track, marked: tuple[bool, ...], number: int) -> Box:
        """Pressing a marked box clears it; in a count that goes on after it, what comes after it."""
        cleared = number + 1 if track.kind == "count" and any(marked[number + 1 :]) else number
        target = BoxAddress(self.element, self.number, track.key, cleared if marked[number] else number)
        label, breaks = track.boxes[number], number + 1 == track.bar
        return Box(label, marked[number], breaks, f"{target} {int(not marked[number])}")


class Section(NamedTuple):
    """A formation: the models that are shown, and the first number and the count of those behind each link."""

    name: str
    models: list[Model]
    folds: tuple[tuple[int, int], ...]


def sections_of(ctx: RosterContext, document: AnyDocument, offset: int) -> Iterator[Section]:
    """Each formation with those of its models that are among PAGE_SIZE from ``offset`` on, counted over the roster."""
    first, terms = 0, terms_of(document)
    for formation in document.formations:
        end = first + count_models(formation)
        start, stop = sorted((first, offset, end))[1], sorted((first, offset + PAGE_SIZE, end))[1]
        models, place = [], first
        for element in formation.elements if start < stop else ():
            numbers = range(max(start - place, 0), min(stop - place, element.quantity))
            tracks = [track for track in ctx.system.play.tracks(element, terms) if track.boxes] if numbers else []
            for number in numbers if tracks else ():
                name = f"{element.name} {number + 1}" if element.quantity > 1 else element.name
                mark = element.marks[number] if number < len(element.marks) else None
                marked = tuple((track, marked_boxes(track, mark)) for track in tracks)
                models.append(Model(name, str(element.id), number, marked))
            place += element.quantity
        parts = [(first, start), (stop, end)] if start < stop else [(first, end)]
        places = ((place, last) for begin, last in parts for place in range(begin, last, PAGE_SIZE))
        folds = tuple((place, min(PAGE_SIZE, last - place)) for place, last in places)
        yield Section(formation.name, models, folds)
        first = end


# ---------------------------------------------------------------- the page


@roster_view(EDIT, "GET", "POST")
def play_page(ctx: RosterContext) -> HttpResponse:
    """Boxes to tap on a phone; each tap is saved. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "play", ctx.roster.token)
    return page_of(ctx, first_model(ctx.request.GET))


def first_model(query: QueryDict) -> int:
    """The number of the first model that the page shows."""
    form = PlaceForm(query)
    return form.cleaned_data["start"] or 0 if form.is_valid() else 0


def page_of(ctx: RosterContext, offset: int) -> HttpResponse:
    current = play.play_of(ctx.roster)
    document = with_damage(ctx.document, current.damage)
    sections = [*sections_of(ctx, document, offset)]
    tracks = [track for section in sections for model in section.models for track, _marked in model.tracks]
    context = {
        "play": current,
        "previous_turn": current.turn - 1,
        "next_turn": current.turn + 1,
        "sections": sections,
        "alerts": [*ctx.system.play.alerts(document, terms_of(document))],
        "barred": any(track.bar for track in tracks),
        "start": offset,
        "request_id": uuid4().hex,
    }
    return ctx.render("play/play.html", context)


# ---------------------------------------------------------------- its buttons


def play_action(view: Callable[[RosterContext, str], None], permission: Permission = EDIT) -> View:
    """A view behind a button: it is given the id of the request, and the play page follows, at the same models.

    The script is sent the page at once: a second request might be lost in a bad network. A page of an older release
    sends no id, and toggled boxes.
    """

    @roster_view(permission, "POST")
    @wraps(view)
    def action(ctx: RosterContext) -> HttpResponse:
        if "request_id" not in ctx.request.POST:
            return redirect_outdated(ctx.request, "play", ctx.roster.token)
        try:
            view(ctx, ctx.request_key)
        except edits.ElementNotFound:
            messages.error(ctx.request, _("That is no longer in the roster: it was changed elsewhere."))
        offset = first_model(ctx.request.POST)
        if ctx.request.htmx:  # type: ignore[attr-defined]
            return page_of(ctx, offset)
        return redirect(reverse("play", args=[ctx.roster.token]) + (f"?start={offset}" if offset else ""))

    return action


@play_action
def set_box(ctx: RosterContext, request: str) -> None:
    """Mark or clear a box."""
    form = BoxForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such box.")
    address: BoxAddress = form.cleaned_data["address"]
    element = edits.find_element(ctx.document, address.element)[1]
    tracks = ctx.system.play.tracks(element, terms_of(ctx.document))
    track = next((track for track in tracks if track.key == address.track), None)
    if track is None or address.model >= element.quantity or address.box >= len(track.boxes):
        raise edits.ElementNotFound
    model = model_key(address.element, address.model)
    play.set_box(ctx.roster, request, Tap(model, track, address.box, form.cleaned_data["marked"]), ctx.visitor)


@play_action
def change_turn(ctx: RosterContext, request: str) -> None:
    """Set the turn, unless somebody else has changed it since the page was drawn."""
    form = TurnForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such turn.")
    turn, shown = form.cleaned_data["turn"], form.cleaned_data["shown_turn"]
    now = play.set_turn(ctx.roster, request, turn, shown, ctx.visitor)
    if now != turn:
        messages.warning(ctx.request, _("Turn %(turn)d already.") % {"turn": now})


@play_action
def reset_damage(ctx: RosterContext, request: str) -> None:
    """Clear the damage of every element, and start again before the first turn."""
    play.reset(ctx.roster, request, ctx.visitor)


@play_action
def undo(ctx: RosterContext, request: str) -> None:
    """Undo the latest change in play."""
    play.undo(ctx.roster, request, ctx.visitor)


@partial(play_action, permission=OWNER)
def show_damage(ctx: RosterContext, request: str) -> None:
    """Show the damage to others, or hide it."""
    play.show_damage(ctx.roster, ctx.request.POST.get("show") == "1", ctx.visitor)
