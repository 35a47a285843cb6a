"""At the table: marks on a roster's models, the turn, and what the marks bring about."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from rosters.core import edits, play
from rosters.core.appraisals import terms_of
from rosters.core.documents import Element
from rosters.core.play import Track
from rosters.store import writer
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.permissions import EDIT

MAX_MODELS = 600
"""Models that the page shows boxes for; a larger force is marked on paper."""


class Box(NamedTuple):
    """A box to tap."""

    tap: str
    label: str
    marked: bool
    breaks: bool


class Boxes(NamedTuple):
    """A track of one model."""

    label: str
    boxes: list[Box]
    left: int


class Model(NamedTuple):
    """A model with its tracks."""

    name: str
    tracks: list[Boxes]


def boxes_of(element: Element, model: int, track: Track, toggle_mark: Any) -> Boxes:
    marked = play.marked_boxes(track, toggle_mark)
    boxes = [
        Box(f"{element.id} {model} {track.key} {number}", label, marked[number], number + 1 == track.bar)
        for number, label in enumerate(track.boxes)
    ]
    return Boxes(track.label, boxes, marked.count(False))


def models_of(ctx: RosterContext, element: Element) -> Iterator[Model]:
    """The models of an element that have boxes."""
    tracks = ctx.system.play.tracks(element, terms_of(ctx.document))
    for number, toggle_mark in enumerate(play.marks_of(element)):
        name = f"{element.name} {number + 1}" if element.quantity > 1 else element.name
        yield Model(name, [boxes_of(element, number, track, toggle_mark) for track in tracks if track.boxes])


def groups_of(ctx: RosterContext) -> tuple[list[dict[str, Any]], int]:
    """Formations with the models that are shown, and how many are not."""
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
    """Boxes to tap, on a phone at the table. Each tap is saved."""
    if ctx.request.method == "POST":
        return toggle_mark(ctx, ctx.request.POST)
    return ctx.render("play/play.html", context_of(ctx))


def context_of(ctx: RosterContext) -> dict[str, Any]:
    groups, hidden = groups_of(ctx)
    alerts = ctx.system.play.alerts(ctx.document, terms_of(ctx.document))
    tracks = [track for group in groups for row in group["rows"] for model in row["models"] for track in model.tracks]
    barred = any(box.breaks for track in tracks for box in track.boxes)
    return {"groups": groups, "hidden": hidden, "alerts": list(alerts), "barred": barred}


def toggle_mark(ctx: RosterContext, sent: QueryDict) -> HttpResponse:
    """Do what was tapped: a box, the turn, or everything cleared."""
    if "tap" in sent:
        tap(ctx, sent.get("tap", ""))
    elif sent.get("do") == "clear":
        ctx.apply(clear_all, "Cleared all marks")
        writer.set_turn(ctx.roster, 0)
    elif sent.get("do") in ("next-turn", "last-turn"):
        writer.set_turn(ctx.roster, ctx.roster.turn + (1 if sent["do"] == "next-turn" else -1))
    else:
        raise Http404("There is no such action.")
    return redirect(reverse("marks", args=[ctx.roster.token]))


def tap(ctx: RosterContext, word: str) -> None:
    """Mark or open one box, given as element, model, track and number. A box that is gone is told."""
    uid, *place = word.split(" ")
    try:
        model, key, number = int(place[0]), place[1], int(place[2])
    except (IndexError, ValueError):
        raise Http404("There is no such box.") from None

    def edit(document: Any) -> Any:
        _, element = edits.find_element(document, uid)
        tracks = ctx.system.play.tracks(element, terms_of(document))
        track = next((track for track in tracks if track.key == key), None)
        if track is None or not (0 <= model < element.quantity and 0 <= number < len(track.boxes)):
            raise edits.ElementNotFound
        return edits.put_element(play.toggle_box(element, model, track, number))(document)

    ctx.apply(edit, "Marked at the table", notify=False)


def clear_all(document: Any) -> Any:
    """Every element as it was before the battle."""
    formations = tuple(
        edits.replace_fields(formation, elements=tuple(play.reset_damage(element) for element in formation.elements))
        for formation in document.formations
    )
    return edits.replace_fields(document, formations=formations)
