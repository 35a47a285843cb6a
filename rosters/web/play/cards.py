"""The stat cards of the play page: an element's counter, its stats, and its models as rows of boxes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rosters.core.amounts import format_amount
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, join, translate
from rosters.core.play import Gauge, StatLine, Track, count_destroyed, marked_boxes
from rosters.drawing.svg import Symbol
from rosters.web.play.forms import BoxAddress
from rosters.web.play.played import Played
from rosters.web.roster_page import counter_of, stats_of


class Box(NamedTuple):
    """A box to tap: its text, its accessible name, and the new state that its button sends.

    ``lost`` is its text when it is marked, "" where a cross says enough.
    """

    text: str
    name: str
    marked: bool
    breaks: bool
    value: str
    lost: str = ""


class TrackRow(NamedTuple):
    """A row of boxes: its heading ("": each box is a model), its name, and its kind ("state" with captions)."""

    label: str
    name: str
    kind: str
    boxes: list[Box]

    @property
    def marked(self) -> str:
        """What is marked, in words; "" if nothing is."""
        marked = [box.text for box in self.boxes if box.marked]
        return ", ".join(marked) if self.kind == "state" or not marked else f"{self.label} {len(marked)}"


class Model(NamedTuple):
    """A model: its element, its number there from 0, its number on the card from 1, its tracks with marked boxes."""

    element: str
    number: int
    shown: int
    tracks: tuple[tuple[Track, tuple[bool, ...]], ...]

    @property
    def destroyed(self) -> bool:
        return any(track.destroys(marked) for track, marked in self.tracks)

    @property
    def broken(self) -> str:
        """What it does beyond the bar of a track; "" before, and once it is destroyed."""
        beyond = (track.broken for track, marked in self.tracks if track.bar and marked.count(True) >= track.bar)
        return "" if self.destroyed else next(beyond, "")


def box_texts(track: Track) -> Sequence[str]:
    """The texts of boxes. Counts are numbered downwards, so the first open box shows what is left."""
    number = len(track.boxes)
    if track.aside and track.kind == "count":
        return [str(n + 1) for n in range(number)]
    return track.captions or track.boxes if track.kind == "names" else [str(number - n) for n in range(number)]


class StatCard(NamedTuple):
    """Equal elements with the models that are shown. Hashable, so that the rendered card can be cached."""

    name: str
    quantity: int
    left: int | None
    """How many models are not destroyed; None if none can be."""
    counter: Symbol
    line: StatLine
    models: tuple[Model, ...]
    steps: frozenset[int] = frozenset()
    """The losses that matter to its formation, where it is all of it."""

    @property
    def is_flagged(self) -> bool:
        """Whether each model is one box."""
        return all(len(model.tracks) == 1 and model.tracks[0][0].kind == "flag" for model in self.models)

    def flags(self) -> TrackRow:
        """One row with a box for each model: a number, or whether it is in play if there is one model only."""
        boxes = []
        for model in self.models:
            track, marked = model.tracks[0]
            box = self._box(model, track, marked, 0, str(model.shown) if self.quantity > 1 else track.label)
            boxes.append(box if self.quantity > 1 else box._replace(text=_("In play"), lost=track.label))
        return TrackRow("", self.name, "flag", boxes)

    def rows(self) -> Iterator[tuple[Model, list[TrackRow], list[TrackRow], Box | None]]:
        """The tracks of each model, those that are folded, and what is set aside, if it can be set now."""
        for model in self.models:
            tracks = [(track, marked) for track, marked in model.tracks if not track.aside]
            rows = [(track.rare, self._row(model, track, marked)) for track, marked in tracks]
            aside = next((self._aside(model, track, marked) for track, marked in model.tracks if track.aside), None)
            yield model, [row for rare, row in rows if not rare], [row for rare, row in rows if rare], aside

    @property
    def dial(self) -> str:
        """What each tap raises beside the boxes; "" in most games."""
        tracks = self.models[0].tracks if self.models else ()
        return next((track.label for track, _marked in tracks if track.aside and track.kind == "count"), "")

    def _aside(self, model: Model, track: Track, marked: tuple[bool, ...]) -> Box | None:
        """A count that a tap raises, after the last one to 0; or what a model beyond its bar has done."""
        number, target = marked.count(True), BoxAddress(model.element, model.number, track.key, 0)
        name = join((self.name_of(model), track.label))
        if track.kind == "count":
            value = f"{target} 0" if number == len(marked) else f"{replace(target, box=number)} 1"
            return Box(str(number), join((name, str(number)), " "), False, False, value, str(len(marked)))
        return (
            Box(model.broken, name, marked[0], False, f"{target} {int(not marked[0])}", track.label)
            if model.broken
            else None
        )

    def _row(self, model: Model, track: Track, marked: tuple[bool, ...]) -> TrackRow:
        boxes = [self._box(model, track, marked, n, text) for n, text in enumerate(box_texts(track))]
        kind = "state" if track.captions else track.kind
        return TrackRow(track.label, self.name_of(model), kind, boxes)

    def _box(self, model: Model, track: Track, marked: tuple[bool, ...], number: int, text: str) -> Box:
        """Pressing a marked box clears it; in a count with marked boxes after it, it clears those instead."""
        cleared = number + 1 if track.kind == "count" and any(marked[number + 1 :]) else number
        target = BoxAddress(model.element, model.number, track.key, cleared if marked[number] else number)
        breaks = model.shown in self.steps if track.kind == "flag" else number + 1 == track.bar
        name = join((self.name if track.kind == "flag" else track.label, text), " ")
        return Box(text, name, marked[number], breaks, f"{target} {int(not marked[number])}")

    def name_of(self, model: Model) -> str:
        return f"{self.name} {model.shown}" if self.quantity > 1 else self.name


def card_of(played: Played, document: AnyDocument, place: tuple[int, int], numbers: range) -> StatCard:
    """The card of the element at a place, with the models of these numbers; without models if it has no boxes."""
    f, e = place
    element, terms, play_rules = document.formations[f].elements[e], terms_of(document), played.system.play
    appraised = played.state.appraised[f].elements[e]
    tracks = [track for track in play_rules.tracks(element, terms) if track.boxes]
    marks, uid = element.marks, str(element.id)
    models = tuple(
        Model(
            uid, n, n + 1, tuple((track, marked_boxes(track, marks[n] if n < len(marks) else None)) for track in tracks)
        )
        for n in numbers
    )
    return StatCard(
        translate(element.display_name),
        element.quantity,
        element.quantity - count_destroyed(element, tracks) if any(track.can_destroy for track in tracks) else None,
        counter_of(played.system, appraised, terms, format_amount(appraised.priced.unit_points)),
        stats_of(played.system, appraised, terms),
        models if tracks else (),
    )


def merge_equal(cards: Iterable[StatCard], gauges: Sequence[Gauge]) -> Iterator[StatCard]:
    """The cards of a formation, equal elements on one card: ten lone stands are ten boxes, not ten cards."""
    merged: dict[Any, StatCard] = {}
    for card in cards:
        key = (card.name, card.counter, card.line, tuple(track for track, _marked in card.models[0].tracks))
        if before := merged.get(key):
            models = (model._replace(shown=before.quantity + model.shown) for model in card.models)
            left = None if before.left is None or card.left is None else before.left + card.left
            card = before._replace(  # noqa: PLW2901 (the card so far)
                quantity=before.quantity + card.quantity, left=left, models=(*before.models, *models)
            )
        merged[key] = card
    for card in merged.values():
        steps = (step for gauge in gauges for step, _text in gauge.steps if gauge.total == card.quantity)
        yield card._replace(steps=frozenset(steps))
