"""Cards of stands: picture, move, range and strength boxes on the face, equipment and rules in words on the back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count, groupby
from math import ceil
from typing import NamedTuple

from rosters.core.grid import DASH
from rosters.core.messages import Message, _, join
from rosters.pdf.blocks import MIN_BOX
from rosters.pdf.canvas import BOX, MM, Pen, Style
from rosters.pdf.cards import Blank, Card, CardText, Contents, Design, Edge, Spot, back_of, card_grid
from rosters.pdf.fonts import NAME, NARROW, NARROW_BOLD
from rosters.pdf.job import Job
from rosters.pdf.sections import Grid
from rosters.systems.six_mm.dice import against
from rosters.systems.six_mm.drawing import stand_from_above
from rosters.systems.six_mm.play import move, special_rules, weapon_range
from rosters.systems.six_mm.rules import MAX_STRENGTH, signed, strength, times
from rosters.systems.six_mm.sheets.block import AlternateStand, Sorties, StandBlock, draw_blank_counter
from rosters.systems.six_mm.sheets.stand import (
    STATES,
    MoveAndRange,
    Stand,
    StrengthTrack,
    army_stands,
    equipment,
    move_and_range,
    strength_track,
    type_and_quality,
)
from rosters.systems.six_mm.tables import GENERALS, TYPES

LINES = 3
"""Identical stands that share a card, at most."""
ALONE = (6.4, 5.1, 4.5)
"""The height of the boxes of a stand that has its card alone, in mm: the first with which they are not too high."""
TRACK = 24 * MM
HEAD = 4.4 * MM
"""The height of the label over strength boxes."""
CARD = Style()
"""The print of cards: in large print they are scaled as wholes."""

FACE = Design(
    {
        "counter": Spot(5, 5.4, 29, 20.2),
        "points": Spot(36, 4.6, 22.2, 6.6, 20, NAME, "right"),
        "worth": Spot(36, 11.2, 22.2, 3, 7.5, align="right", ink="soft"),
        "above": Spot(36, 14.6, 22.2, 16.8),
        "name": Spot(5, 30.8, 53, 6.6, 16, NAME),
        "kind": Spot(5, 37.2, 53, 6.6, 8, ink="soft"),
        "edge": Spot(5, 44, 53, 0.9),
        "figures": Spot(5, 46, 53, 9),
        "boxes": Spot(4.4, 55.6, 54.4, 28.4, grows=True),
    },
    {
        "counter": Spot(5, 5, 29, 20.2),
        "name": Spot(5, 26.4, 34, 8, 15, NAME),
        "kind": Spot(5, 34.4, 34, 9.6, 8.5, ink="soft"),
        "above": Spot(5, 44.4, 22.2, 14.4),
        "points": Spot(28, 45, 11, 6.6, 18, NAME, "right"),
        "worth": Spot(28, 51.6, 11, 3, 7.5, align="right", ink="soft"),
        "figures": Spot(43, 5, 40, 12),
        "edge": Spot(43, 18.4, 40, 0.9),
        "boxes": Spot(43, 21, 40, 38, grows=True),
    },
)


def cards(job: Job) -> Iterator[Grid]:
    """Cards of stands, with a line of boxes for each of some identical ones; blank ones fill a page."""
    army = (_stand_card(job, stands) for stands in _together(job))
    first = next(army, None)
    every = _blank_cards(job) if job.blank or first is None else chain((first,), army)
    yield card_grid(job, _("Stand cards"), every, FACE)


def _together(job: Job) -> Iterator[tuple[Stand, ...]]:
    """Stands that share a card: identical ones in equal parts, as many as have room, or each alone."""
    for _path, group in groupby(army_stands(job), key=lambda stand: stand.entry.path):
        alike = [*group]
        cards = ceil(len(alike) / _room(job, alike[0]))
        shared, more = divmod(len(alike), cards)
        for number in range(cards):
            first = number * shared + min(number, more)
            yield tuple(alike[first : first + shared + (number < more)])


def _room(job: Job, stand: Stand) -> int:
    """How many stands like this have room on a card."""
    if not job.options.merge or stand.element.type == "AIR" or stand.element.duplicates:
        return 1
    spot = (FACE.landscape if job.choice("card-size", "upright") == "landscape" else FACE.upright)["boxes"]
    fits = (n for n in range(LINES, 1, -1) if CardBoxes((stand,) * n).height(spot.width * MM) <= spot.height * MM)
    return next(fits, 1)


def _stand_card(job: Job, stands: tuple[Stand, ...]) -> tuple[str, Card]:
    stand = stands[0]
    element, each = stand.element, stand.entry.priced.unit_points
    command = job.document.formations[stand.entry.sources[0][0]].name
    name = _range(stands)
    face: Contents = {
        "counter": job.counter(element, large=False),
        "points": job.amount(each),
        "worth": job.points,
        "above": stand_from_above(element, job.terms),
        "name": name,
        "kind": join((type_and_quality(element), *equipment(element, element.duplicates), *against(element))),
        "edge": Edge(),
        "figures": CardFigures(move_and_range(element, stand.model.path, name, choices=True, firearms=stand.firearms)),
        "boxes": CardBoxes(stands),
    }
    owner = join([part for part in (job.document.name, command) if part], " · ")
    back = CardText(tuple(_words(stand)), element.notes)
    return command, Card(face, back_of(job, name, owner, back))


def _range(stands: tuple[Stand, ...]) -> str:
    """The common name of stands, with the numbers of the first and the last of several."""
    if len(stands) == 1:
        return stands[0].name
    first, last = stands[0].name, stands[-1].name
    base, _space, number = last.rpartition(" ")
    return f"{first}–{number}" if first.startswith(f"{base} ") else first


def _words(stand: Stand) -> Iterator[tuple[str, str]]:
    """The back of a card: what the stand is, its general, its alternates, its rules."""
    element = stand.element
    if element.type in TYPES:
        yield join((element.type, TYPES[element.type].name), " "), TYPES[element.type].text
    if element.general:
        rating = GENERALS[element.general]
        yield rating.title, _("Initiative {change}").format(change=signed(rating.value))
    for alternate in element.duplicates:
        what = times(alternate.quantity, join((alternate.type or DASH, *equipment(alternate))))
        facts = (
            _("strength {strength}").format(strength=strength(alternate) if alternate.type in TYPES else DASH),
            _("move {squares}").format(squares=move(alternate).text or DASH),
            _("range {squares}").format(squares=weapon_range(alternate, firearms=stand.firearms).text or DASH),
        )
        yield _("or {stand}").format(stand=what), join(facts)
    yield from special_rules(element)


# ---------------------------------------------------------------- contents


@contextmanager
def _standard_style(pen: Pen) -> Iterator[None]:
    """Draw in the style of cards."""
    style, pen.style = pen.style, pen.style._replace(body=CARD.body)
    yield
    pen.style = style


class CardFigures(NamedTuple):
    """Move and range."""

    figures: MoveAndRange

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        with _standard_style(pen):
            self.figures.draw(pen, x, top, width)


class CardBoxes(NamedTuple):
    """The strength boxes of each stand, under the last what the strength left adds, with its states; of one that has
    its card alone also its alternates or its loads.
    """

    stands: tuple[Stand, ...]

    def _tracks(self, width: float) -> Iterator[tuple[Stand, StrengthTrack]]:
        alone = len(self.stands) == 1
        for number, stand in enumerate(self.stands, start=1):
            track = strength_track(stand)
            if track and alone and stand.element.duplicates:
                yield stand, track
            elif track and alone:
                sizes = (track._replace(box_height=height) for height in ALONE)
                smallest = track._replace(box_height=MIN_BOX / MM, states=())
                yield stand, next((each for each in sizes if each.height(CARD, width) <= TRACK), smallest)
            elif track:
                rows = track.rows if number == len(self.stands) else ()
                states = () if track.states_below(CARD, width) else track.states
                yield stand, track._replace(rows=rows, states=states, box_height=MIN_BOX / MM)

    def height(self, width: float) -> float:
        """The height of the boxes and their label."""
        return HEAD + sum(
            track.height(CARD, width - self._numbered) for _stand, track in self._tracks(width - self._numbered)
        )

    @property
    def _numbered(self) -> float:
        """What is before the boxes of several stands, for their numbers."""
        return 4 * MM if len(self.stands) > 1 else 0.0

    def _alternates(self, width: float, available: float) -> Iterator[AlternateStand]:
        """The alternates for which there is so much room below the boxes; the others are in words on the back."""
        for alternate in StandBlock(self.stands[0]).alternates if len(self.stands) == 1 else ():
            available -= alternate.height(CARD, width)
            if available < 0:
                return
            yield alternate

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        stand, left, right = self.stands[0], x + self._numbered, width - self._numbered
        spare = height + 1 * MM - (self.height(width) - HEAD)
        alternates = [*self._alternates(width, spare)]
        with _standard_style(pen):
            if sum(each.height(CARD, width) for each in alternates) + HEAD <= spare:
                pen.label(x + 0.6 * MM, top - 2.8 * MM, _("Strength"))
                text = _("routs at {strength}").format(strength=stand.routs_at)
                pen.text(x + width, top - 2.8 * MM, text, 8, face=NARROW, align="right", ink="soft")
                top -= HEAD
            for each, track in self._tracks(right):
                if self._numbered:
                    number = each.name.rpartition(" ")[2]
                    pen.text(left - 1 * MM, top - 4.4 * MM, number, 8, face=NARROW_BOLD, align="right", ink="soft")
                track.draw(pen, left, top, right)
                top -= track.height(CARD, right)
            if stand.element.type == "AIR":
                Sorties(stand).draw(pen, x, top - 1 * MM, width)
            for alternate in alternates:
                alternate.draw(pen, x, top, width)
                top -= alternate.height(CARD, width)


# ---------------------------------------------------------------- blank cards

BLANK_LINES = (("type", _("Type")), ("transport", _("Equipment")))


def _blank_cards(job: Job) -> Iterator[tuple[str, Card]]:
    for number in count():
        path = f"card{number}"
        face: Contents = {
            "counter": BlankCounter(),
            **({"points": Blank(f"{path}.points", _("Points"))} if job.points else {}),
            "name": Blank(f"{path}.name", _("Stand")),
            "above": BlankRow(path, BLANK_LINES[:1]),
            "kind": BlankRow(path, BLANK_LINES[1:]),
            "figures": BlankRow(path, (("move", _("Move")), ("range", _("Range")), ("routs", _("Routs at")))),
            "boxes": BlankBoxes(path),
        }
        yield "", Card(face)


class BlankCounter(NamedTuple):
    """A counter without a symbol and a number, to draw them."""

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        draw_blank_counter(pen, x, top, width)


class BlankRow(NamedTuple):
    """Lines to write on side by side, each over its label."""

    path: str
    fields: tuple[tuple[str, Message], ...]

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        step = width / len(self.fields)
        for number, (key, label) in enumerate(self.fields):
            blank = Blank(f"{self.path}.{key}", label)
            blank.draw(pen, x + number * step, top, step - 2 * MM, max(height, 8.2 * MM))


class BlankBoxes(NamedTuple):
    """A box for each strength that a stand can have, and for each of its states."""

    path: str

    def draw(self, pen: Pen, x: float, top: float, width: float, height: float) -> None:
        pen.label(x, top - 2.8 * MM, _("Strength"))
        boxes = StrengthTrack(_("Stand"), self.path, (False,) * MAX_STRENGTH, 0, (), STATES, box_height=BOX / MM)
        with _standard_style(pen):
            boxes.draw(pen, x, top - HEAD, width)
