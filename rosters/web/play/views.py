"""The play page: damage of a roster's models, the turn, and the alerts that follow from damage."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rosters.core import edits
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument
from rosters.core.findings import path_to
from rosters.core.messages import join, translate
from rosters.core.play import Gauge, Track, count_losses, count_models, marked_in, model_key, with_damage
from rosters.store import play
from rosters.store.play import BoxChange
from rosters.web.context import RosterContext, roster_view
from rosters.web.http.outdated import redirect_outdated
from rosters.web.http.permissions import EDIT, OWNER, Permission, View
from rosters.web.play.cards import StatCard, box_texts, card_of, merge_equal
from rosters.web.play.forms import BoxAddress, BoxForm, TurnForm
from rosters.web.play.played import Played

PAGE_SIZE = 100
"""Models that the page shows; the others are folded, each formation with a link to them."""
UNDONE = gettext_lazy("Undone: %(change)s")


class FormationSection(NamedTuple):
    """A formation: the elements that are shown, and the first number and the count of models behind each link."""

    name: str
    gauges: list[Gauge]
    cards: list[StatCard]
    folds: tuple[tuple[int, int], ...]


def sections_of(played: Played, document: AnyDocument, offset: int, gauges: list[Gauge]) -> Iterator[FormationSection]:
    """Each formation with those of its models that are among PAGE_SIZE from ``offset`` on.

    Models are numbered over the roster, from 0.
    """
    first = 0
    for f, formation in enumerate(document.formations):
        end = first + count_models(formation)
        start = min(max(first, offset), end)
        shown = range(start, max(start, min(end, offset + PAGE_SIZE)))
        own_gauges = [gauge for gauge in gauges if gauge.where == path_to(f)]
        cards = merge_equal(_cards(played, document, f, first, shown), own_gauges) if shown else ()
        folds = (*_folds(range(first, shown.start)), *_folds(range(shown.stop, end)))
        yield FormationSection(formation.name, own_gauges, [*cards], folds)
        first = end


def _cards(played: Played, document: AnyDocument, f: int, first: int, shown: range) -> Iterator[StatCard]:
    """The cards of a formation, whose first model has the number ``first``, with the models that are ``shown``."""
    for e, element in enumerate(document.formations[f].elements):
        numbers = range(max(shown.start - first, 0), min(shown.stop - first, element.quantity))
        card = card_of(played, document, (f, e), numbers) if numbers else None
        if card and card.models:
            yield card
        first += element.quantity


def _folds(models: range) -> Iterator[tuple[int, int]]:
    """The first number and the count of the models behind each link."""
    return ((first, min(PAGE_SIZE, models.stop - first)) for first in models[::PAGE_SIZE])


# ---------------------------------------------------------------- the page


@roster_view(EDIT, "GET", "POST")
def play_page(ctx: RosterContext) -> HttpResponse:
    """Boxes to tap on a phone; each tap is saved. POST answers forms of an older release.

    The script asks now and then whether anything has changed (If-None-Match).
    """
    if ctx.request.method == "POST":
        return redirect_outdated(ctx.request, "play", ctx.roster.token)
    known, played = ctx.request.headers.get("If-None-Match"), Played(ctx)
    if known and ctx.request.htmx and known == played.version:  # type: ignore[attr-defined]
        return HttpResponse(status=304)
    return page_of(played)


def page_of(played: Played) -> HttpResponse:
    """The play page."""
    ctx, current, sides = played.ctx, played.play, played.sides
    document, rules = with_damage(played.document, played.damage), played.system.play
    gauges = [*rules.gauges(document, terms_of(document))]
    alerts = [*rules.alerts(document, terms_of(document))]
    sections = [*sections_of(played, document, played.start, gauges)]
    cards = [card for section in sections for card in section.cards]
    tracks = [track for card in cards for model in card.models[:1] for track, _marked in model.tracks]
    context = {
        "played": played,
        "shown": played.other.roster if played.other else ctx.roster,
        "seat": played.other or played.own,
        "fixed": played.other is not None,
        "play": current,
        "undone": UNDONE,
        "version": played.version,
        "counters": dict.fromkeys(card.counter for card in cards),
        "gauges": [gauge for gauge in gauges if not gauge.where] or ([] if sides else [*_losses(played)]),
        "has_steps": bool(gauges),
        "scales": rules.SCALES,
        "previous_turn": current.turn - 1,
        "next_turn": current.turn + 1,
        "sections": sections,
        "alerts": alerts,
        "lasting": len([alert for alert in alerts if alert.kind != "event"]),
        "last_turn": rules.plan([played.state]).last_turn,
        "barred": any(track.bar for track in tracks),
        "sides": [(side, side.path_from(ctx.roster)) for side in sides] if len(sides) > 1 else (),
        "is_hidden_from_players": not current.shown and any(not side.editable for side in sides),
    }
    return ctx.render("play/play.html", context)


def _losses(played: Played) -> Iterator[Gauge]:
    """The losses of a roster in a game where they bring nothing about."""
    if losses := count_losses(played.state, played.damage, played.system.play):
        yield Gauge("", "", *losses, "", ())


@roster_view(EDIT, "GET")
def reference(ctx: RosterContext) -> HttpResponse:
    """The reference panels: the turn, the rules that concern the roster, and the set-up of a battle."""
    played, rules = Played(ctx), ctx.system.play
    briefing = [*rules.briefing([played.state])]
    panels = {panel.title: panel for panel in (*rules.panels(played.document, terms_of(played.document)), *briefing)}
    context = {"panels": [*panels.values()], "scales": rules.SCALES, "set_up": briefing[0].title}
    return ctx.render("play/reference.html", context)


# ---------------------------------------------------------------- its buttons


def play_action(view: Callable[[RosterContext, str], None], permission: Permission = EDIT) -> View:
    """Decorate the action of a button: it gets the request's id, and the response is the play page at the same models.

    The script gets the page instead of a redirect, because a second request can be lost in a bad network. A page of an
    older release sends no id, and toggled boxes.
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
        played = Played(ctx)
        if ctx.request.htmx:  # type: ignore[attr-defined]
            return page_of(played)
        query = played.address + (f"start={played.start}" if played.start else "")
        return redirect(reverse("play", args=[ctx.roster.token]) + (f"?{query}" if query else ""))

    return action


@play_action
def set_box(ctx: RosterContext, request: str) -> None:
    """Mark or clear a box."""
    form = BoxForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such box.")
    address: BoxAddress = form.cleaned_data["address"]
    document = Played(ctx).own_state.document
    element = edits.find_element(document, address.element)[1]
    tracks = ctx.system.play.tracks(element, terms_of(document))
    track = next((track for track in tracks if track.key == address.track), None)
    if track is None or address.model >= element.quantity or address.box >= len(track.boxes):
        raise edits.ElementNotFound
    model = model_key(address.element, address.model)
    play.set_box(ctx.roster, request, BoxChange(model, track, address.box, form.cleaned_data["marked"]), ctx.visitor)


@play_action
def change_turn(ctx: RosterContext, request: str) -> None:
    """Set the turn, unless somebody else has changed it since the page was rendered."""
    form = TurnForm(ctx.request.POST)
    if not form.is_valid():
        raise Http404("There is no such turn.")
    turn, shown = form.cleaned_data["turn"], form.cleaned_data["shown_turn"]
    now = play.set_turn(ctx.roster, request, turn, shown, ctx.visitor)
    if now != turn:
        messages.warning(ctx.request, _("Turn %(turn)d already.") % {"turn": now})
    Played(ctx).share_turn()


@play_action
def reset_damage(ctx: RosterContext, request: str) -> None:
    """Clear the damage of every element, and start again before the first turn."""
    play.reset(ctx.roster, request, ctx.visitor)
    Played(ctx).share_turn()


@play_action
def undo(ctx: RosterContext, request: str) -> None:
    """Undo the latest change in play, and say what it was."""
    back, was = play.undo(ctx.roster, request, ctx.visitor)
    played = Played(ctx)
    if back:
        messages.info(ctx.request, UNDONE % {"change": _undone(played, back, was)})
    if "turn" in back:
        played.share_turn()


def _undone(played: Played, back: play.PreviousValues, was: play.PreviousValues) -> str:
    """What was undone, in words: the boxes of one model, the turn, or a change of several models."""
    damage = back.get("damage", {})
    if "turn" in back:
        return _("Reset damage") if damage else _("Turn %(turn)d") % {"turn": was["turn"]}
    (key, mark), *more = damage.items()
    if more:
        return _("damage of several")
    uid, _space, number = key.rpartition(" ")
    try:
        element = edits.find_element(played.own_state.document, uid)[1]
    except edits.ElementNotFound:
        noun = translate(played.system.rules.WORDS.nouns.element)
        return _("damage; that %(element)s is no longer in the roster") % {"element": noun}
    name = join((element.display_name, str(int(number) + 1)), " ") if element.quantity > 1 else element.display_name
    changed = (
        track.label if track.kind == "flag" else join((track.label, join(texts)), " ")
        for track in played.system.play.tracks(element, terms_of(played.own_state.document))
        if (texts := _changed_boxes(track, mark, was["damage"][key]))
    )
    return translate(join((name, *changed)))


def _changed_boxes(track: Track, mark: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The boxes that are marked in one of two marks alone."""
    rows = zip(box_texts(track), marked_in(mark, track), marked_in(other, track), strict=True)
    return [text for text, before, after in rows if before != after]


@partial(play_action, permission=OWNER)
def show_damage(ctx: RosterContext, request: str) -> None:
    """Show the damage to others, or hide it."""
    play.show_damage(ctx.roster, ctx.request.POST.get("show") == "1", ctx.visitor)
