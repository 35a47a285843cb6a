"""The play page: damage of a roster's models, the turn, and what the damage brings about."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from rosters.core import edits, play
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument, Element
from rosters.core.messages import _
from rosters.core.play import Track
from rosters.core.values import Mark
from rosters.store import writer
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT
from rosters.web.play.forms import BoxAddress, BoxForm, TurnForm

MAX_MODELS = 600
"""Models whose boxes the page shows; damage of a larger roster is recorded on paper."""


class Box(NamedTuple):
    """A box to tap."""

    address: BoxAddress
    label: str
    marked: bool
    breaks: bool


class Boxes(NamedTuple):
    """A track of one model; ``flag`` says that its one box means that the model is destroyed."""

    label: str
    boxes: tuple[Box, ...]
    left: int
    flag: bool


class Model(NamedTuple):
    """A model with its tracks. A value, so that its rendered boxes can be cached."""

    name: str
    tracks: tuple[Boxes, ...]


def boxes_of(element: Element, model: int, track: Track, mark: Mark | None) -> Boxes:
    """A track of one model with its marks."""
    marked = play.marked_boxes(track, mark)
    boxes = tuple(
        Box(BoxAddress(str(element.id), model, track.key, number), label, marked[number], number + 1 == track.bar)
        for number, label in enumerate(track.boxes)
    )
    return Boxes(track.label, boxes, marked.count(False), track.kind == "flag")


def models_of(ctx: RosterContext, element: Element) -> Iterator[Model]:
    """The models of an element with the tracks that have boxes."""
    tracks = ctx.system.play.tracks(element, terms_of(ctx.document))
    for number, mark in enumerate(play.marks_of(element)):
        name = f"{element.name} {number + 1}" if element.quantity > 1 else element.name
        yield Model(name, tuple(boxes_of(element, number, track, mark) for track in tracks if track.boxes))


def groups_of(ctx: RosterContext) -> tuple[list[dict[str, Any]], int]:
    """Each formation with the models that the page shows, and how many models it leaves out."""
    groups, left, hidden = [], MAX_MODELS, 0
    for formation in ctx.document.formations:
        rows = []
        for element in formation.elements:
            if element.quantity > left:
                hidden += element.quantity
                continue
            models = [model for model in models_of(ctx, element) if model.tracks]
            left -= len(models)
            rows += [{"element": element, "models": models}] if models else []
        groups.append({"formation": formation, "rows": rows})
    return groups, hidden


@roster_view(EDIT, "GET", "POST")
def play_page(ctx: RosterContext) -> HttpResponse:
    """Boxes to tap on a phone; each tap is saved. POST answers forms of an older release."""
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "play", ctx.roster.token)
    groups, hidden = groups_of(ctx)
    alerts = ctx.system.play.alerts(ctx.document, terms_of(ctx.document))
    tracks = [track for group in groups for row in group["rows"] for model in row["models"] for track in model.tracks]
    barred = any(box.breaks for track in tracks for box in track.boxes)
    context = {"groups": groups, "hidden": hidden, "alerts": list(alerts), "barred": barred}
    return ctx.render("play/play.html", context)


@roster_view(EDIT, "POST")
def toggle_box(ctx: RosterContext) -> HttpResponse:
    """Mark a box, or clear one that is marked."""
    form = BoxForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such box.")
    ctx.apply(toggle_edit(ctx, form.cleaned_data["box"]), _("Recorded damage"), notify=False)
    return redirect("play", ctx.roster.token)


def toggle_edit(ctx: RosterContext, address: BoxAddress) -> edits.Edit:
    """The edit that toggles a box. It raises ElementNotFound where the roster has no such box (any more)."""

    def edit(document: AnyDocument) -> AnyDocument:
        _, element = edits.find_element(document, address.element)
        tracks = ctx.system.play.tracks(element, terms_of(document))
        track = next((track for track in tracks if track.key == address.track), None)
        if track is None or address.model >= element.quantity or address.box >= len(track.boxes):
            raise edits.ElementNotFound
        return edits.replace_element(play.toggle_box(element, address.model, track, address.box))(document)

    return edit


@roster_view(EDIT, "POST")
def change_turn(ctx: RosterContext) -> HttpResponse:
    """Count the turn up or down."""
    form = TurnForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such turn.")
    writer.set_turn(ctx.roster, ctx.roster.turn + form.cleaned_data["step"])
    return redirect("play", ctx.roster.token)


@roster_view(EDIT, "POST")
def reset_damage(ctx: RosterContext) -> HttpResponse:
    """Clear the damage of every element, and start again before the first turn."""
    ctx.apply(without_damage, _("Reset damage"))
    writer.set_turn(ctx.roster, 0)
    return redirect("play", ctx.roster.token)


def without_damage(document: AnyDocument) -> AnyDocument:
    """The document with every element undamaged."""
    formations = tuple(
        edits.replace_fields(formation, elements=tuple(play.reset_damage(element) for element in formation.elements))
        for formation in document.formations
    )
    return edits.replace_fields(document, formations=formations)
